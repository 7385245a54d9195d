// SPDX-License-Identifier: Apache-2.0
#include "webstrata/liverank/posterior.h"

#include <gtest/gtest.h>

#include "tests/liverank/small_population.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Posterior, IsEvenBeforeTheFirstAnswer) {
  const Population pages = population_of(made_web(3, 6, 1));
  Posterior posterior(pages);
  EXPECT_EQ(posterior.probabilities(), std::vector<double>(pages.size(), 0.5));
}

TEST(Posterior, IsCertainOfTestedPagesAndTheFirstAnswerStands) {
  const Population pages = population_of(made_web(3, 6, 1));
  Posterior posterior(pages);
  posterior.learn(4, true);
  posterior.learn(7, false);
  posterior.learn(7, true);
  EXPECT_EQ(posterior.probability(4), 1);
  EXPECT_EQ(posterior.probability(7), 0);
  EXPECT_THROW(posterior.learn(pages.size(), true), Error);
}

// Every second host died. After some pages of each host were tested, the remaining pages are
// distinguished, and the probabilities add up to about the number of live pages.
TEST(Posterior, LearnsThatHostsDieWhole) {
  const Node hosts = 20;
  const Node each = 15;
  const Population pages = population_of(made_web(hosts, each, 2));
  Posterior posterior(pages);
  const auto is_live = [&](Node page) { return page / each % 2 == 0; };
  Random random(3);
  std::vector<Node> others;
  for (Node page = 0; page < pages.size(); ++page) {
    if (random.chance(0.5)) {
      posterior.learn(page, is_live(page));
    } else {
      others.push_back(page);
    }
  }
  double sums[2] = {};  // over dead and live pages
  double counts[2] = {};
  for (const Node page : others) {
    sums[is_live(page) ? 1 : 0] += posterior.probability(page);
    ++counts[is_live(page) ? 1 : 0];
  }
  EXPECT_GT(sums[1] / counts[1], 0.8);
  EXPECT_LT(sums[0] / counts[0], 0.2);
  EXPECT_NEAR(sums[0] + sums[1], counts[1], 0.1 * counts[1]);
}

// Where nothing explains the answers, the model stays near their rate.
TEST(Posterior, StaysNearTheRateWhereNothingExplainsTheAnswers) {
  const Population pages = population_of(made_web(20, 30, 3));
  Posterior posterior(pages);
  Random random(4);
  double live = 0;
  for (Node page = 0; page < pages.size(); page += 2) {
    const bool is_live = random.chance(0.3);
    live += is_live ? 1 : 0;
    posterior.learn(page, is_live);
  }
  double sum = 0;
  for (Node page = 1; page < pages.size(); page += 2) sum += posterior.probability(page);
  EXPECT_NEAR(sum, live, 0.2 * live);
}

TEST(Posterior, FindsThePageOfANode) {
  NodeColumns columns;
  columns.captures = Column<std::uint32_t>(4);
  for (const Node node : {0, 1, 2, 3}) columns.captures.set(node, node % 2);
  const Population pages =
      population_of(Snapshot::from_links(4, {{1, 3}}).with_node_columns(columns));
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages.page_of(3), 1U);
  EXPECT_EQ(pages.page_of(2), std::nullopt);
}

}  // namespace
}  // namespace webstrata
