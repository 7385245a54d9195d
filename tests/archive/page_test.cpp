// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/gather/page.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {
namespace {

constexpr auto kResponse = static_cast<std::uint8_t>(SightingKind::Response);
constexpr auto kRevisit = static_cast<std::uint8_t>(SightingKind::Revisit);
constexpr auto kIdentical = static_cast<std::uint8_t>(RevisitProfile::IdenticalDigest);
constexpr auto kNotModified = static_cast<std::uint8_t>(RevisitProfile::NotModified);

// The slow reference: facts as sets, as the rules in page.h are worded.
struct NaivePages {
  using Place = std::tuple<bool, std::string, bool, std::uint64_t, bool, std::uint64_t>;
  std::map<SightingRecord, Place> sightings;  // by the record without its place
  std::map<Time, std::map<Uid, LinkValue>> rows;

  void add(const PageFacts& page) {
    for (SightingRecord record : page.sightings) {
      const Place place(record.file.empty(), record.file, !record.offset, record.offset.value_or(0),
                        !record.length, record.length.value_or(0));
      record.file.clear();
      record.offset.reset();
      record.length.reset();
      const auto [known, is_new] = sightings.emplace(record, place);
      if (!is_new) known->second = std::min(known->second, place);
    }
    for (std::size_t row = 0; row < page.row_count(); ++row) {
      auto& links = rows[page.times[row]];
      for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
        LinkValue& value = links[page.targets[i]];
        value.kinds |= page.values[i].kinds;
        value.count = std::max(value.count, page.values[i].count);
      }
    }
  }

  [[nodiscard]] PageFacts page() const {
    PageFacts page;
    std::set<SightingRecord> sorted;
    for (const auto& [content, place] : sightings) {
      SightingRecord record = content;
      record.file = std::get<1>(place);
      if (!std::get<2>(place)) record.offset = std::get<3>(place);
      if (!std::get<4>(place)) record.length = std::get<5>(place);
      sorted.insert(record);
    }
    page.sightings.assign(sorted.begin(), sorted.end());
    for (const auto& [time, links] : rows) {
      for (const auto& [target, value] : links) page.add_link(target, value);
      page.end_row(time);
    }
    return page;
  }
};

SightingRecord random_sighting(Random& random) {
  SightingRecord record;
  record.time = static_cast<Time>(random.below(5)) - 2;
  record.kind = random.chance(0.3) ? kRevisit : kResponse;
  record.has_links = random.chance(0.5);
  if (random.chance(0.5)) record.status = static_cast<std::int16_t>(200 + random.below(2));
  if (random.chance(0.5)) record.digest = std::string(1, static_cast<char>('a' + random.below(2)));
  if (random.chance(0.7)) record.file = std::string(1, static_cast<char>('x' + random.below(2)));
  if (random.chance(0.7)) record.offset = random.below(2);
  if (random.chance(0.7)) record.length = random.below(2);
  return record;
}

PageFacts random_page(Random& random) {
  PageFacts page;
  for (std::uint64_t i = random.below(8); i > 0; --i) {
    page.sightings.push_back(random_sighting(random));
  }
  for (std::uint64_t rows = random.below(5); rows > 0; --rows) {
    for (std::uint64_t links = random.below(6); links > 0; --links) {
      page.add_link(random.below(8), {static_cast<std::uint8_t>(1 << random.below(3)),
                                      static_cast<std::uint8_t>(random.below(3))});
    }
    page.end_row(static_cast<Time>(random.below(4)));
  }
  return page;
}

PageFacts joined(std::initializer_list<const PageFacts*> pages) {
  PageFacts all;
  for (const PageFacts* page : pages) append(all, *page);
  normalise(all);
  return all;
}

TEST(PageFacts, JoiningAgreesWithSetsWhateverTheOrder) {
  constexpr std::uint64_t kSeed = 4;
  Random random(kSeed);
  for (int round = 0; round < 5000; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    const PageFacts a = random_page(random);
    const PageFacts b = random_page(random);
    const PageFacts c = random_page(random);
    NaivePages reference;
    for (const PageFacts* page : {&a, &b, &c}) reference.add(*page);
    const PageFacts expected = reference.page();

    ASSERT_EQ(joined({&a, &b, &c}), expected);
    ASSERT_EQ(joined({&c, &a, &b}), expected);
    const PageFacts ab = joined({&a, &b});
    const PageFacts bc = joined({&b, &c});
    ASSERT_EQ(joined({&ab, &c}), expected);
    ASSERT_EQ(joined({&a, &bc}), expected);
    ASSERT_EQ(joined({&expected, &expected}), expected);
    ASSERT_EQ(joined({&expected, &b}), expected);
  }
}

