// SPDX-License-Identifier: Apache-2.0

#include "webstrata/frontier/order/live_shares.h"

#include <gtest/gtest.h>

namespace webstrata::frontier {
namespace {

TEST(LiveShares, KnowNothingAtFirst) {
  EXPECT_DOUBLE_EQ(LiveShares().probability("http://a.org/"), 0.5);
}

// By hand: all (1+1)/(1+2); host (1 + 2*2/3)/(1+2); directory the same once more.
TEST(LiveShares, EachLevelIsThePriorOfTheNext) {
  LiveShares shares;
  shares.learn("http://a.org/d/1", true);
  const double all = 2.0 / 3;
  const double host = (1 + 2 * all) / 3;
  const double directory = (1 + 2 * host) / 3;
  EXPECT_DOUBLE_EQ(shares.probability("http://other.org/"), all);
  EXPECT_DOUBLE_EQ(shares.probability("http://a.org/e/1"), host);
  EXPECT_DOUBLE_EQ(shares.probability("https://a.org/d/2?x"), directory);
}

TEST(LiveShares, ADeadDirectoryOfALivingHostIsRecognised) {
  LiveShares shares;
  for (int i = 0; i < 20; ++i) {
    shares.learn("http://a.org/live/" + std::to_string(i), true);
    shares.learn("http://a.org/dead/" + std::to_string(i), false);
  }
  EXPECT_GT(shares.probability("http://a.org/live/x"), 0.9);
  EXPECT_LT(shares.probability("http://a.org/dead/x"), 0.1);
  EXPECT_NEAR(shares.probability("http://a.org/new/x"), 0.5, 1e-9);
}

TEST(LiveShares, GroupsAreBounded) {
  LiveShares shares(2);
  shares.learn("http://a.org/d/1", true);
  shares.learn("http://b.org/d/1", false);  // counted among all, in no group of its own
  EXPECT_DOUBLE_EQ(shares.probability("http://b.org/d/1"), 0.5);
  EXPECT_GT(shares.probability("http://a.org/d/2"), 0.7);
}

}  // namespace
}  // namespace webstrata::frontier
