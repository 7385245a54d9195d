// Every question, on random small crawls, against a slow reference (reference.h).

#include "webstrata/archive/archive.h"

#include <atomic>
#include <ctime>
#include <iostream>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/row_layers_writer.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

using Crawl = std::vector<Capture>;
constexpr Time kFirstTime = std::numeric_limits<Time>::min();
constexpr Time kLastTime = std::numeric_limits<Time>::max();

std::uint64_t comparisons = 0;

// What random_crawl() has too little of: refusals, soft errors, moves that only an index line
// tells, captures and revisits of which nobody knows how they ended.
Crawl varied_crawl(Random& random, std::size_t size) {
  Crawl crawl = random_crawl(random, size);
  for (Capture& capture : crawl) {
    Sighting& sighting = capture.sighting;
    const std::uint64_t form = random.below(20);
    if (form == 0) sighting.outcome = Outcome::Blocked;
    if (form == 1) sighting.outcome = Outcome::SoftGone;
    if (form == 2 || form == 3) sighting.outcome = Outcome::Unknown;
    if (form == 4 && sighting.outcome == Outcome::Moved) {
      capture.links.clear();
      capture.links_known = false;
      sighting.kind = SightingKind::IndexLine;
    }
    if (form == 5) sighting.spelling = sighting.url + "#here";
  }
  return crawl;
}

Time random_time(Random& random) {
  if (random.chance(0.05)) return static_cast<Time>(random.next());
  return static_cast<Time>(1'000'000'000 + random.below(26) * 500'000) -
         (random.chance(0.3) ? 1 : 0);
}

template <typename Value>
void expect_same(const Value& value, const Value& expected, const char* what) {
  ++comparisons;
  ASSERT_EQ(value, expected) << what;
}

// Links as the archive tells them, in the form of the reference.
std::map<Uid, ReferenceLink> told(const std::vector<LinkAt>& links) {
  std::map<Uid, ReferenceLink> map;
  for (const LinkAt& link : links) map[link.node] = {link.kinds.bits(), link.count};
  return map;
}
std::map<Uid, ReferenceLink> expected_links(const Reference& reference, const ReferenceRow& row) {
  std::map<Uid, ReferenceLink> map;
  for (const auto& [target, link] : row) map[reference.uid(target)] = link;
  return map;
}

class Comparison {
 public:
  Comparison(const Archive& archive, const Reference& reference)
      : archive_(archive), reference_(reference) {}

  void names(Random& random) const {
    const auto& names = reference_.names();
    expect_same<std::uint64_t>(archive_.node_count(), names.size(), "nodes");
    for (Uid uid = 0; uid < names.size(); ++uid) {
      expect_same(archive_.url(uid), names[uid], "url");
      expect_same(archive_.uid(names[uid]), std::optional(uid), "uid");
      expect_same(archive_.key(uid), Reference::key_of(names[uid]), "key");
    }
    expect_same(archive_.uid("http://nowhere.example/"), std::optional<Uid>(), "no such url");
    expect_same(archive_.uid("not a url"), std::optional<Uid>(), "no url");
    for (int i = 0; i < 20; ++i) ranges(random_url(random));
  }

  void ranges(const std::string& url) const {
    Url parsed;
    ASSERT_TRUE(parse_url(url, parsed));
    for (const KeyRange& keys : {host_keys(parsed.host()), domain_keys(parsed.host()),
                                 prefix_keys(parsed), directory_keys(parsed)}) {
      std::vector<Uid> inside;
      for (Uid uid = 0; uid < reference_.names().size(); ++uid) {
        if (keys.contains(Reference::key_of(reference_.names()[uid]))) inside.push_back(uid);
      }
      const UidRange range = archive_.range(keys);
      std::vector<Uid> found;
      for (Uid uid = range.first; uid < range.end; ++uid) found.push_back(uid);
      expect_same(found, inside, "range");
    }
    for (const Dialect dialect : {Dialect::Exact, Dialect::Ia, Dialect::Pywb, Dialect::Cdxj,
                                  Dialect::CommonCrawlHost, Dialect::CommonCrawlHost2025}) {
      std::vector<Uid> same;
      for (Uid uid = 0; uid < reference_.names().size(); ++uid) {
        const std::string folded = fold(dialect, reference_.names()[uid]);
        if (!folded.empty() && folded == fold(dialect, url)) same.push_back(uid);
      }
      expect_same(archive_.folded(url, dialect), same, "folded");
    }
  }

