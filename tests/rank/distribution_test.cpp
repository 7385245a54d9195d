// SPDX-License-Identifier: Apache-2.0
#include "webstrata/rank/distribution.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

TEST(Tail, CountsWhatIsAtLeastAsHigh) {
  const std::vector<double> scores = {1, 3, 2, 3, 0, 1};
  EXPECT_EQ(tail_of(scores), (std::vector<TailPoint>{{3, 2}, {2, 3}, {1, 5}, {0, 6}}));
  EXPECT_TRUE(tail_of({}).empty());
  EXPECT_EQ(tail_of(std::vector<double>{7, 7}), (std::vector<TailPoint>{{7, 2}}));
}

// Every point that is left is one of the full count; the ends stay, and no gap is wide.
TEST(Tail, OfManyScoresKeepsAFewTruePoints) {
  Random random(5);
  std::vector<double> scores(20000);
  for (double& score : scores) score = 1 / (1e-6 + random.unit());
  const auto points = tail_of(scores, 100);
  EXPECT_LE(points.size(), 102u);
  EXPECT_GT(points.size(), 50u);
  for (const TailPoint& point : points) {
    EXPECT_EQ(point.nodes, static_cast<std::uint64_t>(std::ranges::count_if(
                               scores, [&](double score) { return score >= point.score; })));
  }
  EXPECT_EQ(points.front().score, *std::ranges::max_element(scores));
  EXPECT_EQ(points.back().score, *std::ranges::min_element(scores));
  for (std::size_t i = 11; i + 1 < points.size(); ++i) {  // the first counts are whole numbers
    EXPECT_LT(static_cast<double>(points[i].nodes),
              1.25 * static_cast<double>(points[i - 1].nodes));
  }
}

}  // namespace
}  // namespace webstrata
