// SPDX-License-Identifier: Apache-2.0

// Expected values are read off the HTML standard's tokenizer states and its list of names.

#include "webstrata/capture/html/html_entities.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

std::string in_attribute(std::string_view raw) {
  std::string out;
  append_attribute_value(raw, out);
  return out;
}

std::string in_text(std::string_view raw) {
  std::string out;
  append_text(raw, out);
  return out;
}

TEST(HtmlEntities, NamesWithSemicolonAreDecoded) {
  EXPECT_EQ(in_attribute("a?b=1&amp;c=2"), "a?b=1&c=2");
  EXPECT_EQ(in_attribute("&CounterClockwiseContourIntegral;"), "\u2233");
  EXPECT_EQ(in_attribute("&AElig;&zwnj;"), "\u00c6\u200c");  // the first and the last name
}

TEST(HtmlEntities, ANameMayStandForTwoCharacters) { EXPECT_EQ(in_text("&ngE;"), "\u2267\u0338"); }

TEST(HtmlEntities, LegacyNamesNeedNoSemicolon) {
  EXPECT_EQ(in_text("&copy 2006 &AMP &lt"), "\u00a9 2006 & <");
  EXPECT_EQ(in_text("&notit; I tell you"), "\u00acit; I tell you");  // the standard's example
  EXPECT_EQ(in_text("&notin; I tell you"), "\u2209 I tell you");
  EXPECT_EQ(in_text("&hellip"), "&hellip");  // not a legacy name
}

TEST(HtmlEntities, LegacyNamesInAttributesYieldToQueries) {
  EXPECT_EQ(in_attribute("?a=1&copy=2"), "?a=1&copy=2");
  EXPECT_EQ(in_attribute("?a=1&copyright"), "?a=1&copyright");
  EXPECT_EQ(in_attribute("?a=1&copy2"), "?a=1&copy2");
  EXPECT_EQ(in_attribute("?a=1&copy-2"), "?a=1\u00a9-2");
  EXPECT_EQ(in_attribute("?a=1&copy"), "?a=1\u00a9");
  EXPECT_EQ(in_attribute("?a=1&copy;=2"), "?a=1\u00a9=2");
  EXPECT_EQ(in_attribute("?a=1&notit;"), "?a=1&notit;");
}

TEST(HtmlEntities, NumbersAreDecoded) {
  EXPECT_EQ(in_attribute("&#65;&#x42;&#X43&#68"), "ABCD");
  EXPECT_EQ(in_attribute("&#65=&#x41g"), "A=Ag");
  EXPECT_EQ(in_attribute("&#x1F600;"), "\U0001F600");
}

TEST(HtmlEntities, NumbersOfControlsMeanWindows1252) {
  EXPECT_EQ(in_attribute("&#128;&#x99;&#x81;"), "\u20ac\u2122\u0081");
}

TEST(HtmlEntities, ImpossibleNumbersAreReplaced) {
  EXPECT_EQ(in_attribute("&#0;&#xD800;&#x110000;&#99999999999999999999;"),
            "\ufffd\ufffd\ufffd\ufffd");
}

TEST(HtmlEntities, WhatIsNoReferenceStays) {
  EXPECT_EQ(in_attribute("&&;&#;&#x;&#xg;& &nosuchname;"), "&&;&#;&#x;&#xg;& &nosuchname;");
  EXPECT_EQ(in_attribute("&"), "&");
  EXPECT_EQ(in_attribute("&#"), "&#");
}

TEST(HtmlEntities, LineEndsAreNormalisedAndNulReplaced) {
  using std::string_literals::operator""s;
  EXPECT_EQ(in_attribute("a\r\nb\rc\n"), "a\nb\nc\n");
  EXPECT_EQ(in_attribute("a\0b"s),
            "a\ufffd"
            "b");
  EXPECT_EQ(in_text("a\0b"s), "ab");
}

}  // namespace
}  // namespace webstrata
