// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/duration.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Duration, LengthsAndRatesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_duration("15m"), 900'000);
  EXPECT_EQ(parse_duration("250ms"), 250);
  EXPECT_EQ(parse_duration("1.5"), 1500);
  EXPECT_EQ(parse_duration("1.5s"), 1500);
  EXPECT_EQ(parse_duration("3d"), 3 * 86'400'000);
  EXPECT_EQ(parse_duration("2w"), 14 * std::int64_t{86'400'000});
  EXPECT_EQ(parse_duration("1y"), 365 * std::int64_t{86'400'000});
  EXPECT_EQ(parse_duration("0"), 0);
  for (const char* wrong : {"", "-1s", "s", "5x", "nan", "1e3s", "9999999999999w"}) {
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
  }
  EXPECT_EQ(parse_rate("300/15m"), (Rate{300, 900'000}));
  EXPECT_EQ(parse_rate("10/s"), (Rate{10, 1000}));
  for (const char* wrong : {"", "300", "/15m", "0/s", "3/", "3/0s", "-3/s", "3.5/s"}) {
    EXPECT_FALSE(parse_rate(wrong)) << wrong;
  }
  EXPECT_EQ(duration_text(900'000), "15m");
  EXPECT_EQ(duration_text(1500), "1.5s");
  EXPECT_EQ(duration_text(20), "20ms");
}

}  // namespace
}  // namespace webstrata
