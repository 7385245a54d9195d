// SPDX-License-Identifier: Apache-2.0

// Expected characters are read off the indexes of the Encoding standard.

#include "webstrata/capture/html/charset_converter.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

using std::string_literals::operator""s;

std::string utf8(std::string_view bytes, Charset charset) {
  CharsetConverter converter;
  std::string buffer;
  return std::string(converter.to_utf8(bytes, charset, buffer));
}

std::string query(std::string_view reference, Charset charset) {
  CharsetConverter converter;
  std::string buffer;
  return std::string(converter.encode_query(reference, charset, buffer));
}

TEST(CharsetConverter, WhatIsUtf8AlreadyIsNotCopied) {
  CharsetConverter converter;
  std::string buffer;
  for (const std::string_view text : {"ascii", "\xc3\xa9", ""}) {
    EXPECT_EQ(converter.to_utf8(text, Charset::Utf8, buffer).data(), text.data());
  }
  const std::string_view ascii = "ascii";
  EXPECT_EQ(converter.to_utf8(ascii, Charset::Windows1252, buffer).data(), ascii.data());
  EXPECT_EQ(converter.to_utf8(ascii, Charset::Gbk, buffer).data(), ascii.data());
}

TEST(CharsetConverter, IllFormedUtf8IsReplacedByMaximalSubparts) {
  EXPECT_EQ(utf8("a\xff"
                 "b\xe2\x82<",
                 Charset::Utf8),
            "a\ufffdb\ufffd<");
  EXPECT_EQ(utf8("\xed\xa0\x80", Charset::Utf8), "\ufffd\ufffd\ufffd");
}

TEST(CharsetConverter, Windows1252) {
  EXPECT_EQ(utf8("\x80 \xe9\xff \x81", Charset::Windows1252), "\u20ac \u00e9\u00ff \u0081");
}

TEST(CharsetConverter, OtherCharsetsOfOneByte) {
  EXPECT_EQ(utf8("\xc1\xc2", Charset::Koi8R), "\u0430\u0431");
  EXPECT_EQ(utf8("\xae", Charset::Koi8U), "\u045e");
  EXPECT_EQ(utf8("\xdb", Charset::Macintosh), "\u20ac");
  EXPECT_EQ(utf8("\xa1\x81", Charset::Windows874), "\u0e01\u0081");
  EXPECT_EQ(utf8("\xaa", Charset::Windows1253), "\ufffd");
  EXPECT_EQ(utf8("\xa4", Charset::Iso8859_15), "\u20ac");
  EXPECT_EQ(utf8("\xff", Charset::XUserDefined), "\uf7ff");
  EXPECT_EQ(utf8("\xe2\xcc", Charset::Windows1258), "\u00e2\u0300");
}

TEST(CharsetConverter, Utf16) {
  EXPECT_EQ(utf8("a\0\xe9\0\x3d\xd8\0\xde"s, Charset::Utf16Le), "a\u00e9\U0001F600");
  EXPECT_EQ(utf8("\0a\0\xe9\xd8\x3d\xde\0"s, Charset::Utf16Be), "a\u00e9\U0001F600");
  EXPECT_EQ(utf8("\x3d\xd8"
                 "a\0z"s,
                 Charset::Utf16Le),
            "\ufffda\ufffd");
}

TEST(CharsetConverter, CharsetsOfSeveralBytes) {
  EXPECT_EQ(utf8("\x82\xa0\x95\x5c", Charset::ShiftJis), "\u3042\u8868");
  EXPECT_EQ(utf8("\xa4\xa2", Charset::EucJp), "\u3042");
  EXPECT_EQ(utf8("\x1b$B$\"\x1b(B", Charset::Iso2022Jp), "\u3042");
  EXPECT_EQ(utf8("\xc4\xe3\x81\x30\x81\x30", Charset::Gbk), "\u4f60\u0080");
  EXPECT_EQ(utf8("\xa4\xa4", Charset::Big5), "\u4e2d");
  EXPECT_EQ(utf8("\xb0\xa1", Charset::EucKr), "\uac00");
}

TEST(CharsetConverter, BadBytesAreReplacedAndMarkupSurvives) {
  EXPECT_EQ(utf8("a\x82<b>", Charset::ShiftJis).substr(0, 1), "a");
  EXPECT_NE(utf8("\xff\xff<a>", Charset::EucJp).find("<a>"), std::string::npos);
  EXPECT_NE(utf8("\xb0<a>", Charset::EucKr).find("<a>"), std::string::npos);
  EXPECT_EQ(utf8("x\xa4", Charset::EucJp), "x\ufffd");
}

TEST(CharsetConverter, LongTextsPassThroughInPieces) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 10000; ++i) {
    text += "\xa4\xa2x";
    expected += "\u3042x";
  }
  EXPECT_EQ(utf8(text, Charset::EucJp), expected);
}

TEST(CharsetConverter, QueriesAreEncodedInTheCharset) {
  EXPECT_EQ(query("/\u00e9?q=\u00e9 x#\u00e9", Charset::Windows1252), "/\u00e9?q=%E9 x#\u00e9");
  EXPECT_EQ(query("?\u3042\u8868", Charset::ShiftJis), "?%82%A0%95\\");
  EXPECT_EQ(query("?\u3042", Charset::Iso2022Jp), "?%1B$B$%22%1B(B");
  EXPECT_EQ(query("?\u20ac", Charset::Koi8R), "?%26%238364%3B");
  EXPECT_EQ(query("?\U0001F600", Charset::EucJp), "?%26%23128512%3B");
}

TEST(CharsetConverter, QueriesThatNeedNothingAreLeftAlone) {
  EXPECT_EQ(query("?\u00e9", Charset::Utf8), "?\u00e9");
  EXPECT_EQ(query("?\u00e9", Charset::Utf16Le), "?\u00e9");
  EXPECT_EQ(query("/\u00e9", Charset::Windows1252), "/\u00e9");
  EXPECT_EQ(query("#?\u00e9", Charset::Windows1252), "#?\u00e9");
  EXPECT_EQ(query("mailto:a?s=\u00e9", Charset::Windows1252), "mailto:a?s=\u00e9");
  EXPECT_EQ(query("HTTP://x/?\u00e9", Charset::Windows1252), "HTTP://x/?%E9");
}

}  // namespace
}  // namespace webstrata
