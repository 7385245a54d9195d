// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/core_distances.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/graph/random_graph.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kNoWay = 1000000;

BipartiteCore core_with(std::vector<Node> hubs, std::vector<Node> authorities) {
  BipartiteCore core;
  core.hubs = std::move(hubs);
  core.authorities = std::move(authorities);
  return core;
}

std::vector<std::vector<std::uint32_t>> floyd_warshall(const Snapshot& graph) {
  const std::size_t n = graph.node_count();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, kNoWay));
  for (Node i = 0; i < n; ++i) {
    for (const Node j : graph.successors(i)) d[i][j] = 1;
    d[i][i] = 0;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

TEST(CoreDistances, EqualFloydWarshall) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph = random_graph(random, 80, 2);
    const auto expected = floyd_warshall(graph);
    std::vector<BipartiteCore> cores;
    for (Node node = 0; node + 4 <= 40; node += 4) {
      cores.push_back(core_with({node, node + 1}, {node + 2, node + 3}));
    }
    const CoreDistances found = core_distances(graph, cores);
    double total = 0;
    std::uint64_t pairs = 0;
    std::uint32_t nearest = kNoWay;
    std::uint32_t farthest = 0;
    std::vector<double> gap_totals(cores.size());
    std::vector<std::uint64_t> gap_pairs(cores.size());
    std::vector<std::uint32_t> gap_nearest(cores.size(), kNoWay);
    std::vector<std::uint32_t> gap_farthest(cores.size());
    for (std::size_t i = 0; i < cores.size(); ++i) {
      for (std::size_t j = 0; j < cores.size(); ++j) {
        std::uint32_t shortest = kNoWay;
        for (std::size_t a = 4 * i; a < 4 * i + 4; ++a) {
          for (std::size_t b = 4 * j; b < 4 * j + 4; ++b) {
            shortest = std::min(shortest, expected[a][b]);
          }
        }
        EXPECT_EQ(found.at(i, j).value_or(kNoWay), shortest);
        if (i == j || shortest == kNoWay) continue;
        total += shortest;
        ++pairs;
        nearest = std::min(nearest, shortest);
        farthest = std::max(farthest, shortest);
        const std::size_t gap = i > j ? i - j : j - i;
        gap_totals[gap] += shortest;
        ++gap_pairs[gap];
        gap_nearest[gap] = std::min(gap_nearest[gap], shortest);
        gap_farthest[gap] = std::max(gap_farthest[gap], shortest);
      }
    }
    EXPECT_EQ(found.connected_pairs, pairs);
    if (pairs == 0) continue;
    EXPECT_DOUBLE_EQ(*found.mean, total / static_cast<double>(pairs));
    EXPECT_EQ(found.nearest, nearest);
    EXPECT_EQ(found.farthest, farthest);
    ASSERT_EQ(found.by_gap.size(), cores.size() - 1);
    for (std::size_t gap = 1; gap < cores.size(); ++gap) {
      EXPECT_EQ(found.by_gap[gap - 1].pairs, 2 * (cores.size() - gap));
      EXPECT_EQ(found.by_gap[gap - 1].connected_pairs, gap_pairs[gap]);
      if (gap_pairs[gap] > 0) {
        EXPECT_DOUBLE_EQ(found.by_gap[gap - 1].mean,
                         gap_totals[gap] / static_cast<double>(gap_pairs[gap]));
        EXPECT_EQ(found.by_gap[gap - 1].nearest, gap_nearest[gap]);
        EXPECT_EQ(found.by_gap[gap - 1].farthest, gap_farthest[gap]);
      }
    }
  }
}

TEST(CoreDistances, AreDirected) {
  const Snapshot graph = Snapshot::from_links(5, {{0, 4}, {4, 2}});
  const std::vector<BipartiteCore> cores = {core_with({0}, {1}), core_with({2}, {3})};
  const CoreDistances found = core_distances(graph, cores);
  EXPECT_EQ(found.at(0, 1), 2);
  EXPECT_FALSE(found.at(1, 0));
  EXPECT_EQ(found.connected_pairs, 1);
}

TEST(CoreDistances, OfNoCoresOrOne) {
  EXPECT_EQ(core_distances(Snapshot(), {}).core_count, 0);
  const std::vector<BipartiteCore> one = {core_with({0}, {1})};
  const CoreDistances found = core_distances(Snapshot::from_links(2, {{0, 1}}), one);
  EXPECT_FALSE(found.mean);
  EXPECT_TRUE(found.by_gap.empty());
}

}  // namespace
}  // namespace webstrata
