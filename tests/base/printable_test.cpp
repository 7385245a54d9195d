// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/printable.h"

#include <gtest/gtest.h>

#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

TEST(Printable, ControlCharactersBecomeEscapes) {
  EXPECT_EQ(printable("a\x1b[31mb\x07"), "a\\u001b[31mb\\u0007");
  EXPECT_EQ(printable("one\r\ntwo\tthree"), "one\\r\\ntwo\\tthree");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\u0000\\u007f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // the control sequence introducer of eight bits
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, TextThatRunsBackwardsAndOtherLineEndsBecomeEscapes) {
  EXPECT_EQ(printable("exe.\xe2\x80\xaegpj"), "exe.\\u202egpj");
  EXPECT_EQ(printable("\xe2\x81\xa6x\xe2\x81\xa9"), "\\u2066x\\u2069");
  EXPECT_EQ(printable("a\xe2\x80\xa8z"), "a\\u2028z");
}

TEST(Printable, OtherTextStays) {
  for (const char* text : {"plain ASCII ~", "caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac", "back\\slash",
                           "\xf0\x9f\x8c\x90", "\xc2\xa0", "\xe2\x80\x93"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, BytesThatAreNotUtf8BecomeEscapesUnlessTheyAreToStay) {
  EXPECT_EQ(printable("\x9b"
                      "31m\xff"),
            "\\x9b31m\\xff");
  EXPECT_EQ(printable("caf\xe9\x1b", {.keep_ill_formed = true}), "caf\xe9\\u001b");
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");  // a character that is cut off
}

TEST(Printable, ColumnsMayStay) {
  EXPECT_EQ(printable("a\tb\nc\x1b\r\nd\re", {.keep_columns = true}), "a\tb\nc\\u001b\r\nd\\re");
}

// Every character of Unicode: the output never controls a terminal, and escaping it again changes
// nothing.
TEST(Printable, NothingObeyedIsLeft) {
  std::size_t escaped = 0;
  for (std::uint32_t character = 0; character < 0x110000; ++character) {
    std::string text;
    append_utf8(text, character);
    const std::string out = printable(text);
    escaped += out != text ? 1 : 0;
    ASSERT_EQ(printable(out), out);
    for (const char byte : out) ASSERT_TRUE(static_cast<unsigned char>(byte) >= 0x20);
  }
  // C0 and DEL and C1 are 65; two separators; twelve that change the direction.
  EXPECT_EQ(escaped, 65U + 2U + 12U);
}

}  // namespace
}  // namespace webstrata
