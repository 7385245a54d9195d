// SPDX-License-Identifier: Apache-2.0

// Harmonic centrality against a search from every node, and what sampling promises.

#include "webstrata/rank/centrality.h"

#include <queue>

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"

namespace webstrata {
namespace {

std::vector<double> slow_harmonic(const Snapshot& graph) {
  std::vector<double> scores(graph.node_count());
  for (Node source = 0; source < graph.node_count(); ++source) {
    std::vector<int> distance(graph.node_count(), -1);
    std::queue<Node> waiting;
    waiting.push(source);
    distance[source] = 0;
    for (; !waiting.empty(); waiting.pop()) {
      const Node node = waiting.front();
      if (node != source) scores[node] += 1.0 / distance[node];
      for (const Node target : graph.successors(node)) {
        if (distance[target] >= 0) continue;
        distance[target] = distance[node] + 1;
        waiting.push(target);
      }
    }
  }
  return scores;
}

TEST(Harmonic, MatchesTheHandSolvedPath) {
  const auto near = harmonic_centrality(Snapshot::from_links(4, {{0, 1}, {1, 2}, {2, 2}}));
  EXPECT_EQ(near.scores, (std::vector<double>{0, 1, 1.5, 0}));
  EXPECT_EQ(near.error_bound, 0);
  EXPECT_TRUE(harmonic_centrality(Snapshot()).scores.empty());
}

TEST(Harmonic, EqualsASearchFromEveryNode) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const auto graph = random_graph(random, 50 + static_cast<Node>(random.below(300)), 4);
    const auto slow = slow_harmonic(graph);
    const auto near = harmonic_centrality(graph);
    for (Node node = 0; node < graph.node_count(); ++node) {
      ASSERT_NEAR(near.scores[node], slow[node], 1e-9) << "seed " << seed;
    }
  }
}

// A long path makes every level a push, a dense graph every level a pull.
TEST(Harmonic, LongPathsTakeNoPassOverAllLinksPerLevel) {
  LinkList links;
  for (Node node = 0; node + 1 < 3000; ++node) links.emplace_back(node, node + 1);
  const auto near = harmonic_centrality(Snapshot::from_links(3000, links));
  double expected = 0;
  for (int distance = 1; distance < 3000; ++distance) expected += 1.0 / distance;
  EXPECT_NEAR(near.scores[2999], expected, 1e-9);
}

TEST(Harmonic, SamplesStayWithinTheirError) {
  Random random(6);
  const auto graph = random_graph(random, 2000);
  const auto exact = harmonic_centrality(graph);
  const auto sampled = harmonic_centrality(graph, {.samples = 400, .seed = 3});
  EXPECT_EQ(sampled.samples, 400u);
  EXPECT_GT(sampled.error_bound, 0);
  std::size_t outside = 0;
  for (Node node = 0; node < 2000; ++node) {
    outside += std::abs(sampled.scores[node] - exact.scores[node]) > sampled.error_bound;
  }
  EXPECT_LE(outside, 100u);  // 5 % of 2,000
  EXPECT_EQ(sampled.scores, harmonic_centrality(graph, {.samples = 400, .seed = 3}).scores);
  EXPECT_NE(sampled.scores, harmonic_centrality(graph, {.samples = 400, .seed = 4}).scores);
  EXPECT_EQ(exact.scores, harmonic_centrality(graph, {.samples = 9999}).scores);
}

// Hoeffding: a mean of k draws from [0, 1] is off by more than t with probability at most
// 2 exp(-2 k t²); with 5 %, k = 400 and 2,000 nodes by hand: 2000 · √(ln 40 / 800) = 135.81.
TEST(Harmonic, TheErrorIsHoeffdings) {
  Random random(6);
  const auto sampled = harmonic_centrality(random_graph(random, 2000), {.samples = 400});
  EXPECT_NEAR(sampled.error_bound, 135.81, 0.01);
}

TEST(Harmonic, SameBitsForAnyNumberOfThreads) {
  Random random(7);
  const auto graph = random_graph(random, 20000);
  const auto one = harmonic_centrality(graph, {.samples = 100, .work = {.threads = 1}});
  EXPECT_EQ(one.scores,
            harmonic_centrality(graph, {.samples = 100, .work = {.threads = 3}}).scores);
}

TEST(Degrees, CountLinks) {
  const auto graph = Snapshot::from_links(3, {{0, 1}, {0, 2}, {2, 2}});
  EXPECT_EQ(in_degrees(graph), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(out_degrees(graph), (std::vector<double>{2, 0, 1}));
}

}  // namespace
}  // namespace webstrata
