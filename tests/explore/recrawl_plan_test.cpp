#include "webstrata/explore/recrawl_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// The worth of a plan by its definition.
double worth_of(std::span<const RecrawlPage> known, std::span<const double> expected,
                std::size_t new_pages, std::span<const double> visits, double days) {
  double worth = 0;
  for (std::size_t i = 0; i < new_pages; ++i) worth += expected[i];
  for (std::size_t i = 0; i < known.size(); ++i) {
    const double rate = visits[i] / days;
    if (known[i].rate > 0) worth += known[i].weight * rate / (rate + known[i].rate);
  }
  return worth;
}

// One page that scores 4 and changes once a day; ten fetches for ten days. With k of them it is
// fresh k / (k + 10) of the time: the tenth brings 4 (10/20 - 9/19) = .105, the ninth .117, the
// eighth .131. New pages that score .3 and .12 are worth more than the tenth and the ninth, one
// of .1 is not worth the eighth.
TEST(RecrawlPlan, OnePriceForKnownAndNewPages) {
  const std::vector<RecrawlPage> known = {{4, 1}};
  const FetchPlan plan = share_budget(known, std::vector<double>{0.3, 0.12, 0.1}, 10, 10);
  EXPECT_EQ(plan.new_pages, 2U);
  EXPECT_NEAR(plan.visits[0], 8, 1e-9);
  EXPECT_NEAR(plan.price, 4 * (8.0 / 18 - 7.0 / 17), 1e-9);
}

TEST(RecrawlPlan, NoOtherShareIsWorthMore) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<RecrawlPage> known;
    for (int i = 0; i < 12; ++i) {
      known.push_back({random.chance(0.2) ? 0 : 3 * random.unit(),
                       random.chance(0.2) ? 0 : random.unit() * random.unit()});
    }
    std::vector<double> expected;
    for (int i = 0; i < 15; ++i) expected.push_back(random.unit() * random.unit());
    std::sort(expected.begin(), expected.end(), std::greater<>());
    const std::size_t budget = 1 + random.below(30);
    const double days = 5 + 50 * random.unit();
    const FetchPlan plan = share_budget(known, expected, budget, days);
    const double worth = worth_of(known, expected, plan.new_pages, plan.visits, days);
    double fetches = static_cast<double>(plan.new_pages);
    for (const double visits : plan.visits) fetches += visits;
    EXPECT_LE(fetches, static_cast<double>(budget) + 1e-9);
    for (std::size_t other = 0; other <= std::min(budget, expected.size()); ++other) {
      auto visits = allocate(RecrawlPolicy::Optimal, known,
                             static_cast<double>(budget - other) / days);
      for (double& each : visits) each *= days;
      EXPECT_GE(worth, worth_of(known, expected, other, visits, days) - 1e-9) << other;
    }
  }
}

TEST(RecrawlPlan, WithoutOneKindTheOtherHasAll) {
  const FetchPlan all_new = share_budget({}, std::vector<double>{2, 1, 0}, 5, 30);
  EXPECT_EQ(all_new.new_pages, 2U);  // what is worth nothing is not fetched
  EXPECT_EQ(all_new.price, 0);
  const std::vector<RecrawlPage> known = {{1, 0.5}, {1, 0}};
  const FetchPlan all_known = share_budget(known, {}, 5, 30);
  EXPECT_NEAR(all_known.visits[0], 5, 1e-9);
  EXPECT_EQ(all_known.visits[1], 0);  // it never changes
  // Pages that never change leave everything to new ones.
  const std::vector<RecrawlPage> never = {{9, 0}};
  const FetchPlan still = share_budget(never, std::vector<double>{1}, 5, 1);
  EXPECT_EQ(still.new_pages, 1U);
  EXPECT_EQ(still.visits[0], 0);
  EXPECT_EQ(share_budget(known, std::vector<double>{1}, 0, 1).new_pages, 0U);
}

TEST(RecrawlPlan, WhatMakesNoSenseIsRefused) {
  const std::vector<RecrawlPage> known = {{1, 1}};
  EXPECT_THROW(share_budget(known, std::vector<double>{1, 2}, 5, 1), Error);
  EXPECT_THROW(share_budget(known, std::vector<double>{NAN}, 5, 1), Error);
  EXPECT_THROW(share_budget(known, std::vector<double>{-1}, 5, 1), Error);
  EXPECT_THROW(share_budget(known, {}, 5, 0), Error);
  EXPECT_THROW(share_budget(std::vector<RecrawlPage>{{1, -1}}, {}, 5, 1), Error);
}

}  // namespace
}  // namespace webstrata
