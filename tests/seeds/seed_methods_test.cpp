// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/seed_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "tests/graph/random_graph.h"
#include "tests/seeds/named_graph.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::vector<Node> nodes_of(const std::vector<SeedCandidate>& candidates) {
  std::vector<Node> nodes;
  for (const SeedCandidate& candidate : candidates) nodes.push_back(candidate.node);
  return nodes;
}

Snapshot drawn_graph(std::uint64_t seed, Node node_count) {
  Random random(seed);
  return graph_of_hosts(node_count, random_links(random, node_count, 6));
}

TEST(SeedMethods, EveryOneKeepsThePromises) {
  const Snapshot graph = drawn_graph(1, 200);
  const auto is_alive = [](Node node) { return node % 3 != 0; };
  for (const SeedMethod& method : seed_methods()) {
    SCOPED_TRACE(method.name);
    std::uint64_t calls = 0;
    SeedOptions options;
    options.count = 8;
    options.test = [&](Node node) {
      ++calls;
      return is_alive(node);
    };
    const SeedsResult result = choose_seeds(graph, method.name, options);
    EXPECT_EQ(result.seeds.size(), 8);
    EXPECT_EQ(result.ended, SeedsEnd::Count);
    EXPECT_EQ(result.tests, calls);
    EXPECT_EQ(result.tests, result.seeds.size() + result.vanished.size());
    std::set<Node> all;
    for (const SeedCandidate& seed : result.seeds) {
      EXPECT_TRUE(is_alive(seed.node));
      EXPECT_FALSE(seed.why.empty());
      all.insert(seed.node);
    }
    for (const SeedCandidate& seed : result.vanished) {
      EXPECT_FALSE(is_alive(seed.node));
      all.insert(seed.node);
    }
    EXPECT_EQ(all.size(), result.tests);  // no page twice
    EXPECT_EQ(std::set<Node>(result.candidates.begin(), result.candidates.end()), all);
    EXPECT_EQ(result.candidates.size(), result.tests);
    std::vector<Node> alive;
    std::ranges::copy_if(result.candidates, std::back_inserter(alive), is_alive);
    EXPECT_EQ(alive, nodes_of(result.seeds));  // in the order of choice
    const SeedsResult again = choose_seeds(graph, method.name, options);
    EXPECT_EQ(nodes_of(again.seeds), nodes_of(result.seeds));
    EXPECT_EQ(method.name == "cores", !result.cores.empty());
  }
}

TEST(SeedMethods, AllPagesCanBeAskedFor) {
  const Snapshot graph = drawn_graph(2, 60);
  for (const SeedMethod& method : seed_methods()) {
    if (method.name == "cores") continue;  // ends when no links are left
    const SeedsResult result = choose_seeds(graph, method.name, {.count = 60});
    std::vector<Node> nodes = nodes_of(result.seeds);
    std::ranges::sort(nodes);
    ASSERT_EQ(nodes.size(), 60) << method.name;
    for (Node node = 0; node < 60; ++node) EXPECT_EQ(nodes[node], node) << method.name;
  }
}

TEST(SeedMethods, EndWhenTestsOrCandidatesRunOut) {
  const Snapshot graph = drawn_graph(3, 50);
  for (const SeedMethod& method : seed_methods()) {
    SeedOptions options;
    options.count = 5;
    options.test = [](Node) { return false; };
    const SeedsResult none = choose_seeds(graph, method.name, options);
    EXPECT_EQ(none.ended, SeedsEnd::NoCandidates) << method.name;
    EXPECT_TRUE(none.seeds.empty());
    options.tests_max = 3;
    const SeedsResult few = choose_seeds(graph, method.name, options);
    EXPECT_EQ(few.ended, SeedsEnd::Tests) << method.name;
    EXPECT_EQ(few.tests, 3);
  }
}

TEST(SeedMethods, DeadEndsAndSingleLinksEnd) {
  for (const SeedMethod& method : seed_methods()) {
    const SeedsResult dead = choose_seeds(graph_of_hosts(4, {}), method.name, {.count = 2});
    if (method.name == "cores") {
      EXPECT_EQ(dead.ended, SeedsEnd::NoCandidates);
      EXPECT_TRUE(dead.seeds.empty());
    } else {
      EXPECT_EQ(dead.seeds.size(), 2) << method.name;
    }
    const Snapshot one_link = graph_of_hosts(2, {{0, 1}});
    EXPECT_EQ(choose_seeds(one_link, method.name, {.count = 1}).seeds.size(), 1) << method.name;
  }
}

