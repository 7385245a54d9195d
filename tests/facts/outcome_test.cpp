// SPDX-License-Identifier: Apache-2.0

// The table is "State of a page" in docs/ARCHITECTURE.md.

#include "webstrata/facts/outcome.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Outcome, ARefusalIsNotADeath) {
  for (const int status : {401, 403, 429, 451}) {
    EXPECT_EQ(outcome_of_status(status, false), Outcome::Blocked) << status;
  }
  constexpr int kRobots = -9998;
  EXPECT_EQ(outcome_of_status(kRobots, false), Outcome::Blocked);
}

TEST(Outcome, NoAnswerIsNotADeath) {
  for (const int status : {500, 502, 503, 504, -1, -2, -3, -4, -6, -61}) {
    EXPECT_EQ(outcome_of_status(status, false), Outcome::Unreachable) << status;
  }
}

TEST(Outcome, TheRestOfTheTable) {
  EXPECT_EQ(outcome_of_status(200, false), Outcome::Alive);
  EXPECT_EQ(outcome_of_status(206, false), Outcome::Alive);
  EXPECT_EQ(outcome_of_status(304, false), Outcome::Alive);
  EXPECT_EQ(outcome_of_status(301, true), Outcome::Moved);
  EXPECT_EQ(outcome_of_status(301, false), Outcome::Unknown);
  EXPECT_EQ(outcome_of_status(404, false), Outcome::Gone);
  EXPECT_EQ(outcome_of_status(410, false), Outcome::Gone);
  EXPECT_EQ(outcome_of_status(400, false), Outcome::Unknown);
  EXPECT_EQ(outcome_of_status(1, false), Outcome::Unknown);
  EXPECT_EQ(outcome_of_status(-5000, false), Outcome::Unknown);
}

TEST(Outcome, NamesGoRound) {
  for (int i = 0; i <= static_cast<int>(Outcome::SoftGone); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(parse_outcome(to_string(outcome)), outcome);
  }
  EXPECT_FALSE(parse_outcome("undead"));
}

}  // namespace
}  // namespace webstrata
