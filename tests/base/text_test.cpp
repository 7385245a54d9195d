// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/text.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Text, CaseIsThatOfAsciiAlone) {
  EXPECT_TRUE(equal_ignoring_case("Content-TYPE", "content-type"));
  EXPECT_FALSE(equal_ignoring_case("content", "content-type"));
  EXPECT_FALSE(equal_ignoring_case("\xc3\x84", "\xc3\xa4"));
}

TEST(Text, TrimTakesWhiteSpaceOffBothEnds) {
  EXPECT_EQ(trim(" \t\r\n a b \f"), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(trim("\v"), "\v");
}

}  // namespace
}  // namespace webstrata
