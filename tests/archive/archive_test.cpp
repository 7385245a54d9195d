// SPDX-License-Identifier: Apache-2.0

// Every question, on random small crawls, against a slow reference (reference.h).

#include "webstrata/archive/ask/archive.h"

#include <ctime>
#include <iostream>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/archive/reference_comparison.h"
#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/merge/row_layers_writer.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

using Crawl = std::vector<Capture>;

// What random_crawl() has too little of: refusals, soft errors, moves known only from an index
// line, captures and revisits with unknown outcomes.
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

TEST(Archive, AnswersAsTheReferenceDoes) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = varied_crawl(random, 1 + random.below(seed % 4 == 0 ? 250 : 60));
    ArchiveOptions options = small_archive_options();
    if (seed % 3 == 0) options.range_seconds = 0;
    if (seed % 3 == 1) options.range_seconds = 3'000'000;
    options.kinds = kAllKinds;
    const auto path = folder / ("archive" + std::to_string(seed));
    build_archive(path, crawl, options);
    // Some have a cache with hardly any room.
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
  EXPECT_GE(comparisons, 80'000U);
}

// Long enough to be kept decoded: the second question is answered from what the first one read.
TEST(Archive, AnswersAboutALongHistoryAsTheReferenceDoes) {
  const TemporaryFolder folder;
  Random random(7);
  Crawl crawl = varied_crawl(random, 900);
  for (Capture& capture : crawl) {
    capture.sighting.url = "http://often.example/";
    capture.sighting.spelling.clear();
    capture.sighting.time = kFirstTime + static_cast<Time>(random.below(700) * 20'000);
  }
  build_archive(folder / "archive", crawl);
  const Reference reference(crawl, ArchiveOptions{}.kinds);
  for (const std::size_t cache_bytes : {std::size_t{20'000}, std::size_t{64} << 20}) {
    const Archive archive = Archive::open(folder / "archive", cache_bytes);
    const Comparison comparison(archive, reference);
    const Uid page = archive.uid("http://often.example/").value();
    ASSERT_GE(archive.sightings(page).size(), 256U);
    for (int i = 0; i < 300; ++i) {
      comparison.moment(page, kFirstTime + static_cast<Time>(random.below(15'000'000)));
      if (HasFatalFailure()) return;
    }
  }
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

// More rows and links than a section may hold, and one row that alone exceeds a section.
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

// A page of 70 links and 16 captures among others, queried repeatedly: the time is printed.
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
