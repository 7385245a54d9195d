// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/strategy.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "webstrata/base/error.h"
#include "webstrata/explore/estimators.h"

namespace webstrata {
namespace {

// Ten nodes on the frontier, whose true scores are 0 to 9.
struct Frontier {
  KnownGraph known;
  std::vector<double> truth{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::unique_ptr<Estimator> oracle = make_estimator("oracle", known, {.truth = truth});

  Frontier() {
    for (Node node = 0; node < 10; ++node) {
      known.discover(node);
      oracle->came(node);
    }
  }
  std::vector<Node> choose(Strategy& strategy, std::size_t count) {
    std::vector<Node> nodes;
    strategy.choose(*oracle, count, nodes);
    return nodes;
  }
};

TEST(Strategy, GreedyTakesTheBest) {
  Frontier frontier;
  EXPECT_EQ(frontier.choose(*make_strategy(), 3), (std::vector<Node>{9, 8, 7}));
  EXPECT_EQ(frontier.choose(*make_strategy(), 99).size(), 10u);
}

// Within a third of 9: 6, 7, 8 and 9. The best is drawn half of the time, and in a quarter of the
// rest.
TEST(Strategy, AlteredGreedyDrawsAmongTheNearlyBest) {
  Frontier frontier;
  const auto strategy = make_strategy({.greedy = 0.5, .slack = 1.0 / 3, .seed = 4});
  std::map<Node, int> counts;
  for (int i = 0; i < 8000; ++i) ++counts[frontier.choose(*strategy, 1).at(0)];
  ASSERT_EQ(counts.size(), 4u);
  for (const Node node : {6, 7, 8}) EXPECT_NEAR(counts[node], 1000, 150);
  EXPECT_NEAR(counts[9], 5000, 250);
}

TEST(Strategy, AlteredGreedyNamesNoNodeTwice) {
  Frontier frontier;
  const auto strategy = make_strategy({.greedy = 0.5, .slack = 0.5, .seed = 7});
  for (int i = 0; i < 100; ++i) {
    const auto nodes = frontier.choose(*strategy, 10);
    EXPECT_EQ(std::set<Node>(nodes.begin(), nodes.end()).size(), 10u);
  }
}

TEST(Strategy, RefusesWhatIsNoProbability) {
  EXPECT_THROW(make_strategy({.greedy = 1.5}), Error);
  EXPECT_THROW(make_strategy({.greedy = 0.5, .slack = -1}), Error);
}

}  // namespace
}  // namespace webstrata
