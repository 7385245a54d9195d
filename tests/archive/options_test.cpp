// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/disk/options.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Range, IsReadAndWritten) {
  EXPECT_EQ(parse_range("30d"), 2592000);
  EXPECT_EQ(parse_range("1y"), 31536000);
  EXPECT_EQ(parse_range("2w"), 14 * 86400);
  EXPECT_EQ(parse_range("ever"), 0);
  for (const char* text : {"1d", "30d", "1y", "12h", "ever", "90s"}) {
    EXPECT_EQ(range_to_string(parse_range(text)), text);
  }
  for (const char* text : {"", "d", "0d", "-1d", "1x", "1dd", "500ms", "99999999999y"}) {
    EXPECT_THROW(parse_range(text), Error) << text;
  }
}

TEST(Range, CoversTheTimeItWasMadeFrom) {
  for (const Time time :
       {Time{-86401}, Time{-86400}, Time{-1}, Time{0}, Time{86399}, Time{86400}}) {
    const auto interval = interval_of_range(range_of(time, 86400), 86400);
    EXPECT_LE(interval.first, time);
    EXPECT_GE(interval.last, time);
    EXPECT_EQ(interval.last - interval.first, 86399);
  }
}

}  // namespace
}  // namespace webstrata
