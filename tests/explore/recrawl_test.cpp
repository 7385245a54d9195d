// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/recrawl.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The objective: weight times freshness.
double objective(const std::vector<RecrawlPage>& pages, const std::vector<double>& visits) {
  double total = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const bool is_still = pages[i].rate == 0;  // fresh for ever
    total += pages[i].weight * (is_still ? 1 : visits[i] / (visits[i] + pages[i].rate));
  }
  return total;
}

// By hand: n = 10, X = 4, I = 5: ln(10.5 / 6.5) / 5.
TEST(Recrawl, RateIsThatOfChoAndGarciaMolina) {
  EXPECT_NEAR(change_rate(10, 4, 5), std::log(10.5 / 6.5) / 5, 1e-15);
  EXPECT_EQ(change_rate(10, 0, 5), 0);
  EXPECT_NEAR(change_rate(3, 3, 1), std::log(3.5 / 0.5), 1e-15);
  EXPECT_THROW(change_rate(0, 0, 1), Error);
  EXPECT_THROW(change_rate(2, 3, 1), Error);
  EXPECT_THROW(change_rate(2, 1, 0), Error);
}

// A Poisson process, visited at equal distance: the estimate is close to the rate, where changes
// over time alone are far too few.
TEST(Recrawl, RateIsThatOfAPoissonProcess) {
  Random random(1);
  for (const double rate : {0.05, 0.3, 1.0}) {
    std::uint64_t changes = 0;
    constexpr std::uint64_t kVisits = 20000;
    for (std::uint64_t i = 0; i < kVisits; ++i) changes += random.chance(1 - std::exp(-2 * rate));
    EXPECT_NEAR(change_rate(kVisits, changes, 2), rate, 0.03 * rate) << rate;
  }
}

// Solved by hand for weights 1: rates 1 and 4, R = 3. With both: 1/sqrt(l) = (3 + 5) / (1 + 2), so
// r = 8/3 - 1 = 5/3 and 16/3 - 4 = 4/3.
TEST(Recrawl, SolvesTwoPagesAsByHand) {
  const auto visits = allocate(RecrawlPolicy::Optimal, std::vector<RecrawlPage>{{1, 1}, {1, 4}}, 3);
  EXPECT_NEAR(visits[0], 5.0 / 3, 1e-12);
  EXPECT_NEAR(visits[1], 4.0 / 3, 1e-12);
}

// With R = 1: (1 + 5) / 3 = 2, r = 2 - 1 = 1 and 4 - 4 = 0. The fast page is given up.
TEST(Recrawl, GivesUpAPageThatChangesTooFast) {
  const auto visits = allocate(RecrawlPolicy::Optimal, std::vector<RecrawlPage>{{1, 1}, {1, 4}}, 1);
  EXPECT_NEAR(visits[0], 1, 1e-12);
  EXPECT_NEAR(visits[1], 0, 1e-12);
}