TEST(SeedMethods, RefuseWhatMakesNoSense) {
  const Snapshot graph = drawn_graph(4, 20);
  for (const SeedMethod& method : seed_methods()) {
    EXPECT_THROW(choose_seeds(graph, method.name, {.count = 21}), Error) << method.name;
    EXPECT_THROW(choose_seeds(graph, method.name, {.count = 0}), Error) << method.name;
    EXPECT_THROW(choose_seeds(Snapshot(), method.name, {.count = 1}), Error) << method.name;
    const std::vector<double> short_scores = {1};
    SeedOptions options;
    options.pagerank = short_scores;
    EXPECT_THROW(choose_seeds(graph, method.name, options), Error) << method.name;
  }
  EXPECT_THROW(choose_seeds(graph, "luck", {}), Error);
  SeedOptions dear;
  dear.pandora.test_price = 1;
  EXPECT_THROW(choose_seeds(graph, "pandora", dear), Error);
  SeedOptions dense;
  dense.extraction.core.cover_density = 0;
  EXPECT_THROW(choose_seeds(graph, "cores", dense), Error);
}

TEST(SeedMethods, OrdersAreByScoreThenNode) {
  const Snapshot graph =
      graph_of_hosts(5, {{3, 0}, {3, 1}, {1, 0}, {2, 0}, {4, 1}, {4, 2}, {4, 3}});
  EXPECT_EQ(nodes_of(choose_seeds(graph, "outdegree", {.count = 5}).seeds),
            (std::vector<Node>{4, 3, 1, 2, 0}));
  const std::vector<double> scores = {0.1, 0.3, 0.3, 0.2, 0.1};
  SeedOptions options;
  options.count = 5;
  options.pagerank = scores;
  EXPECT_EQ(nodes_of(choose_seeds(graph, "pagerank", options).seeds),
            (std::vector<Node>{1, 2, 3, 0, 4}));
}

TEST(SeedMethods, RandomDependsOnItsSeed) {
  const Snapshot graph = drawn_graph(5, 500);
  const auto first = nodes_of(choose_seeds(graph, "random", {.count = 20, .seed = 1}).seeds);
  const auto second = nodes_of(choose_seeds(graph, "random", {.count = 20, .seed = 2}).seeds);
  EXPECT_NE(first, second);
}

// Greedy written out: every gain recounted for every choice.
TEST(SeedMethods, MaxOutEqualsSlowGreedy) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Snapshot graph = drawn_graph(seed, 80);
    const auto is_alive = [&](Node node) { return (node + seed) % 4 != 0; };
    SeedOptions options;
    options.count = 15;
    options.test = is_alive;
    const SeedsResult result = choose_seeds(graph, "maxout", options);
    std::set<Node> covered;
    std::set<Node> used;
    std::vector<Node> expected;
    while (expected.size() < 15) {
      std::optional<Node> best;
      std::size_t best_gain = 0;
      for (Node node = 0; node < 80; ++node) {
        if (used.contains(node)) continue;
        std::size_t gain = 0;
        for (const Node target : graph.successors(node)) gain += covered.contains(target) ? 0 : 1;
        if (!best || gain > best_gain) best = node, best_gain = gain;
      }
      used.insert(*best);
      if (!is_alive(*best)) continue;
      expected.push_back(*best);
      covered.insert(*best);
      for (const Node target : graph.successors(*best)) covered.insert(target);
    }
    EXPECT_EQ(nodes_of(result.seeds), expected);
  }
}

TEST(SeedMethods, CoresGiveHubsOfDifferentCores) {
  LinkPairs links;
  add_complete(links, {0, 1, 2, 3}, {4, 5, 6});
  add_complete(links, {10, 11, 12}, {13, 14});
  const Snapshot graph = graph_of_hosts(20, links);
  SeedOptions options;
  options.count = 2;
  options.hub_choice = HubChoice::Top;
  const SeedsResult top = choose_seeds(graph, "cores", options);
  ASSERT_EQ(top.cores.size(), 2);
  EXPECT_EQ(top.seeds[0].node, top.cores[0].hubs[0]);
  EXPECT_EQ(top.seeds[1].node, top.cores[1].hubs[0]);
  options.hub_choice = HubChoice::Random;
  std::set<Node> seen;
  for (options.seed = 0; options.seed < 40; ++options.seed) {
    const SeedsResult result = choose_seeds(graph, "cores", options);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NE(std::ranges::find(result.cores[i].hubs, result.seeds[i].node),
                result.cores[i].hubs.end());
      seen.insert(result.seeds[i].node);
    }
  }
  EXPECT_EQ(seen.size(), 7);  // every hub had its turn
}

TEST(SeedMethods, NamesThatWereNeverCapturedAreNoSeeds) {
  NodeColumns columns;
  columns.captures = Column<std::uint32_t>(std::vector<std::uint32_t>{1, 0, 0, 1});
  const Snapshot graph = graph_of_hosts(4, {{0, 1}, {0, 2}, {3, 2}}).with_node_columns(columns);
  for (const SeedMethod& method : seed_methods()) {
    std::vector<Node> nodes = nodes_of(choose_seeds(graph, method.name, {.count = 1}).seeds);
    ASSERT_EQ(nodes.size(), 1) << method.name;
    EXPECT_TRUE(nodes[0] == 0 || nodes[0] == 3) << method.name;
    EXPECT_THROW(choose_seeds(graph, method.name, {.count = 3}), Error);
  }
}

}  // namespace
}  // namespace webstrata
