// SPDX-License-Identifier: Apache-2.0

// The rules are "State of a page" in docs/ARCHITECTURE.md; the examples are worked out by hand.

#include "webstrata/facts/page_state.h"

#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

struct DatedOutcome {
  Time time = 0;
  Outcome outcome = Outcome::Unknown;
};
using Outcomes = std::vector<DatedOutcome>;

StateAt state_at(const Outcomes& seen, Time time) {
  return webstrata::state_at(std::span(seen), time,
                             [](const DatedOutcome& one) { return one.outcome; });
}

TEST(PageState, BeforeItsFirstSightingAPageIsUnknown) {
  EXPECT_EQ(state_at({}, 100).state, PageState::Unknown);
  EXPECT_EQ(state_at(Outcomes{{10, Outcome::Alive}}, 9).state, PageState::Unknown);
  EXPECT_EQ(state_at(Outcomes{{10, Outcome::Alive}}, 10).state, PageState::Present);
}

TEST(PageState, TheLatestDecidingSightingCounts) {
  const Outcomes seen = {{10, Outcome::Alive},
                         {20, Outcome::Gone},
                         {30, Outcome::Moved},
                         {40, Outcome::Alive},
                         {50, Outcome::SoftGone}};
  const auto check = [&](Time time, PageState state, Time since) {
    const StateAt found = state_at(seen, time);
    EXPECT_EQ(found.state, state) << time;
    EXPECT_EQ(found.since, since) << time;
  };
  check(19, PageState::Present, 10);
  check(20, PageState::Gone, 20);
  check(35, PageState::Moved, 30);
  check(49, PageState::Present, 40);
  check(1000, PageState::Gone, 50);
}

TEST(PageState, RefusalsAndSilenceChangeNothing) {
  const Outcomes seen = {{10, Outcome::Gone},
                         {20, Outcome::Blocked},
                         {30, Outcome::Unreachable},
                         {40, Outcome::Unknown}};
  EXPECT_EQ(state_at(seen, 40).state, PageState::Gone);
  EXPECT_EQ(state_at(seen, 40).since, 10);
  EXPECT_EQ(state_at(Outcomes{{20, Outcome::Blocked}}, 40).state, PageState::Unknown);
}

TEST(PageState, InOneSecondPresentComesBeforeMovedBeforeGone) {
  const Outcomes all = {{10, Outcome::Alive}, {10, Outcome::Gone}, {10, Outcome::Moved}};
  EXPECT_EQ(state_at(all, 10).state, PageState::Present);
  const Outcomes two = {{5, Outcome::Alive}, {10, Outcome::Moved}, {10, Outcome::Gone}};
  EXPECT_EQ(state_at(two, 10).state, PageState::Moved);
  const Outcomes other = {{5, Outcome::Alive}, {10, Outcome::Gone}, {10, Outcome::Blocked}};
  EXPECT_EQ(state_at(other, 10).state, PageState::Gone);
}

TEST(PageState, EveryStateHasItsName) {
  EXPECT_EQ(to_string(PageState::Unknown), "unknown");
  EXPECT_EQ(to_string(PageState::Present), "present");
  EXPECT_EQ(to_string(PageState::Moved), "moved");
  EXPECT_EQ(to_string(PageState::Gone), "gone");
}

}  // namespace
}  // namespace webstrata
