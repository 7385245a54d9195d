// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/seed_sets.h"

#include <gtest/gtest.h>

#include <set>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(SeedSets, HoldPagesThatScoreEnough) {
  std::vector<double> scores(100, 0);
  for (std::size_t i = 0; i < 40; ++i) scores[i] = i < 20 ? 1 : 1.7;
  const auto sets = draw_seed_sets(scores, {.sets = 5, .size = 10, .score_above = 1.5});
  ASSERT_EQ(sets.size(), 5u);
  for (const auto& set : sets) {
    EXPECT_EQ(std::set<Node>(set.begin(), set.end()).size(), 10u);
    for (const Node node : set) EXPECT_GT(scores[node], 1.5);
  }
  EXPECT_NE(sets[0], sets[1]);
}

TEST(SeedSets, AreTheSameHoweverManyAreDrawn) {
  const std::vector<double> scores(300, 1);
  const auto few = draw_seed_sets(scores, {.sets = 2, .seed = 9});
  const auto many = draw_seed_sets(scores, {.sets = 6, .seed = 9});
  EXPECT_EQ(few[1], many[1]);
  EXPECT_EQ(few[0].size(), 50u);
  EXPECT_NE(few, draw_seed_sets(scores, {.sets = 2, .seed = 10}));
}

TEST(SeedSets, AreSmallerWhereThereIsLittleAndRefusedWhereThereIsNothing) {
  EXPECT_EQ(draw_seed_sets(std::vector<double>(80, 1), {.sets = 1})[0].size(), 20u);
  EXPECT_THROW(draw_seed_sets(std::vector<double>(80, 0), {}), Error);
  EXPECT_THROW(draw_seed_sets(std::vector<double>(80, 1), {.size = 81}), Error);
}

}  // namespace
}  // namespace webstrata