TEST(PageFacts, TheSmallestKnownPlaceIsKept) {
  PageFacts page;
  SightingRecord record;
  record.time = 7;
  page.sightings.push_back(record);
  record.file = "b.warc.gz";
  record.offset = 5;
  page.sightings.push_back(record);
  record.length = 100;
  page.sightings.push_back(record);
  record.file = "c.warc.gz";
  record.offset = 1;
  page.sightings.push_back(record);
  normalise(page);
  ASSERT_EQ(page.sightings.size(), 1U);
  EXPECT_EQ(page.sightings[0].file, "b.warc.gz");
  EXPECT_EQ(page.sightings[0].offset, 5U);
  EXPECT_EQ(page.sightings[0].length, 100U);
}

TEST(PageFacts, LayersHoldTheSameRows) {
  constexpr std::uint64_t kSeed = 5;
  Random random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    PageFacts page = random_page(random);
    normalise(page);
    PageLayers layers;
    to_layers(page, layers);
    const std::set<Uid> targets(page.targets.begin(), page.targets.end());
    ASSERT_EQ(layers.links, std::vector<Uid>(targets.begin(), targets.end()));
    PageFacts again;
    again.sightings = page.sightings;
    again.end_row(99);  // replaced
    from_layers(layers, again);
    ASSERT_EQ(again, page);
  }
}

TEST(PageFacts, APageWhoseEveryRowIsDifferentIsUnited) {
  PageFacts page;
  std::set<Uid> targets;
  constexpr std::uint64_t kSeed = 6;
  Random random(kSeed);
  for (Time time = 0; time < 2000; ++time) {
    for (int i = 0; i < 20; ++i) {
      const Uid target = random.below(100000);
      targets.insert(target);
      page.add_link(target, {1, 1});
    }
    page.end_row(time);
  }
  normalise(page);
  PageLayers layers;
  to_layers(page, layers);
  EXPECT_EQ(layers.links, std::vector<Uid>(targets.begin(), targets.end()));
  PageFacts again;
  from_layers(layers, again);
  EXPECT_EQ(again, page);
}

TEST(PageFacts, LayersThatDoNotFitTogetherAreRefused) {
  PageFacts page;
  PageLayers layers{{5}, {1}, {1}, {1}, {{1, 1}}};
  EXPECT_THROW(from_layers(layers, page), Error);
  layers.ones = {0};
  from_layers(layers, page);
  EXPECT_EQ(page.targets, std::vector<Uid>{5});
  layers.values.clear();
  EXPECT_THROW(from_layers(layers, page), Error);
}

// A history in a compact notation.
class History {
 public:
  History& capture(Time time, std::string digest, std::initializer_list<Uid> links) {
    SightingRecord& record = add(time, kResponse, std::move(digest));
    record.has_links = true;
    for (const Uid target : links) page_.add_link(target, {1, 1});
    page_.end_row(time);
    return *this;
  }
  History& revisit(Time time, std::string digest) {
    add(time, kRevisit, std::move(digest)).revisit_profile = kIdentical;
    return *this;
  }
  History& not_modified(Time time, std::string digest, std::optional<Time> refers_to_time) {
    SightingRecord& record = add(time, kRevisit, std::move(digest));
    record.revisit_profile = kNotModified;
    record.refers_to_time = refers_to_time;
    return *this;
  }
  History& elsewhere(Time time, std::string digest, Uid other) {
    add(time, kRevisit, std::move(digest)).refers_to = other;
    return *this;
  }
  [[nodiscard]] PageFacts facts() const {
    PageFacts page = page_;
    normalise(page);
    return page;
  }
  // The rows once revisits have theirs.
  [[nodiscard]] std::map<Time, std::set<Uid>> rows() const {
    PageFacts page = facts();
    derive_rows(page);
    std::map<Time, std::set<Uid>> rows;
    for (std::size_t row = 0; row < page.row_count(); ++row) {
      auto& links = rows[page.times[row]];
      for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
        links.insert(page.targets[i]);
      }
    }
    return rows;
  }

 private:
  SightingRecord& add(Time time, std::uint8_t kind, std::string digest) {
    SightingRecord record;
    record.time = time;
    record.kind = kind;
    record.digest = std::move(digest);
    page_.sightings.push_back(std::move(record));
    return page_.sightings.back();
  }

  PageFacts page_;
};