  void pages(Time first, Time last) const {
    std::vector<Uid> expected;
    for (Uid uid = 0; uid < reference_.names().size(); ++uid) {
      const auto& rows = reference_.page(uid).rows;
      const auto row = rows.lower_bound(first);
      if (first <= last && row != rows.end() && row->first <= last) expected.push_back(uid);
    }
    std::vector<Uid> found;
    const auto keep = [&](Uid uid) {
      found.push_back(uid);
      return true;
    };
    archive_.pages({first, last}, keep);
    expect_same(found, expected, "pages of an interval");
    if (first == kFirstTime && last == kLastTime) {
      found.clear();
      archive_.pages(keep);
      expect_same(found, expected, "pages");
    }
  }

  void page(Uid uid) const {
    std::vector<Time> times;
    for (const auto& [time, row] : reference_.page(uid).rows) times.push_back(time);
    expect_same(archive_.capture_times(uid), times, "capture times");
    const auto out = reference_.links(uid, kFirstTime, kLastTime);
    const auto in = reference_.in_links(uid, kFirstTime, kLastTime);
    expect_same(archive_.links(uid), out, "links");
    expect_same(archive_.links(uid, Direction::In), in, "in-links");
    expect_same<std::uint64_t>(archive_.link_count(uid), out.size(), "link count");
    expect_same<std::uint64_t>(archive_.link_count(uid, Direction::In), in.size(), "in-degree");
    facts(uid);
    sightings(uid);
    history(uid, kFirstTime, kLastTime);
  }

  void interval(Uid uid, Time first, Time last) const {
    const TimeInterval interval{first, last};
    expect_same(archive_.links(uid, interval), reference_.links(uid, first, last), "during");
    expect_same(archive_.links(uid, interval, Direction::In), reference_.in_links(uid, first, last),
                "in-links during");
    // The coarse answer is that of the interval grown to whole ranges.
    const Time length = archive_.manifest().options.range_seconds;
    std::vector<Uid> coarse;
    for (const Uid source : reference_.in_links(uid, kFirstTime, kLastTime)) {
      bool touches = false;
      for (const auto& [time, row] : reference_.page(source).rows) {
        const auto range = range_of(time, length);
        touches |= first <= last && range >= range_of(first, length) &&
                   range <= range_of(last, length) && row.contains(reference_.names()[uid]);
      }
      if (touches) coarse.push_back(source);
    }
    expect_same(archive_.in_links_by_range(uid, interval), coarse, "in-links by range");
    history(uid, first, last);
  }

  void moment(Uid uid, Time time) const {
    const ReferenceState expected = reference_.at(uid, time);
    const PageAt found = archive_.links_at(uid, time);
    expect_same(found.state, expected.state, "state");
    expect_same(found.since, expected.since, "since");
    expect_same(found.captured, expected.captured, "captured");
    expect_same(told(found.links), expected_links(reference_, expected.links), "links at");
    ASSERT_TRUE(std::ranges::is_sorted(found.links, {}, &LinkAt::node));

    // A move that no capture shows is in no layer of in-links.
    std::map<Uid, ReferenceLink> sources;
    for (const Uid source : reference_.in_links(uid, kFirstTime, kLastTime)) {
      const ReferenceState state = reference_.at(source, time);
      const auto link = state.links.find(reference_.names()[uid]);
      if (link != state.links.end()) sources[source] = link->second;
    }
    expect_same(told(archive_.in_links_at(uid, time)), sources, "in-links at");
  }

