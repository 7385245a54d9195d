// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/correlations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/explore/scored_web.h"

namespace webstrata {
namespace {

// Four pages with one parent each, whose scores are half of theirs: a perfect fit inward.
TEST(Correlations, ALineIsFittedByAll) {
  const auto graph = Snapshot::from_links(8, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  const SimulatedWeb web(graph, {2, 4, 6, 9, 1, 2, 3, 4.5}, {});
  const auto fits = feature_fits(web);
  ASSERT_EQ(fits.size(), 2u);
  EXPECT_EQ(fits[0].direction, "in");
  EXPECT_NEAR(fits[0].correlations[0], 1, 1e-12);
  EXPECT_NEAR(fits[0].correlations[3], 1, 1e-12);
  EXPECT_TRUE(std::isnan(fits[0].correlations[1]));  // links never score
  EXPECT_NEAR(fits[0].fit_sum, 1, 1e-6);
  EXPECT_NEAR(fits[1].fit_max, 1, 1e-6);
}

// By hand: x = 1, 2, 3 and y = 1, 3, 2: r = 1/2, R^2 = 1/4.
TEST(Correlations, PearsonByHand) {
  const auto graph = Snapshot::from_links(6, {{0, 3}, {1, 4}, {2, 5}});
  const SimulatedWeb web(graph, {1, 2, 3, 1, 3, 2}, {});
  const auto fits = feature_fits(web);
  EXPECT_NEAR(fits[0].correlations[0], 0.5, 1e-12);
  EXPECT_NEAR(fits[0].fit_sum, 0.25, 1e-6);
}

TEST(Correlations, NothingIsSaidAboutNothing) {
  const SimulatedWeb web(Snapshot::from_links(3, {{0, 1}, {0, 2}}), {0, 0, 0}, {});
  const auto fits = feature_fits(web);
  EXPECT_TRUE(std::isnan(fits[0].correlations[0]));
  EXPECT_TRUE(std::isnan(fits[0].fit_sum));
}

}  // namespace
}  // namespace webstrata
