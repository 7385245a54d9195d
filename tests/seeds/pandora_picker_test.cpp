// SPDX-License-Identifier: Apache-2.0

// PANDORA against its rule written out: every reservation value recomputed for every choice.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/graph/random_graph.h"
#include "tests/seeds/named_graph.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {
namespace {

std::vector<Node> nodes_of(const SeedsResult& result) {
  std::vector<Node> nodes;
  for (const SeedCandidate& seed : result.seeds) nodes.push_back(seed.node);
  return nodes;
}

// Sites of ten pages, so that evidence has neighbours.
Snapshot sites(std::uint64_t seed, Node node_count) {
  Random random(seed);
  std::vector<std::string> names;
  for (Node node = 0; node < node_count; ++node) {
    names.push_back("http://s" + std::to_string(node / 10) + ".example/d" +
                    std::to_string(node / 5 % 2) + "/p" + std::to_string(node));
  }
  return with_names(random_graph(random, node_count, 4), names);
}

TEST(Pandora, EqualsTheRuleWrittenOut) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Snapshot graph = sites(seed, 120);
    const auto is_alive = [&](Node node) { return (node / 10 + seed) % 3 != 0; };
    SeedOptions options;
    options.count = 12;
    options.seed = seed;
    options.test = is_alive;
    options.pandora.coverage.set_count = 600;
    const SeedsResult result = choose_seeds(graph, "pandora", options);

    CoverageOptions coverage = options.pandora.coverage;
    coverage.seed = seed;
    CoverageSets sets = CoverageSets::draw(graph, seed_scores(graph, {}, 1e-5), coverage);
    GroupSurvival survival(graph);
    const double price = options.pandora.test_price * static_cast<double>(sets.total());
    std::set<Node> used;
    std::vector<Node> expected;
    while (expected.size() < 12) {
      std::optional<Node> best;
      double best_value = 0;
      for (Node node = 0; node < 120; ++node) {
        if (used.contains(node) || sets.gain(node) == 0) continue;
        const double value =
            static_cast<double>(sets.gain(node)) - price / survival.probability(node);
        if (!best || value > best_value) best = node, best_value = value;
      }
      ASSERT_TRUE(best);
      used.insert(*best);
      survival.learn(*best, is_alive(*best));
      if (!is_alive(*best)) continue;
      expected.push_back(*best);
      sets.cover(*best);
    }
    EXPECT_EQ(nodes_of(result), expected);
    EXPECT_EQ(result.tests, used.size());
  }
}

// Two indexes list the same thirty pages, a third lists ten others: the second index adds nothing.
TEST(Pandora, PrefersWhatIsNotCoveredYet) {
  LinkPairs links;
  for (Node page = 10; page < 40; ++page) links.insert(links.end(), {{0, page}, {1, page}});
  for (Node page = 40; page < 50; ++page) links.emplace_back(2, page);
  const SeedsResult result = choose_seeds(graph_of_hosts(50, links), "pandora", {.count = 2});
  EXPECT_EQ(nodes_of(result), (std::vector<Node>{0, 2}));
}

// A large site that died entirely, with the best pages by coverage, and a smaller one that lives.
TEST(Pandora, LearnsThatASiteIsDead) {
  std::vector<std::string> names;
  LinkPairs links;
  for (Node i = 0; i < 200; ++i) names.push_back("http://dead.example/" + std::to_string(i));
  for (Node i = 0; i < 100; ++i) names.push_back("http://live.example/" + std::to_string(i));
  for (Node i = 0; i < 100; ++i) {
    for (Node j = 100; j < 200; ++j) links.emplace_back(i, j);
  }
  for (Node i = 200; i < 210; ++i) {
    for (Node j = 210; j < 300; ++j) {
      if ((i + j) % 2 == 0) links.emplace_back(i, j);
    }
  }
  const Snapshot graph = with_names(Snapshot::from_links(300, links), names);
  SeedOptions options;
  options.count = 2;
  options.test = [](Node node) { return node >= 200; };
  const SeedsResult with_model = choose_seeds(graph, "pandora", options);
  EXPECT_EQ(with_model.seeds.size(), 2);
  EXPECT_LT(with_model.tests, 40);
  options.pandora.test_price = 0;
  const SeedsResult without = choose_seeds(graph, "pandora", options);
  EXPECT_GE(without.tests, 100);
}

// One seed reaches everything, and the best pages by PageRank that remain belong to a dead site.
TEST(Pandora, GoesOnByPageRankAndSurvivalWhenAllIsCovered) {
  std::vector<std::string> names = {"http://index.example/"};
  LinkPairs links;
  for (Node i = 0; i < 100; ++i) names.push_back("http://dead.example/" + std::to_string(i));
  for (Node i = 0; i < 40; ++i) names.push_back("http://live.example/" + std::to_string(i));
  for (Node i = 1; i <= 140; ++i) links.emplace_back(0, i);
  for (Node i = 1; i <= 100; ++i) links.emplace_back(i, i % 100 + 1);
  const Snapshot graph = with_names(Snapshot::from_links(141, links), names);
  SeedOptions options;
  options.count = 11;
  options.test = [](Node node) { return node == 0 || node > 100; };
  const SeedsResult result = choose_seeds(graph, "pandora", options);
  EXPECT_EQ(result.seeds.size(), 11U);
  EXPECT_LT(result.tests, 40U);
}

TEST(Pandora, TakesASurvivalModelFromOutside) {
  class OnlyOdd : public SurvivalModel {
   public:
    [[nodiscard]] double probability(Node node) override { return node % 2 == 1 ? 1 : 1e-9; }
    void learn(Node, bool) override { ++learnt; }
    int learnt = 0;
  };
  OnlyOdd model;
  SeedOptions options;
  options.count = 5;
  options.pandora.survival = &model;
  options.test = [](Node) { return true; };
  const SeedsResult result = choose_seeds(sites(3, 100), "pandora", options);
  for (const Node node : nodes_of(result)) EXPECT_EQ(node % 2, 1);
  EXPECT_EQ(model.learnt, 5);
}

}  // namespace
}  // namespace webstrata
