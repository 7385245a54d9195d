// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/core_extraction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/graph/random_graph.h"
#include "tests/seeds/core_checks.h"
#include "tests/seeds/named_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/rank/hits.h"

namespace webstrata {
namespace {

std::set<Node> set_of(const std::vector<Node>& nodes) { return {nodes.begin(), nodes.end()}; }

TEST(CoreExtraction, FindsPlantedCoresTheLargestFirst) {
  LinkPairs links;
  add_complete(links, {0, 1, 2, 3, 4}, {5, 6, 7, 8});
  add_complete(links, {10, 11, 12}, {13, 14, 15});
  add_complete(links, {20, 21}, {22});
  const Snapshot graph = graph_of_hosts(30, links);
  for (const bool cold_start : {false, true}) {
    ExtractionOptions options;
    options.cold_start = cold_start;
    const CoresResult found = extract_cores(graph, 10, options);
    ASSERT_EQ(found.cores.size(), 3);
    EXPECT_EQ(found.ended, CoresEnd::NoLinks);
    EXPECT_EQ(found.cores[0].hubs.size(), 5);
    EXPECT_EQ(found.cores[1].hubs.size(), 3);
    EXPECT_EQ(found.cores[2].hubs.size(), 2);
    EXPECT_EQ(std::string(), why_not_complete_and_apart(graph, found.cores));
  }
}

// Cold starts: the paper's loop written out with a graph that is rebuilt for each core.
TEST(CoreExtraction, ColdStartsEqualTheLoopWithRemovedNodesTakenOut) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    LinkPairs links = random_links(random, 60, 6);
    std::erase_if(links, [](const auto& link) { return link.first == link.second; });
    ExtractionOptions options;
    options.cold_start = true;
    const CoresResult found = extract_cores(graph_of_hosts(60, links), 8, options);
    for (const BipartiteCore& core : found.cores) {
      const Snapshot left = Snapshot::from_links(60, links);
      const HitsResult ranked = hits(left);
      const BipartiteCore expected = grow_core(left, {ranked.hubs, ranked.authorities}, {});
      // As sets: sums in another order break ties by rounding.
      EXPECT_EQ(set_of(core.hubs), set_of(expected.hubs));
      EXPECT_EQ(set_of(core.authorities), set_of(expected.authorities));
      std::set<Node> gone(core.hubs.begin(), core.hubs.end());
      gone.insert(core.authorities.begin(), core.authorities.end());
      std::erase_if(links, [&](const auto& link) {
        return gone.contains(link.first) || gone.contains(link.second);
      });
    }
    if (found.cores.size() < 8) {
      EXPECT_TRUE(links.empty());
    }
  }
}

TEST(CoreExtraction, CoresOfRandomGraphsAreCompleteAndApart) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Snapshot graph = graph_of_hosts(200, random_links(random, 200, 8));
    for (const CoreGrowth growth : {CoreGrowth::Either, CoreGrowth::Lockstep}) {
      ExtractionOptions options;
      options.core.growth = growth;
      const CoresResult found = extract_cores(graph, 1000, options);
      EXPECT_EQ(found.ended, CoresEnd::NoLinks) << seed;
      EXPECT_EQ(std::string(), why_not_complete_and_apart(graph, found.cores)) << seed;
    }
  }
}

// One site of three pages that link to each other, and one link to another host.
TEST(CoreExtraction, LinksInsideAHostDoNotCount) {
  LinkPairs links = {{0, 3}};
  add_complete(links, {0, 1, 2}, {0, 1, 2});
  const Snapshot graph = with_names(
      Snapshot::from_links(4, links),
      {"http://a.example/", "http://a.example/b", "http://a.example/c", "http://d.example/"});
  const CoresResult found = extract_cores(graph, 5);
  ASSERT_EQ(found.cores.size(), 1);
  EXPECT_EQ(found.cores[0].hubs, (std::vector<Node>{0}));
  EXPECT_EQ(found.cores[0].authorities, (std::vector<Node>{3}));
  ExtractionOptions with_inner;
  with_inner.inner_links = true;
  EXPECT_GT(extract_cores(graph, 5, with_inner).cores[0].link_count, 1);
}

TEST(CoreExtraction, EndsOnGraphsWithoutLinks) {
  EXPECT_EQ(extract_cores(Snapshot(), 3).ended, CoresEnd::NoLinks);
  const CoresResult dead_ends = extract_cores(graph_of_hosts(4, {}), 3);
  EXPECT_EQ(dead_ends.ended, CoresEnd::NoLinks);
  EXPECT_TRUE(dead_ends.cores.empty());
  const CoresResult single = extract_cores(graph_of_hosts(2, {{0, 1}}), 1);
  EXPECT_EQ(single.ended, CoresEnd::Count);
  ASSERT_EQ(single.cores.size(), 1);
}

// A component that HITS has almost lost next to a much larger one.
TEST(CoreExtraction, AWarmStartLosesNoPartOfTheGraph) {
  LinkPairs links;
  std::vector<Node> hubs;
  std::vector<Node> authorities;
  for (Node node = 0; node < 150; ++node) {
    hubs.push_back(node);
    authorities.push_back(150 + node);
  }
  add_complete(links, hubs, authorities);
  add_complete(links, {300, 301}, {302, 303});
  add_complete(links, {310}, {311});
  const CoresResult found = extract_cores(graph_of_hosts(320, links), 10);
  ASSERT_EQ(found.cores.size(), 3);
  EXPECT_EQ(found.cores[1].link_count, 4);
  EXPECT_EQ(found.cores[2].link_count, 1);
}

TEST(CoreExtraction, RefusesWhatMakesNoSense) {
  const Snapshot nameless = Snapshot::from_links(2, {{0, 1}});
  EXPECT_THROW(extract_cores(nameless, 1), Error);
  const Snapshot graph = graph_of_hosts(2, {{0, 1}});
  ExtractionOptions options;
  options.core.cover_density = 101;
  EXPECT_THROW(extract_cores(graph, 1, options), Error);
  options.core.cover_density = 100;
  options.hits_iterations = 0;
  EXPECT_THROW(extract_cores(graph, 1, options), Error);
  CancelToken cancel;
  cancel.cancel();
  options.hits_iterations = 60;
  options.work.cancel = &cancel;
  EXPECT_THROW(extract_cores(graph, 1, options), Error);
}

}  // namespace
}  // namespace webstrata
