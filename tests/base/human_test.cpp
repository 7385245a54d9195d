// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/human.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Human, NumbersAreReadable) {
  EXPECT_EQ(human_number(0), "0");
  EXPECT_EQ(human_number(999), "999");
  EXPECT_EQ(human_number(1000), "1,000");
  EXPECT_EQ(human_number(1234567), "1,234,567");
  EXPECT_EQ(human_amount(999, "B"), "999 B");
  EXPECT_EQ(human_amount(1500, "B"), "1.5 kB");
  EXPECT_EQ(human_amount(12345, "pages"), "12,345 pages");
  EXPECT_EQ(human_duration(45), "45 s");
  EXPECT_EQ(human_duration(900), "15 min");
  EXPECT_EQ(human_duration(11100), "3 h 05 min");
}

}  // namespace
}  // namespace webstrata
