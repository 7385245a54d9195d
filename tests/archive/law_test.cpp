// SPDX-License-Identifier: Apache-2.0

// The law: the layer files depend only on the set of facts. Random small crawls are built whole,
// in pieces, shuffled, with duplicates, with other threads and memory, and the files compared.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/writer.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

Crawl shuffled(Crawl crawl, Random& random) {
  for (std::size_t i = crawl.size(); i > 1; --i) std::swap(crawl[i - 1], crawl[random.below(i)]);
  return crawl;
}

// How often each case in which facts join occurs.
struct Census {
  std::uint64_t duplicates = 0;      // the same fact again, from the same or another place
  std::uint64_t empty_captures = 0;  // known to have no links
  std::uint64_t equal_times = 0;     // two captures of a URL in one second that differ
  std::uint64_t revisits = 0;        // with their original in the crawl
  std::uint64_t orphans = 0;         // revisits without
  std::uint64_t not_found = 0;       // 404
  std::uint64_t redirects = 0;
  std::uint64_t unknown_targets = 0;  // links to what was never seen
};

bool is_original(const Capture& capture, const Sighting& revisit) {
  const Sighting& sighting = capture.sighting;
  if (!capture.links_known || sighting.url != revisit.url) return false;
  return revisit.revisit_profile == RevisitProfile::NotModified ? sighting.time <= revisit.time
                                                                : sighting.digest == revisit.digest;
}

void count(const Crawl& crawl, Census& census) {
  std::set<std::string> seen;
  for (const Capture& capture : crawl) seen.insert(capture.sighting.url);
  for (std::size_t i = 0; i < crawl.size(); ++i) {
    const Sighting& sighting = crawl[i].sighting;
    for (std::size_t j = 0; j < i; ++j) {
      const Sighting& other = crawl[j].sighting;
      if (sighting.url != other.url || sighting.time != other.time) continue;
      const bool is_same = sighting.digest == other.digest && sighting.status == other.status;
      ++(is_same ? census.duplicates : census.equal_times);
    }
    if (sighting.kind == SightingKind::Revisit) {
      const bool has_original = std::ranges::any_of(
          crawl, [&](const Capture& capture) { return is_original(capture, sighting); });
      ++(has_original ? census.revisits : census.orphans);
    }
    census.empty_captures += crawl[i].links_known && crawl[i].links.size() == 0 ? 1 : 0;
    census.not_found += sighting.status == 404 ? 1 : 0;
    census.redirects += sighting.outcome == Outcome::Moved ? 1 : 0;
    for (std::size_t j = 0; j < crawl[i].links.size(); ++j) {
      census.unknown_targets += seen.contains(std::string(crawl[i].links[j].target)) ? 0 : 1;
    }
  }
}

TEST(Law, LayerFilesDependOnTheSetOfFactsAlone) {
  const TemporaryFolder folder;
  const std::uint64_t seeds = seed_count(2000);
  Census census;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 200 == 0 ? 400 : 10));
    count(crawl, census);
    ArchiveOptions options = small_archive_options();
    options.block_bits = static_cast<std::uint32_t>(2 + random.below(5));
    options.range_seconds = random.chance(0.3) ? 0 : 1'500'000;
    if (seed % 2 == 0) options.optional_layers = {texts_layer()};
    const auto path = [&](const char* name) {
      return folder.path() / (std::to_string(seed) + name);
    };
    build(path("whole"), crawl, 1, 1000, options);
    const Files whole = layer_files(path("whole"));

    build(path("shuffled"), shuffled(crawl, random), 2, 3, options);
    ASSERT_EQ(difference(whole, layer_files(path("shuffled"))), "");

    // In pieces, one after the other, with some facts given twice.
    const std::size_t pieces = 1 + random.below(5);
    for (std::size_t i = 0; i < pieces; ++i) {
      Crawl piece;
      for (std::size_t j = 0; j < crawl.size(); ++j) {
        if (j % pieces == i || random.chance(0.1)) piece.push_back(crawl[j]);
      }
      if (i == 0) {
        build(path("pieces"), piece, 1, 1000, options);
      } else {
        update(path("pieces"), piece, 1 + i % 2);
        if (random.chance(0.3)) compact(path("pieces"), {});
      }
    }
    compact(path("pieces"), {});
    ASSERT_EQ(difference(whole, layer_files(path("pieces"))), "");
    std::filesystem::remove_all(path("whole"));
    std::filesystem::remove_all(path("shuffled"));
    std::filesystem::remove_all(path("pieces"));
  }
  std::cout << seeds << " crawls: " << census.duplicates << " duplicates, " << census.empty_captures
            << " empty captures, " << census.equal_times << " equal times, " << census.revisits
            << " revisits and " << census.orphans << " without their original, " << census.not_found
            << " not found, " << census.redirects << " redirects, " << census.unknown_targets
            << " links to what was never seen\n";
  for (const std::uint64_t cases :
       {census.duplicates, census.empty_captures, census.equal_times, census.revisits,
        census.orphans, census.not_found, census.redirects, census.unknown_targets}) {
    EXPECT_GE(cases, seeds / 20);  // the test would show little otherwise
  }
}

