// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/html/html_text.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(HtmlText, WhiteSpaceIsFoldedAcrossPieces) {
  FoldedText text;
  text.append(" \n a\t ", true);
  text.append("\r\n b", true);
  text.append("c ", true);
  EXPECT_EQ(text.text(), "a bc");
}

TEST(HtmlText, PartSetsWordsApartOnce) {
  FoldedText text;
  text.part();
  text.append("a", true);
  text.part();
  text.part();
  text.append(" b", true);
  text.part();
  EXPECT_EQ(text.text(), "a b");
}

TEST(HtmlText, ReferencesAreDecodedWhereTheyCount) {
  FoldedText text;
  text.append("a&amp;b&#32;&#10;c", true);
  text.append(" &amp;", false);
  EXPECT_EQ(text.text(), "a&b c &amp;");
}

TEST(HtmlText, CharactersAreNotCutInHalf) {
  EXPECT_EQ(first_characters("äöü", 2), "äö");
  EXPECT_EQ(first_characters("äöü", 3), "äöü");
  EXPECT_EQ(first_characters("äöü", 9), "äöü");
  EXPECT_EQ(first_characters("äöü", 0), "");
  EXPECT_EQ(last_characters("äöü", 2), "öü");
  EXPECT_EQ(last_characters("äöü", 9), "äöü");
  EXPECT_EQ(last_characters("äöü", 0), "");
  EXPECT_EQ(last_characters("", 3), "");
}

}  // namespace
}  // namespace webstrata
