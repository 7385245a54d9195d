// SPDX-License-Identifier: Apache-2.0

// Personalised PageRank: in batches as one by one, and pushed within its own bound.

#include "webstrata/rank/ppr.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"
#include "tests/rank/slow_pagerank.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(PersonalisedPageRanks, EqualOneByOne) {
  Random random(1);
  const auto graph = random_graph(random, 400);
  for (const std::size_t count : {1u, 2u, 3u, 5u, 7u, 8u, 9u, 17u}) {
    std::vector<std::vector<double>> preferences;
    for (std::size_t i = 0; i < count; ++i) {
      preferences.push_back(random_distribution(random, graph.node_count()));
    }
    for (const DeadEnds dead_ends : {DeadEnds::Uniform, DeadEnds::Preference, DeadEnds::Drop}) {
      const auto all = personalised_pageranks(graph, preferences, {.dead_ends = dead_ends});
      ASSERT_EQ(all.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto one = pagerank(graph, {.preference = preferences[i], .dead_ends = dead_ends});
        EXPECT_LE(distance(all[i], one.scores), 2e-9);
      }
    }
  }
}

TEST(PersonalisedPageRanks, RefuseWhatMakesNoSense) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const std::vector<double> half(2, 0.5);
  EXPECT_TRUE(personalised_pageranks(graph, {}).empty());
  EXPECT_THROW(personalised_pageranks(graph, {{0.5, 0.6}}), Error);
  EXPECT_THROW(personalised_pageranks(graph, {{1}}), Error);
  EXPECT_THROW(personalised_pageranks(graph, {half}, {.preference = half}), Error);
  EXPECT_THROW(personalised_pageranks(graph, {half}, {.start = half}), Error);
}

// Sources are added one after the other; after each, the bound holds against the exact scores of
// all of them, and no score is above its exact one.
TEST(PushPageRank, GrowsWithinItsBound) {
  for (const bool weighted : {false, true}) {
    Random random(2);
    const auto graph = random_graph(random, 300);
    std::vector<double> weights(graph.link_count());
    for (double& weight : weights) weight = random.chance(0.3) ? 0 : random.unit();
    PushOptions options{.epsilon = 1e-6};
    if (weighted) options.link_weights = weights;
    PushPageRank pushed(graph, options);
    std::vector<double> sources(graph.node_count());
    double amounts = 0;
    for (int i = 0; i < 20; ++i) {
      const auto source = static_cast<Node>(random.below(graph.node_count()));
      const double amount = 0.1 + random.unit();
      pushed.add(source, amount);
      sources[source] += amount;
      amounts += amount;
      std::vector<double> preference = sources;
      for (double& value : preference) value /= amounts;
      PageRankOptions exact_options{.preference = preference, .dead_ends = DeadEnds::Drop};
      if (weighted) exact_options.link_weights = weights;
      auto exact = slow_pagerank(graph, exact_options);
      for (double& score : exact) score *= amounts;
      ASSERT_LE(distance(pushed.scores(), exact), pushed.residual() + 1e-12);
      ASSERT_LE(pushed.residual(),
                1e-6 * static_cast<double>(graph.link_count() + graph.node_count()));
      for (std::size_t node = 0; node < exact.size(); ++node) {
        ASSERT_LE(pushed.scores()[node], exact[node] + 1e-12);
      }
    }
  }
}

// The work depends on epsilon, not on the size of the graph: a ring of any length costs the same.
TEST(PushPageRank, WorkDoesNotGrowWithTheGraph) {
  const auto visits = [](Node nodes) {
    LinkList links;
    for (Node node = 0; node < nodes; ++node) links.emplace_back(node, (node + 1) % nodes);
    PushPageRank pushed(Snapshot::from_links(nodes, links), {.epsilon = 1e-3});
    pushed.add(0);
    return pushed.link_visits();
  };
  EXPECT_EQ(visits(1000), visits(50000));
}

TEST(PushPageRank, RefusesWhatMakesNoSense) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const std::vector<double> three(3, 1);
  EXPECT_THROW(PushPageRank(graph, {.damping = 1}), Error);
  EXPECT_THROW(PushPageRank(graph, {.epsilon = 0}), Error);
  EXPECT_THROW(PushPageRank(graph, {.link_weights = three}), Error);
  PushPageRank pushed(graph);
  EXPECT_THROW(pushed.add(2), Error);
  EXPECT_THROW(pushed.add(0, -1), Error);
  EXPECT_THROW(pushed.add(0, std::nan("")), Error);
}

}  // namespace
}  // namespace webstrata