 private:
  void facts(Uid uid) const {
    PageFacts page;
    archive_.page(uid, page);
    std::map<Time, std::map<Uid, ReferenceLink>> rows;
    std::map<Time, std::map<Uid, ReferenceLink>> expected;
    for (std::size_t row = 0; row < page.row_count(); ++row) {
      auto& links = rows[page.times[row]];
      for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
        links[page.targets[i]] = {page.values[i].kinds, page.values[i].count};
      }
    }
    for (const auto& [time, row] : reference_.page(uid).rows) {
      expected[time] = expected_links(reference_, row);
    }
    expect_same(rows, expected, "rows");
  }

  // All that a sighting says, and where its record lies.
  using Content = std::tuple<Time, int, int, int, std::optional<std::int16_t>, std::string,
                             std::string, std::string, std::string, std::optional<Time>,
                             std::string, std::optional<std::uint64_t>, std::string>;
  using Place = std::tuple<bool, std::string, bool, std::optional<std::uint64_t>>;
  static Content content_of(const Sighting& s) {
    return {s.time,
            static_cast<int>(s.kind),
            static_cast<int>(s.outcome),
            static_cast<int>(s.revisit_profile),
            s.status,
            s.digest,
            s.mime,
            s.redirect_target,
            s.refers_to_url == s.url ? std::string() : s.refers_to_url,
            s.refers_to_time,
            s.crawl,
            s.text_length,
            s.spelling};
  }
  static Place place_of(const Sighting& s) {
    return {s.file.empty(), s.file, !s.offset.has_value(), s.offset};
  }

  void sightings(Uid uid) const {
    // Captures that differ in whether their links are known are two sightings.
    std::map<std::pair<Content, bool>, Place> best;
    for (const auto& [sighting, has_links] : reference_.page(uid).sightings) {
      const auto [entry, is_new] =
          best.try_emplace({content_of(sighting), has_links}, place_of(sighting));
      if (!is_new) entry->second = std::min(entry->second, place_of(sighting));
    }
    std::vector<std::pair<Content, Place>> expected;
    for (const auto& [key, place] : best) expected.emplace_back(key.first, place);
    std::vector<std::pair<Content, Place>> found;
    for (const Sighting& sighting : archive_.sightings(uid)) {
      found.emplace_back(content_of(sighting), place_of(sighting));
      ASSERT_EQ(sighting.url, reference_.names()[uid]);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    expect_same(found, expected, "sightings");
  }

  static void expect_history(const LinkHistory& found, const ReferenceHistory& expected) {
    expect_same(found.first, expected.first, "first");
    expect_same(found.last, expected.last, "last");
    expect_same(found.captures, expected.captures, "captures");
    expect_same(found.kinds.bits(), expected.kinds, "kinds");
  }

  void history(Uid uid, Time first, Time last) const {
    const bool is_ever = first == kFirstTime && last == kLastTime;
    const auto during = is_ever ? std::nullopt : std::optional(TimeInterval{first, last});
    const auto expected = reference_.history(uid, first, last);
    const auto found = archive_.history(uid, Direction::Out, during);
    expect_same(found.size(), expected.size(), "histories");
    for (const LinkHistory& history : found) {
      ASSERT_EQ(history.source, uid);
      ASSERT_TRUE(expected.contains(history.target));
      expect_history(history, expected.at(history.target));
      if (is_ever) expect_same(archive_.history(uid, history.target), {history}, "history");
    }
    const auto in = archive_.history(uid, Direction::In, during);
    expect_same(in.size(), reference_.in_links(uid, first, last).size(), "in histories");
    for (const LinkHistory& history : in) {
      ASSERT_EQ(history.target, uid);
      expect_history(history, reference_.history(history.source, first, last).at(uid));
    }
  }

  const Archive& archive_;
  const Reference& reference_;
};

TEST(Archive, AnswersAsTheReferenceDoes) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = varied_crawl(random, 1 + random.below(seed % 4 == 0 ? 250 : 60));
    ArchiveOptions options = small_archive_options();
    if (seed % 3 == 0) options.range_seconds = 0;
    if (seed % 3 == 1) options.range_seconds = 3'000'000;
    options.kinds = kAllKinds;
    const auto path = folder / ("archive" + std::to_string(seed));
    build_archive(path, crawl, options);
    // Some have hardly any room to keep what they opened.
    const Archive archive = Archive::open(path, seed % 2 == 0 ? 20'000 : std::size_t{64} << 20);
    const Reference reference(crawl, options.kinds);
    const Comparison comparison(archive, reference);
    comparison.names(random);
    comparison.pages(kFirstTime, kLastTime);
    for (int i = 0; i < 20; ++i) comparison.pages(random_time(random), random_time(random));
    for (Uid uid = 0; uid < reference.names().size(); ++uid) {
      comparison.page(uid);
      for (int i = 0; i < 4; ++i) {
        comparison.moment(uid, random_time(random));
        comparison.interval(uid, random_time(random), random_time(random));
        if (HasFatalFailure()) return;
      }
    }
  }
  std::cout << comparisons << " comparisons\n";
  EXPECT_GE(comparisons, 100'000U);
}

Capture capture_of(std::string url, Time time, const std::vector<std::string>& targets) {
  Capture capture;
  capture.sighting.url = std::move(url);
  capture.sighting.time = time;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  for (const std::string& target : targets) {
    Link link;
    link.target = target;
    link.kinds = LinkKind::Navigation;
    capture.links.add(link);
  }
  return capture;
}

std::string numbered(std::uint64_t number) {
  return "http://target.example/" + std::to_string(1'000'000 + number);
}

