// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/study.h"

#include <gtest/gtest.h>

#include "tests/explore/scored_web.h"
#include "webstrata/explore/seed_sets.h"

namespace webstrata {
namespace {

TEST(Study, IsTheSameForAnyNumberOfThreads) {
  const SimulatedWeb web = scored_web(6, 400, true);
  const auto sets = draw_seed_sets(web.node_scores(), {.sets = 5, .size = 6});
  std::vector<std::string> names;
  for (const EstimatorEntry& entry : estimators()) names.emplace_back(entry.name);
  StudyOptions options{.budget = 60};
  options.work.threads = 1;
  const Study one = run_study(web, sets, contenders(names), options);
  options.work.threads = 4;
  const Study four = run_study(web, sets, contenders(names), options);
  for (std::size_t row = 0; row < names.size(); ++row) {
    for (std::size_t set = 0; set < sets.size(); ++set) {
      EXPECT_EQ(one.rows[row].crawls[set].sum, four.rows[row].crawls[set].sum) << names[row];
    }
  }
}

TEST(Study, MeasuresByTheOracleFromTheSameSeeds) {
  const SimulatedWeb web = scored_web(7, 300);
  const auto sets = draw_seed_sets(web.node_scores(), {.sets = 3, .size = 5});
  const Study study = run_study(web, sets, contenders({"oracle", "random"}), {.budget = 40});
  EXPECT_EQ(study.steps.back(), 40u);
  EXPECT_EQ(study.steps[study.point_at(0.05)], 2u);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    EXPECT_EQ(study.relative(study.rows[0], CrawlValue::Sum, set, study.point_at(1)), 1);
    const ExploreRun run = explore(web, "oracle", sets[set], {.budget = 40});
    EXPECT_NEAR(study.oracle.crawls[set].sum.back(), run.values.back() - run.seeds_value, 1e-9);
  }
  EXPECT_LT(study.mean_relative(study.rows[1], CrawlValue::Sum, study.point_at(1)), 1);
}

TEST(Study, BootstrapHoldsTheMeanDifferenceInItsInterval) {
  const std::vector<double> a = {3, 4, 5, 6};
  const std::vector<double> b = {1, 2, 3, 4};
  const PairedDifference same = paired_bootstrap(a, b);
  EXPECT_EQ(same.mean, 2);
  EXPECT_EQ(same.low, 2);
  EXPECT_EQ(same.high, 2);
  const std::vector<double> c = {2, 0, 5, 3};
  const PairedDifference noisy = paired_bootstrap(a, c);
  EXPECT_EQ(noisy.mean, 2);
  EXPECT_LT(noisy.low, 2);
  EXPECT_GT(noisy.high, 2);
}

}  // namespace
}  // namespace webstrata