using Rows = std::map<Time, std::set<Uid>>;

TEST(Revisits, TakeTheLatestEarlierCaptureWithTheirDigest) {
  History history;
  history.capture(10, "a", {1}).capture(20, "a", {2}).capture(30, "b", {3}).revisit(40, "a");
  EXPECT_EQ(history.rows(), (Rows{{10, {1}}, {20, {2}}, {30, {3}}, {40, {2}}}));
}

TEST(Revisits, ElseTheEarliestLaterOne) {
  History history;
  history.revisit(5, "a").capture(10, "b", {1}).capture(20, "a", {2}).capture(30, "a", {3});
  EXPECT_EQ(history.rows(), (Rows{{5, {2}}, {10, {1}}, {20, {2}}, {30, {3}}}));
}

TEST(Revisits, WithoutAnOriginalStaySightings) {
  History history;
  history.capture(10, "a", {1}).revisit(20, "other").revisit(30, "").elsewhere(40, "a", 77);
  EXPECT_EQ(history.rows(), (Rows{{10, {1}}}));
  EXPECT_EQ(History().revisit(20, "a").rows(), Rows{});
}

TEST(Revisits, NotModifiedTakesTheTimeItNames) {
  History history;
  history.capture(10, "a", {1}).capture(20, "b", {2}).not_modified(30, "", 10);
  EXPECT_EQ(history.rows()[30], std::set<Uid>{1});
}

TEST(Revisits, NotModifiedElseTakesTheLatestEarlierCapture) {
  History history;
  history.capture(10, "a", {1}).capture(20, "b", {2}).capture(40, "c", {4});
  history.not_modified(30, "", 11).not_modified(31, "", std::nullopt);
  history.not_modified(5, "", std::nullopt);
  const Rows rows = history.rows();
  EXPECT_EQ(rows.at(30), std::set<Uid>{2});
  EXPECT_EQ(rows.at(31), std::set<Uid>{2});
  EXPECT_FALSE(rows.contains(5));  // nothing is earlier
}

TEST(Revisits, ADigestSaysMoreThanATime) {
  History history;
  history.capture(10, "a", {1}).capture(20, "b", {2}).not_modified(30, "a", 20);
  EXPECT_EQ(history.rows()[30], std::set<Uid>{1});
}

TEST(Revisits, ACaptureInTheSameSecondIsTheRow) {
  History history;
  history.capture(10, "a", {1}).capture(20, "b", {2}).revisit(20, "a");
  EXPECT_EQ(history.rows(), (Rows{{10, {1}}, {20, {2}}}));
}

TEST(Revisits, TwoInOneSecondGiveTheUnion) {
  History history;
  history.capture(10, "a", {1}).capture(20, "b", {2}).revisit(30, "a").revisit(30, "b");
  EXPECT_EQ(history.rows()[30], (std::set<Uid>{1, 2}));
}

TEST(Revisits, DerivedRowsAreNoOriginals) {
  History history;
  history.capture(10, "a", {1}).capture(12, "b", {2}).revisit(20, "a");
  history.not_modified(30, "", std::nullopt);
  EXPECT_EQ(history.rows()[30], std::set<Uid>{2});  // 12, not 20
}

TEST(Revisits, DroppingTheirRowsUndoesDerivingThem) {
  constexpr std::uint64_t kSeed = 7;
  Random random(kSeed);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    History history;
    for (std::uint64_t i = random.below(9); i > 0; --i) {
      const auto time = static_cast<Time>(random.below(6));
      const std::string digest = random.chance(0.2) ? "" : random.chance(0.5) ? "a" : "b";
      if (random.chance(0.4)) history.capture(time, digest, {random.below(5), random.below(5)});
      if (random.chance(0.4)) history.revisit(time, digest);
      if (random.chance(0.3))
        history.not_modified(time, digest, static_cast<Time>(random.below(6)));
    }
    const PageFacts before = history.facts();
    PageFacts page = before;
    derive_rows(page);
    PageFacts derived = page;
    normalise(derived);
    ASSERT_EQ(derived, page);
    drop_derived_rows(page);
    ASSERT_EQ(page, before);
  }
}

}  // namespace
}  // namespace webstrata