// More rows and links than a section may hold, and one row that is larger than that by itself.
TEST(Archive, APageOfSeveralSectionsIsOnePage) {
  const TemporaryFolder folder;
  const std::string giant = "http://giant.example/";
  constexpr std::uint64_t kBig = kSectionItems + 1000;
  constexpr std::uint64_t kSmall = 70'000;
  std::vector<std::string> big_row;
  std::vector<std::string> even_row;
  for (std::uint64_t i = 0; i < kBig; ++i) big_row.push_back(numbered(i));
  for (std::uint64_t i = 0; i < kSmall; ++i) even_row.push_back(numbered(2 * i));
  Crawl crawl;
  for (Time time = 7; time <= 9; ++time) crawl.push_back(capture_of(giant, time, even_row));
  crawl.push_back(capture_of(giant, 10, big_row));
  crawl.push_back(capture_of(giant, 11, {numbered(1)}));
  ArchiveOptions options = small_archive_options();
  options.block_bits = 16;
  options.range_seconds = 5;
  build_archive(folder / "a", crawl, options);

  const Archive archive = Archive::open(folder / "a");
  const Uid uid = *archive.uid(giant);
  EXPECT_EQ(archive.capture_times(uid), (std::vector<Time>{7, 8, 9, 10, 11}));
  EXPECT_EQ(archive.link_count(uid), kBig);
  EXPECT_EQ(archive.links(uid).size(), kBig);
  EXPECT_EQ(archive.links_at(uid, 8).links.size(), kSmall);
  EXPECT_EQ(archive.links_at(uid, 10).links.size(), kBig);
  EXPECT_EQ(archive.links_at(uid, 12).links.size(), 1U);
  EXPECT_EQ(archive.links(uid, {1, 9}).size(), kSmall);
  EXPECT_EQ(archive.links(uid, {9, 10}).size(), kBig);
  EXPECT_EQ(archive.sightings(uid).size(), 5U);
  const auto histories = archive.history(uid, Direction::Out);
  ASSERT_EQ(histories.size(), kBig);
  for (std::uint64_t i = 0; i < kBig; ++i) {
    const std::uint64_t expected = i == 1 ? 2 : i % 2 == 0 && i < 2 * kSmall ? 4 : 1;
    ASSERT_EQ(histories[i].captures, expected) << i;
  }
  const Uid target = *archive.uid(numbered(1));
  EXPECT_EQ(archive.in_links_at(target, 9).size(), 0U);
  EXPECT_EQ(archive.in_links_at(target, 11).size(), 1U);
  EXPECT_EQ(archive.history(uid, target)->first, 10);
}

// More sources, each in several ranges, than a section of in-links may hold.
TEST(Archive, ATargetOfSeveralSectionsIsOneTarget) {
  const TemporaryFolder folder;
  const std::string hub = "http://hub.example/";
  constexpr std::uint64_t kSources = kSectionItems / 8 + 1000;
  ArchiveOptions options = small_archive_options();
  options.block_bits = 16;
  options.range_seconds = 10;
  WriteOptions write;
  ArchiveWriter writer = ArchiveWriter::create(folder / "a", options, write);
  auto batch = writer.make_batch();
  for (std::uint64_t i = 0; i < kSources; ++i) {
    for (Time time = 0; time < 90; time += 10) {
      batch->add(capture_of(numbered(i), time, {hub}));
    }
  }
  writer.take(std::move(batch));
  writer.commit();
  const Archive archive = Archive::open(folder / "a");
  const Uid uid = *archive.uid(hub);
  EXPECT_EQ(archive.link_count(uid, Direction::In), kSources);
  EXPECT_EQ(archive.links(uid, Direction::In).size(), kSources);
  EXPECT_EQ(archive.in_links_by_range(uid, {25, 25}).size(), kSources);
  EXPECT_EQ(archive.links(uid, {25, 29}, Direction::In).size(), 0U);
  EXPECT_EQ(archive.links(uid, {25, 30}, Direction::In).size(), kSources);
}

TEST(Archive, AnEmptyOneAnswersToo) {
  const TemporaryFolder folder;
  build_archive(folder / "a", {});
  const Archive archive = Archive::open(folder / "a");
  EXPECT_EQ(archive.node_count(), 0U);
  EXPECT_FALSE(archive.uid("http://a.example/"));
  EXPECT_TRUE(archive.range(host_keys("a.example")).empty());
  EXPECT_THROW(static_cast<void>(archive.links_at(0, 0)), Error);
  archive.pages([](Uid) { return true; });
}

