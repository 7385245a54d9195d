// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/recrawl_replay.h"

#include <cmath>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr Time kReplayDay = 86400;

PageVersions poisson_page(Random& random, double rate, double days) {
  PageVersions page;
  std::uint64_t content = 1;
  for (double now = 0; now < days; now += -std::log(1 - random.unit()) / rate) {
    page.versions.push_back({static_cast<Time>(now * kReplayDay), content++});
  }
  return page;
}

// Looks on days 0, 10, 20, 30 and 40 see a, a, b, b and nothing: 2 changes in 4.
TEST(RecrawlReplay, LooksSeeOneChangeAtMost) {
  const std::vector<PageVersion> versions = {
      {0, 1}, {11 * kReplayDay, 7}, {12 * kReplayDay, 2}, {35 * kReplayDay, 0}};
  const auto rate = observed_rate(versions, 0, 40 * kReplayDay, 10);
  ASSERT_TRUE(rate.has_value());
  EXPECT_NEAR(*rate, std::log(4.5 / 2.5) / 10, 1e-12);
  EXPECT_FALSE(
      observed_rate(versions, -40 * kReplayDay, 0, 10).has_value());  // one look in its life
}

// One page, a change in the middle, no visits: fresh half the time.
TEST(RecrawlReplay, KnowsWhatIsLostWithoutVisits) {
  PageVersions page;
  page.versions = {{0, 1}, {150 * kReplayDay, 2}};
  ReplayOptions options{
      .begin = 0, .split = 100 * kReplayDay, .end = 200 * kReplayDay, .visits_per_day = 0};
  const ReplayResult result = replay(std::vector<PageVersions>{page}, options);
  EXPECT_NEAR(result.without_visits, 0.5, 1e-12);
  EXPECT_EQ(result.visits, 0U);
  for (const PolicyFreshness& policy : result.policies) EXPECT_NEAR(policy.freshness, 0.5, 1e-12);
}

// Pages that change as the theory says: what is measured is what it expects, and the policies come
// in its order.
TEST(RecrawlReplay, MeasuresWhatTheTheoryExpects) {
  Random random(7);
  std::vector<PageVersions> pages;
  for (int i = 0; i < 400; ++i) {
    pages.push_back(poisson_page(random, 0.005 * std::exp(4 * random.unit()), 3000));
  }
  ReplayOptions options{.begin = 0,
                        .split = 1000 * kReplayDay,
                        .end = 3000 * kReplayDay,
                        .days_between = 5,
                        .visits_per_day = 8};
  const ReplayResult result = replay(pages, options);
  EXPECT_EQ(result.pages, 400U);
  EXPECT_EQ(result.visits, 16000U);
  ASSERT_EQ(result.policies.size(), 4U);
  const double uniform = result.policies[0].freshness;
  const double proportional = result.policies[1].freshness;
  const double optimal = result.policies[2].freshness;
  EXPECT_GT(optimal, uniform);
  EXPECT_GT(uniform, proportional);  // Cho and Garcia-Molina 2003
  for (const PolicyFreshness& policy : result.policies) {
    EXPECT_NEAR(policy.freshness, policy.expected, 0.05);
  }
}

TEST(RecrawlReplay, TheSameSeedGivesTheSame) {
  Random random(2);
  std::vector<PageVersions> pages;
  for (int i = 0; i < 20; ++i) pages.push_back(poisson_page(random, 0.05, 300));
  const ReplayOptions options{.begin = 0,
                              .split = 200 * kReplayDay,
                              .end = 300 * kReplayDay,
                              .visits_per_day = 2,
                              .seed = 5};
  EXPECT_EQ(replay(pages, options).policies[2].freshness,
            replay(pages, options).policies[2].freshness);
}

TEST(RecrawlReplay, RefusesTimesOutOfOrderAndEmptySites) {
  EXPECT_THROW(replay({}, {.begin = 0, .split = 10, .end = 20}), Error);
  PageVersions page;
  page.versions = {{0, 1}};
  EXPECT_THROW(replay(std::vector<PageVersions>{page}, {.begin = 10, .split = 10, .end = 20}),
               Error);
  page.versions = {{0, 0}};
  EXPECT_THROW(replay(std::vector<PageVersions>{page}, {.begin = 0, .split = 10, .end = 20}),
               Error);
}

}  // namespace
}  // namespace webstrata
