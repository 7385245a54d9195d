// SPDX-License-Identifier: Apache-2.0
#include "webstrata/liverank/measures.h"
#include "webstrata/liverank/cumulative.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace webstrata {
namespace {

using Answers = std::vector<std::uint8_t>;

Answers answers(std::size_t first_value, std::uint8_t value, std::size_t rest) {
  Answers all(first_value, value);
  all.insert(all.end(), rest, value == 0 ? 1 : 0);
  return all;
}

// An ideal order costs 1, up to ceil(alpha·n_a) / (alpha·n_a).
TEST(Cost, OfAPerfectOrderIsOne) {
  const Curve curve(answers(40, 1, 60));
  for (const double alpha : {0.1, 0.2, 0.5, 0.8, 0.95, 1.0}) {
    EXPECT_DOUBLE_EQ(*curve.cost(alpha, 40), std::ceil(alpha * 40 - 1e-9) / (alpha * 40));
  }
  EXPECT_NEAR(*curve.area(40), 1, 0.08);
}

TEST(Cost, OfTheWorstOrderIsItsFormula) {
  const Curve curve(answers(60, 0, 40));
  for (const double alpha : {0.1, 0.33, 0.5, 1.0}) {
    const double needed = std::ceil(alpha * 40 - 1e-9);
    EXPECT_DOUBLE_EQ(*curve.cost(alpha, 40), (60 + needed) / (alpha * 40));
  }
}

// cost(alpha) = 1 / f(i(alpha)) when alpha·n_a is an integer.
TEST(Efficiency, IsOneOverCost) {
  const Answers live = {1, 0, 0, 1, 1, 0, 1, 0, 0, 0};
  const Curve curve(live);
  EXPECT_DOUBLE_EQ(curve.efficiency(1), 1);
  EXPECT_DOUBLE_EQ(curve.efficiency(5), 3.0 / 5);
  EXPECT_EQ(curve.found_after(6), 3U);
  EXPECT_DOUBLE_EQ(*curve.cost(0.75, 4), 1 / curve.efficiency(5));
  EXPECT_DOUBLE_EQ(*curve.cost(1, 4), 1 / curve.efficiency(7));
}

TEST(Cost, IsMissingWhereTheOrderEndedBefore) {
  const Curve curve(Answers{1, 0, 1});
  EXPECT_TRUE(curve.cost(0.5, 4));
  EXPECT_FALSE(curve.cost(0.75, 4));
  EXPECT_FALSE(curve.area(4));
  EXPECT_FALSE(curve.cost(0.5, 0));
  EXPECT_FALSE(Curve().cost(0.5, 3));
}

TEST(Cost, NeedsThreeOfThirtyForATenth) {
  EXPECT_EQ(live_needed(0.1, 30), 3U);
  EXPECT_EQ(live_needed(0.1, 31), 4U);
  EXPECT_EQ(live_needed(0.001, 5), 1U);
}

// Wilson 1927, by hand for 50 of 100 draws and a whole that is very large: 0.5 ± 0.0962.
TEST(Estimate, HasWilsonsInterval) {
  const Estimate found = estimate_live(100'000'000, 100, 50);
  EXPECT_DOUBLE_EQ(found.value, 5e7);
  EXPECT_NEAR(found.low, 1e8 * 0.40383, 2e3);
  EXPECT_NEAR(found.high, 1e8 * 0.59617, 2e3);
}

TEST(Estimate, IsExactWhenAllWereTestedAndOpenWhenNoneWere) {
  const Estimate all = estimate_live(10, 10, 3);
  EXPECT_EQ(all.low, 3);
  EXPECT_EQ(all.high, 3);
  const Estimate none = estimate_live(10, 0, 0);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 10);
}

// At least what was found, at most what was not found dead.
TEST(Estimate, NeverContradictsWhatWasSeen) {
  for (std::uint64_t tested = 1; tested < 30; ++tested) {
    for (std::uint64_t live = 0; live <= tested; ++live) {
      const Estimate found = estimate_live(30, tested, live);
      EXPECT_GE(found.low, static_cast<double>(live));
      EXPECT_LE(found.high, static_cast<double>(30 - (tested - live)));
      EXPECT_LE(found.low, found.high);
    }
  }
}

TEST(Cumulative, HasAPointForEachValue) {
  EXPECT_EQ(cumulative({3, 1, 1, 2}), (std::vector<CumulativePoint>{{1, 0.5}, {2, 0.75}, {3, 1}}));
  EXPECT_TRUE(cumulative({}).empty());
}

TEST(Cumulative, IsThinnedButKeepsBothEnds) {
  std::vector<double> values;
  for (int i = 0; i < 10000; ++i) values.push_back(i);
  const auto points = cumulative(values, 50);
  EXPECT_LE(points.size(), 52U);
  EXPECT_EQ(points.front().value, 0);
  EXPECT_EQ(points.back(), (CumulativePoint{9999, 1}));
}

// Live pages lie together: every n/z-th page then says more than as many random ones, and the
// interval knows. It must still contain the truth in at least 95 % of the samples.
TEST(Estimates, OfSystematicSamplesAreAsPreciseAsTheyAre) {
  constexpr std::uint64_t kPages = 20'000;
  constexpr std::uint64_t kTested = 400;
  for (const std::uint64_t run_length : {1U, 500U}) {
    Random random(run_length);
    std::vector<std::uint8_t> live(kPages);
    for (std::uint64_t first = 0; first < kPages; first += run_length) {
      const std::uint8_t value = random.chance(0.4) ? 1 : 0;
      std::fill_n(live.begin() + static_cast<std::ptrdiff_t>(first), run_length, value);
    }
    const auto truth = static_cast<double>(std::ranges::count(live, 1));
    constexpr std::uint64_t kStep = kPages / kTested;
    std::uint64_t covered = 0;
    double ratio = 0;
    for (std::uint64_t start = 0; start < kStep; ++start) {
      std::vector<std::uint8_t> answers;
      for (std::uint64_t page = start; page < kPages; page += kStep) answers.push_back(live[page]);
      const Estimate found = estimate_live_systematic(kPages, answers);
      const auto hits = static_cast<std::uint64_t>(std::ranges::count(answers, 1));
      const Estimate random_one = estimate_live(kPages, kTested, hits);
      covered += found.low <= truth && truth <= found.high ? 1 : 0;
      ratio += (found.high - found.low) / (random_one.high - random_one.low) / kStep;
    }
    EXPECT_GE(covered, kStep * 9 / 10) << run_length;
    EXPECT_NEAR(ratio, run_length == 1 ? 1 : 0.5, 0.08);
  }
}

}  // namespace
}  // namespace webstrata