// Readers open and ask all the time while the archive grows; each answer must be the right one of
// the generation that it was given by.
TEST(Archive, ReadersNeverWaitAndNeverErrWhileItIsUpdated) {
  const TemporaryFolder folder;
  constexpr int kUpdates = 20;
  constexpr int kReaders = 8;
  const std::string page = "http://page.example/";
  const auto piece = [&](int i) {
    return Crawl{capture_of(page, i, {numbered(static_cast<std::uint64_t>(i)), numbered(99)}),
                 capture_of(numbered(static_cast<std::uint64_t>(i)), i, {page})};
  };
  build_archive(folder / "a", piece(0));
  std::atomic<bool> is_done = false;
  std::atomic<std::uint64_t> questions = 0;
  std::atomic<std::uint64_t> failures = 0;
  std::vector<std::thread> readers;
  for (int reader = 0; reader < kReaders; ++reader) {
    readers.emplace_back([&] {
      const auto expect = [&](bool is_right) { failures += is_right ? 0 : 1; };
      try {
        do {
          const Archive archive = Archive::open(folder / "a", 1 << 20);
          const Uid uid = *archive.uid(page);
          // The number of captures tells which generation this is.
          const auto times = archive.capture_times(uid);
          const auto last = static_cast<Time>(times.size()) - 1;
          for (Time time = 0; time <= last; ++time) {
            const auto links = archive.links_at(uid, time).links;
            const Uid target = *archive.uid(numbered(static_cast<std::uint64_t>(time)));
            expect(links.size() == 2 && links[0].node == target);
            expect(archive.in_links_at(uid, time).size() == static_cast<std::size_t>(time) + 1);
          }
          expect(archive.links(uid).size() == times.size() + 1);
          expect(archive.links(uid, Direction::In).size() == times.size());
          ++questions;
        } while (!is_done);
      } catch (const std::exception& error) {
        ++failures;
        std::cout << error.what() << "\n";
      }
    });
  }
  for (int i = 1; i <= kUpdates; ++i) update_archive(folder / "a", piece(i));
  is_done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(failures, 0U);
  EXPECT_GT(questions, 0U);
  EXPECT_EQ(Archive::open(folder / "a").manifest().counts.captures, 2U * (kUpdates + 1));
}

// A page of 70 links and 16 captures among others, asked again and again: the time is printed.
TEST(Archive, LinksAtATimeAreReadFast) {
  const TemporaryFolder folder;
  Random random(7);
  Crawl crawl;
  constexpr std::uint64_t kPages = 300;
  constexpr std::uint64_t kUnion = 78;
  const auto page = [](std::uint64_t i) { return "http://page.example/" + std::to_string(i); };
  for (std::uint64_t i = 0; i < kPages; ++i) {
    const std::uint64_t start = random.below(1000);
    for (Time capture = 0; capture < 16; ++capture) {
      std::vector<std::string> targets;
      for (std::uint64_t j = 0; j < kUnion; ++j) {
        if (random.chance(0.9)) targets.push_back(numbered(start + 3 * j));
      }
      crawl.push_back(capture_of(page(i), 1'000'000'000 + capture * 2'000'000, targets));
      Sighting& sighting = crawl.back().sighting;
      sighting.status = 200;
      sighting.mime = "text/html";
      sighting.digest = "sha1:";
      for (int c = 0; c < 32; ++c)
        sighting.digest += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[random.below(32)];
      sighting.file = "crawl-" + std::to_string(capture) + ".warc.gz";
      sighting.offset = random.below(1'000'000'000);
      sighting.length = 5000 + random.below(5000);
    }
  }
  build_archive(folder / "a", crawl, {});
  const Archive archive = Archive::open(folder / "a");
  std::vector<Uid> uids;
  for (std::uint64_t i = 0; i < kPages; ++i) uids.push_back(*archive.uid(page(i)));
  double best = 1e9;
  std::uint64_t links = 0;
  for (int round = 0; round < 5; ++round) {
    constexpr int kQuestions = 4000;
    const std::clock_t begin = std::clock();
    for (int i = 0; i < kQuestions; ++i) {
      const auto time = static_cast<Time>(1'000'000'000 + random.below(16) * 2'000'000);
      links += archive.links_at(uids[random.below(kPages)], time).links.size();
    }
    best = std::min(best,
                    1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kQuestions);
  }
  std::cout << "links_at: " << best << " us of CPU time\n";
  EXPECT_GT(links, 0U);
}

}  // namespace
}  // namespace webstrata