// Sightings of known URLs leave the layers of links alone; the result is still that of one build.
TEST(Law, SightingsAloneTouchTheirLayerOnly) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(60));
    Crawl seen;
    for (std::uint64_t i = 0; i <= random.below(8); ++i) {
      Capture sighting;
      sighting.sighting.url = crawl[random.below(crawl.size())].sighting.url;
      sighting.sighting.time = static_cast<Time>(1'000'000'000 + random.below(12) * 500'000);
      sighting.sighting.status = random.chance(0.5) ? 404 : 200;
      sighting.sighting.outcome = random.chance(0.5) ? Outcome::Gone : Outcome::Alive;
      sighting.sighting.kind = SightingKind::Probe;
      seen.push_back(sighting);
    }
    build(folder / "parts", crawl);
    const auto links_before = layer_files(folder / "parts")["links.00000"];
    update_at_once(folder / "parts", seen);
    Crawl both = crawl;
    both.insert(both.end(), seen.begin(), seen.end());
    build(folder / "whole", both);
    ASSERT_EQ(difference(layer_files(folder / "whole"), layer_files(folder / "parts")), "");
    EXPECT_EQ(layer_files(folder / "parts")["links.00000"], links_before);
    std::filesystem::remove_all(folder / "parts");
    std::filesystem::remove_all(folder / "whole");
  }
}

TEST(Law, AnUpdateWithKnownFactsCopiesEveryBlock) {
  const TemporaryFolder folder;
  Random random(5);
  const Crawl crawl = random_crawl(random, 300);
  build(folder.path() / "a", crawl);
  const Files before = layer_files(folder.path() / "a");
  const WriteSummary same = update_at_once(folder.path() / "a", {crawl[0]});
  EXPECT_EQ(difference(before, layer_files(folder.path() / "a")), "");
  const std::uint64_t blocks = (same.manifest.counts.nodes + 7) / 8;
  EXPECT_EQ(same.blocks_copied, blocks - 1);  // all but that of the page
}

// Importing a crawl again, or a part of it, changes nothing: readers need not open the archive
// again.
TEST(Law, AnUpdateWithKnownFactsKeepsTheGeneration) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto archive = folder.path() / std::to_string(seed);
    const Crawl crawl = random_crawl(random, 2 + random.below(40));
    build(archive, crawl);
    save_scores(archive, "ones", 1, std::vector<double>(Manifest::load(archive).counts.nodes, 1.0));
    const std::string manifest = read_file(archive / kManifestName);
    Crawl again;
    for (const Capture& capture : crawl) {
      if (again.empty() || random.chance(0.7)) again.push_back(capture);
    }
    const WriteSummary same = update(archive, shuffled(again, random), 1 + seed % 2);
    EXPECT_FALSE(same.is_changed);
    EXPECT_EQ(same.manifest.generation, 1U);
    EXPECT_EQ(read_file(archive / kManifestName), manifest);

    Capture news = crawl.front();
    news.sighting.time += 1;
    const WriteSummary changed = update(archive, {news});
    EXPECT_TRUE(changed.is_changed);
    EXPECT_EQ(changed.manifest.generation, 2U);
  }
}

}  // namespace
}  // namespace webstrata