TEST(Recrawl, OtherPoliciesAreAsTheyAreCalled) {
  const std::vector<RecrawlPage> pages = {{1, 1}, {1, 3}, {2, 0}, {1, 0}};
  EXPECT_EQ(allocate(RecrawlPolicy::Uniform, pages, 4), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(allocate(RecrawlPolicy::Proportional, pages, 4), (std::vector<double>{1, 3, 0, 0}));
  const auto hedged = allocate(RecrawlPolicy::Hedged, pages, 4);
  const auto optimal = allocate(RecrawlPolicy::Optimal, pages, 3);
  for (std::size_t i = 0; i < pages.size(); ++i) EXPECT_NEAR(hedged[i], optimal[i] + 0.25, 1e-12);
  EXPECT_EQ(recrawl_policies().size(), 4U);
}

// Karush, Kuhn, Tucker: where there are visits w D / (r + D)^2 is one number, elsewhere w / D is no
// larger than it; and no random exchange of visits is better.
TEST(Recrawl, OptimalVisitsFulfilTheConditionsOfAnOptimum) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<RecrawlPage> pages(1 + random.below(12));
    for (RecrawlPage& page : pages) {
      page.weight = random.chance(0.1) ? 0 : std::exp(4 * random.unit() - 2);
      page.rate = random.chance(0.1) ? 0 : std::exp(6 * random.unit() - 4);
    }
    pages[0] = {1, 1};  // one page can use the visits
    const double budget = std::exp(6 * random.unit() - 3);
    const auto visits = allocate(RecrawlPolicy::Optimal, pages, budget);
    EXPECT_NEAR(sum(visits), budget, 1e-9 * budget);
    double price = 0;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      EXPECT_GE(visits[i], 0);
      if (visits[i] == 0) continue;
      const double all = visits[i] + pages[i].rate;
      const double gain = pages[i].weight * pages[i].rate / (all * all);
      if (price > 0) {
        EXPECT_NEAR(gain / price, 1, 1e-6);
      }
      price = gain;
    }
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const bool is_idle = visits[i] == 0 && pages[i].rate > 0;
      if (is_idle) {
        EXPECT_LE(pages[i].weight / pages[i].rate, price * (1 + 1e-9));
      }
    }
    for (int attempt = 0; attempt < 50; ++attempt) {
      auto other = visits;
      const std::size_t from = random.below(pages.size());
      const std::size_t to = random.below(pages.size());
      const double moved = other[from] * random.unit();
      other[from] -= moved;
      other[to] += moved;
      EXPECT_LE(objective(pages, other), objective(pages, visits) + 1e-9);
    }
  }
}

TEST(Recrawl, NothingToVisitAndNothingToSpend) {
  EXPECT_TRUE(allocate(RecrawlPolicy::Optimal, {}, 5).empty());
  const std::vector<RecrawlPage> still = {{1, 0}, {1, 0}};
  EXPECT_EQ(allocate(RecrawlPolicy::Optimal, still, 4), (std::vector<double>{2, 2}));
  EXPECT_EQ(allocate(RecrawlPolicy::Proportional, still, 4), (std::vector<double>{2, 2}));
  EXPECT_EQ(allocate(RecrawlPolicy::Optimal, std::vector<RecrawlPage>{{1, 1}}, 0),
            std::vector<double>{0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(allocate(RecrawlPolicy::Uniform, std::vector<RecrawlPage>{{1, nan}}, 1), Error);
  EXPECT_THROW(allocate(RecrawlPolicy::Uniform, std::vector<RecrawlPage>{{-1, 1}}, 1), Error);
  EXPECT_THROW(allocate(RecrawlPolicy::Uniform, still, -1), Error);
}

// A simulation of Poisson changes and Poisson visits against r / (r + D).
TEST(Recrawl, ExpectedFreshnessIsThatOfASimulation) {
  Random random(3);
  for (const auto& [rate, visits] :
       std::vector<std::pair<double, double>>{{1, 1}, {0.2, 1}, {3, 1}}) {
    double now = 0;
    double fresh_days = 0;
    bool is_fresh = true;
    while (now < 50000) {
      const double step = -std::log(1 - random.unit()) / (rate + visits);
      if (is_fresh) fresh_days += step;
      now += step;
      is_fresh = random.chance(visits / (rate + visits));
    }
    const std::vector<RecrawlPage> page = {{1, rate}};
    EXPECT_NEAR(expected_freshness(page, std::vector<double>{visits}), fresh_days / now, 0.01);
  }
}

TEST(Recrawl, AVisitIsWorthTheChangesThatMayHaveCome) {
  EXPECT_EQ(visit_worth({2, 0}, 100), 0);
  EXPECT_NEAR(visit_worth({2, 0.1}, 10), 2 * (1 - std::exp(-1.0)), 1e-12);
  EXPECT_EQ(visit_worth({2, 0.1}, -1), 0);
}

}  // namespace
}  // namespace webstrata
