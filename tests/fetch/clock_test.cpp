// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/clock.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Clock, SecondsAreCutDownwards) {
  EXPECT_EQ(seconds_of(1999), 1);
  EXPECT_EQ(seconds_of(0), 0);
  EXPECT_EQ(seconds_of(-1), -1);
  EXPECT_EQ(seconds_of(-1000), -1);
}

TEST(Clock, TheSystemsClockAgreesWithTheTimeOfDay) {
  const SystemClock clock;
  const Moment first = clock.now();
  EXPECT_LE(first, clock.now());
  EXPECT_NEAR(static_cast<double>(seconds_of(first)), static_cast<double>(now()), 5);
}

}  // namespace
}  // namespace webstrata
