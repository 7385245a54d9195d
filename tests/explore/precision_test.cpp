// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/precision.h"

#include <gtest/gtest.h>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// a -> b, c; b -> d. Scores 0, 2, 1, 5. The oracle takes b (2), d (5), c (1). An estimator that
// takes the page seen first takes b, then c (1 instead of 5), then c.
TEST(Precision, LossesByHand) {
  const SimulatedWeb web(Snapshot::from_links(4, {{0, 1}, {0, 2}, {1, 3}}), {0, 2, 1, 5}, {});
  const std::vector<Node> seeds = {0};
  const auto contest = contenders({"oracle", "bf"});
  const auto curves = precision_on_oracle_crawl(web, seeds, contest, 10, 1);
  EXPECT_EQ(curves[0].losses, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(curves[1].losses, (std::vector<double>{0, 4, 0}));
  const auto means = precision_on_oracle_crawl(web, seeds, contest, 10, 2);
  EXPECT_EQ(means[1].losses, (std::vector<double>{0, 2, 2}));
  EXPECT_THROW(precision_on_oracle_crawl(web, seeds, contest, 10, 0), Error);
}

}  // namespace
}  // namespace webstrata
