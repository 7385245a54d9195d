// SPDX-License-Identifier: Apache-2.0

// The blocks of random archives, put together, are the graph that snapshot_of() gives.

#include "webstrata/graph/block_links.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/graph/pages.h"

namespace webstrata {
namespace {

using UidPairs = std::set<std::pair<Uid, Uid>>;

struct Together {
  std::set<Uid> nodes;
  std::set<Uid> living;
  UidPairs links;
};

Together put_together(const Archive& archive, const SnapshotRequest& request) {
  Together all;
  std::set<Uid> living;
  for (std::uint64_t block = 0; block < archive.stack().block_count(); ++block) {
    const BlockLinks part = block_links(archive, request, block);
    all.nodes.insert(part.pages.begin(), part.pages.end());
    all.nodes.insert(part.targets.begin(), part.targets.end());
    living.insert(part.living.begin(), part.living.end());
    EXPECT_EQ(part.sources.size(), part.targets.size());
    for (std::size_t i = 0; i < part.sources.size(); ++i) {
      all.links.emplace(part.sources[i], part.targets[i]);
      EXPECT_EQ(archive.stack().block_of(part.sources[i]), block);
    }
  }
  for (const Uid uid : living) {
    if (all.nodes.contains(uid)) all.living.insert(uid);
  }
  return all;
}

TEST(BlockLinks, TogetherAreTheGraph) {
  const TemporaryFolder folder;
  std::uint64_t links_seen = 0;
  std::uint64_t dead_seen = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto path = folder.path() / std::to_string(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(60));
    seed % 2 == 0 ? build(path, crawl) : build_stack(path, crawl);
    const Archive archive = Archive::open(path);
    const Time some = crawl[random.below(crawl.size())].sighting.time;
    const Time other = crawl[random.below(crawl.size())].sighting.time;
    const TimeInterval interval = {std::min(some, other), std::max(some, other)};
    for (const GraphTime time : {GraphTime::ever(), GraphTime::at(some),
                                 GraphTime::during(interval), GraphTime::during(interval, true)}) {
      SnapshotRequest request;
      request.time = time;
      request.kinds = random.chance(0.5) ? kGraphKinds : kAllKinds;
      request.node_columns = {.outcome = true, .captures = true};
      const Snapshot whole = snapshot_of(archive, request);
      const Together parts = put_together(archive, request);
      ASSERT_EQ(parts.nodes.size(), whole.node_count());
      UidPairs links;
      std::set<Uid> living;
      for (Node node = 0; node < whole.node_count(); ++node) {
        ASSERT_TRUE(parts.nodes.contains(*whole.uid(node)));
        for (const Node target : whole.successors(node)) {
          links.emplace(*whole.uid(node), *whole.uid(target));
        }
      }
      for (const Node node : pages_of(whole)) living.insert(*whole.uid(node));
      EXPECT_EQ(parts.links, links);
      EXPECT_EQ(parts.living, living);
      links_seen += links.size();
      dead_seen += parts.nodes.size() - living.size();
    }
  }
  EXPECT_GT(links_seen, 1000U);
  EXPECT_GT(dead_seen, 100U);
}

}  // namespace
}  // namespace webstrata
