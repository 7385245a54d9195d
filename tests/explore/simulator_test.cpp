// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/simulator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

const std::vector<Node> kSimulatorSeeds = {0, 1};

TEST(Simulator, CountsSeedsInTheValueButNotInTheBudget) {
  const SimulatedWeb web(Snapshot::from_links(4, {{0, 2}, {1, 3}}), {1, 2, 3, 0}, {});
  const ExploreRun run = explore(web, "bf", kSimulatorSeeds, {.budget = 1});
  EXPECT_EQ(run.seeds_value, 3);
  EXPECT_EQ(run.order, std::vector<Node>{2});
  EXPECT_EQ(run.values, std::vector<double>{6});
  EXPECT_EQ(run.ended, ExploreEnd::Budget);
  EXPECT_EQ(run.value_at(0), 3);
  EXPECT_EQ(run.value_at(99), 6);
}

TEST(Simulator, EndsWhereTheFrontierDoes) {
  const SimulatedWeb web(Snapshot::from_links(4, {{0, 2}}), {1, 2, 3, 0}, {});
  for (const EstimatorEntry& entry : estimators()) {
    const ExploreRun run = explore(web, entry.name, kSimulatorSeeds, {.budget = 1000});
    EXPECT_EQ(run.order, std::vector<Node>{2}) << entry.name;
    EXPECT_EQ(run.ended, ExploreEnd::EmptyFrontier);
  }
}

// A crawl of all pages finds everything, whatever the estimator; also if no page scores.
TEST(Simulator, FindsEverythingWithABudgetBeyondTheGraph) {
  for (const double scale : {1.0, 0.0}) {
    const SimulatedWeb drawn = scored_web(2, 80, true);
    std::vector<double> node_scores(drawn.node_scores().begin(), drawn.node_scores().end());
    std::vector<double> link_scores(drawn.link_scores().begin(), drawn.link_scores().end());
    for (double& score : node_scores) score *= scale;
    for (double& score : link_scores) score *= scale;
    const SimulatedWeb web(drawn.graph(), node_scores, link_scores);
    const ExploreRun all = explore(web, "bf", kSimulatorSeeds, {.budget = 500});
    for (const EstimatorEntry& entry : estimators()) {
      for (const std::uint64_t refresh : {1, 7}) {
        const ExploreRun run =
            explore(web, entry.name, kSimulatorSeeds, {.budget = 500, .refresh = refresh});
        EXPECT_EQ(run.order.size(), all.order.size()) << entry.name;
        EXPECT_NEAR(run.values.back(), all.values.back(), 1e-9) << entry.name;
        std::vector<Node> nodes = run.order;
        std::sort(nodes.begin(), nodes.end());
        EXPECT_EQ(std::unique(nodes.begin(), nodes.end()), nodes.end()) << entry.name;
      }
    }
  }
}

// The last batch is smaller where the refresh rate does not divide the budget.
TEST(Simulator, SpendsTheWholeBudgetInBatches) {
  const SimulatedWeb web = scored_web(3, 200);
  EXPECT_EQ(explore(web, "nh-n-sum", kSimulatorSeeds, {.budget = 25, .refresh = 10}).order.size(),
            25u);
}

TEST(Simulator, IsTheSameAgainWithTheSameSeed) {
  const SimulatedWeb web = scored_web(4, 300, true);
  for (const EstimatorEntry& entry : estimators()) {
    ExploreOptions options{.budget = 80};
    options.estimator.seed = 12;
    const auto once = explore(web, entry.name, kSimulatorSeeds, options).order;
    EXPECT_EQ(once, explore(web, entry.name, kSimulatorSeeds, options).order) << entry.name;
  }
}

// The square of the number of rich pages so far: it never decreases.
TEST(Simulator, TakesAnyMonotoneValue) {
  const SimulatedWeb web(Snapshot::from_links(4, {{0, 2}, {1, 3}}), {1, 2, 3, 0}, {});
  ExploreOptions options{.budget = 2};
  options.value = [] {
    return [rich = 0.0](Node, double score) mutable {
      rich += score > 1.5 ? 1 : 0;
      return rich * rich;
    };
  };
  EXPECT_EQ(explore(web, "bf", kSimulatorSeeds, options).values, (std::vector<double>{4, 4}));
  options.value = [] { return [](Node, double score) { return -score; }; };
  EXPECT_THROW(explore(web, "bf", kSimulatorSeeds, options), Error);
  options.value = count_of_scores;
  EXPECT_EQ(explore(web, "bf", kSimulatorSeeds, options).values, (std::vector<double>{3, 3}));
}

TEST(Simulator, RefusesWhatMakesNoSense) {
  const Snapshot graph = Snapshot::from_links(2, {{0, 1}});
  const SimulatedWeb web(graph, {1, 1}, {});
  EXPECT_THROW(explore(web, "bf", {}, {}), Error);
  EXPECT_THROW(explore(web, "bf", std::vector<Node>{2}, {}), Error);
  EXPECT_THROW(explore(web, "bf", std::vector<Node>{0}, {.refresh = 0}), Error);
  EXPECT_THROW(SimulatedWeb(graph, {1}, {}), Error);
  EXPECT_THROW(SimulatedWeb(graph, {1, std::nan("")}, {}), Error);
  EXPECT_THROW(SimulatedWeb(graph, {1, -1}, {}), Error);
  EXPECT_THROW(SimulatedWeb(graph, {1, 1}, {1, 2}), Error);
  EXPECT_THROW(set_function("mean"), Error);
}

TEST(Simulator, BudgetsAndCountsByTheirFormulas) {
  EXPECT_EQ(budget_of(300, 15 * 60, 7 * 86400), 201600u);  // Twitter for a week
  EXPECT_THROW(budget_of(1, 0, 1), Error);
  EXPECT_EQ(smoothed_count(0), 0);
  EXPECT_EQ(smoothed_count(1), 1);
  EXPECT_NEAR(smoothed_count(2), 1.6931471805599453, 1e-15);
}

}  // namespace
}  // namespace webstrata
