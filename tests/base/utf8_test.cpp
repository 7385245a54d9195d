// SPDX-License-Identifier: Apache-2.0

// Ill-formed examples are from the Unicode Standard, chapter 3.9, table 3-8 and around it.

#include "webstrata/base/utf8.h"

#include <gtest/gtest.h>

#include <vector>

namespace webstrata {
namespace {

std::vector<std::uint32_t> decode(std::string_view text) {
  std::vector<std::uint32_t> code_points;
  while (!text.empty()) code_points.push_back(take_utf8(text));
  return code_points;
}

TEST(Utf8, EveryCodePointGoesRound) {
  for (std::uint32_t code_point = 0; code_point <= 0x10ffff; ++code_point) {
    if (code_point >= 0xd800 && code_point <= 0xdfff) continue;
    std::string text;
    append_utf8(text, code_point);
    ASSERT_EQ(utf8_length(text), text.size()) << code_point;
    ASSERT_EQ(decode(text), std::vector{code_point});
  }
}

TEST(Utf8, RefusesWhatIsIllFormed) {
  for (const char* text : {"\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
    EXPECT_EQ(utf8_length(text), 0U);
  }
  EXPECT_TRUE(is_utf8("plain ASCII that is longer than eight bytes"));
  EXPECT_TRUE(is_utf8("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80"));
  EXPECT_FALSE(is_utf8("twelve bytes\xff"));
}

TEST(Utf8, AMaximalSubpartBecomesOneReplacement) {
  constexpr std::uint32_t kBad = 0xfffd;
  EXPECT_EQ(decode("\xf0\x80\x80\x41"), (std::vector<std::uint32_t>{kBad, kBad, kBad, 0x41}));
  EXPECT_EQ(decode("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"),
            (std::vector<std::uint32_t>{kBad, kBad, kBad, kBad, 0x41}));
}

}  // namespace
}  // namespace webstrata
