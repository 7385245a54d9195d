#include "webstrata/explore/recrawl_plan.h"

#include <cmath>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(RecrawlPlan, KnownPagesCompeteWithNewOnes) {
  // 2 (1 - e^-1) = 1.26; a page seen today and one that never changes are worth nothing.
  const std::vector<SeenPage> known = {
      {0, {2, 0.1}, 10}, {1, {5, 0.1}, 0}, {2, {9, 0}, 100}, {3, {1, 1}, 50}};
  const std::vector<NewPage> frontier = {{7, 1.5}, {8, 0.2}, {9, 0}};
  const auto plan = plan_fetches(known, frontier, 3);
  ASSERT_EQ(plan.size(), 3U);
  EXPECT_EQ(plan[0], (PlannedFetch{7, 1.5, true}));
  EXPECT_EQ(plan[1].node, 0U);
  EXPECT_NEAR(plan[1].worth, 2 * (1 - std::exp(-1.0)), 1e-12);
  EXPECT_FALSE(plan[1].is_new);
  EXPECT_EQ(plan[2].node, 3U);
  EXPECT_EQ(plan_fetches(known, frontier, 100).size(), 4U);
  EXPECT_TRUE(plan_fetches({}, {}, 10).empty());
}

TEST(RecrawlPlan, AtEqualWorthNewPagesComeFirst) {
  const auto plan = plan_fetches({}, std::vector<NewPage>{{5, 1}, {4, 1}}, 9);
  EXPECT_EQ(plan[0].node, 4U);
  const std::vector<SeenPage> known = {{1, {1, 1e9}, 1e9}};
  EXPECT_TRUE(plan_fetches(known, std::vector<NewPage>{{5, 1}}, 9)[0].is_new);
}

}  // namespace
}  // namespace webstrata
