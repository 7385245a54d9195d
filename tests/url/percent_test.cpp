// SPDX-License-Identifier: Apache-2.0
#include "webstrata/url/percent.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Percent, EncodesOnlyItsClass) {
  std::string out = "x";
  append_percent_encoded(out, "a b'c\xff%41", kPathEncoded);
  EXPECT_EQ(out, "xa%20b'c%FF%41");
}

TEST(Percent, DecodesWellFormedEscapesOnly) {
  std::string out;
  append_percent_decoded(out, "%41%4a%zz%4%%41%");
  EXPECT_EQ(out, "AJ%zz%4%A%");
}

TEST(Percent, LooksNoFurtherThanTheEnd) {
  EXPECT_EQ(percent_value("%41", 0), 0x41);
  EXPECT_EQ(percent_value("%4", 0), -1);
  EXPECT_EQ(percent_value("a%4", 1), -1);
  EXPECT_EQ(percent_value("", 0), -1);
}

}  // namespace
}  // namespace webstrata
