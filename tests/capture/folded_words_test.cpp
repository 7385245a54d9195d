// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/record/folded_words.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

std::string folded(std::string_view text) {
  std::string out;
  fold_words(text, out);
  return out;
}

TEST(FoldedWords, CaseAndAccentsGo) {
  EXPECT_EQ(folded("Dál RIATA"), "dal riata");
  EXPECT_EQ(folded("Ångström ÉCOLE Ñandú"), "angstrom ecole nandu");
  EXPECT_EQ(folded("e\xcc\x81t\xc3\xa9"), "ete");  // decomposed and composed
  EXPECT_EQ(folded("Straße"), "strasse");
  EXPECT_EQ(folded("ΣΊΣΥΦΟΣ"), folded("σίσυφος"));
  EXPECT_EQ(folded("Łódź Ørsted Đorđe"), "lodz orsted dorde");
  EXPECT_EQ(folded("İSTANBUL ıspanak"), "istanbul ispanak");
}

TEST(FoldedWords, FormsOfLettersAreOne) {
  EXPECT_EQ(folded("ﬁnal Ａｂｃ ²"), "final abc 2");
  EXPECT_EQ(folded("brid\xc2\xadge"), "bridge");  // a soft hyphen
}

TEST(FoldedWords, PointsOfHebrewGoAndVowelSignsOfHindiStay) {
  EXPECT_EQ(folded("שָׁלוֹם"), "שלום");
  EXPECT_NE(folded("कि"), folded("क"));
  EXPECT_NE(folded("が"), folded("か"));
}

TEST(FoldedWords, WhiteSpaceIsOneSpace) {
  EXPECT_EQ(folded("  a \t\n b\xc2\xa0\xe2\x80\x83"
                   "c "),
            "a b c ");
}

TEST(FoldedWords, IllFormedBytesAreNoLetters) {
  EXPECT_EQ(folded("a\xff"
                   "b"),
            "a\xef\xbf\xbd"
            "b");
}

TEST(FoldedWords, KnowsWhereWordsEnd) {
  const auto is_edge = [](std::string_view text, std::size_t place) {
    return is_word_edge(text, place);
  };
  EXPECT_TRUE(is_edge("ab", 0));
  EXPECT_TRUE(is_edge("ab", 2));
  EXPECT_FALSE(is_edge("ab", 1));
  EXPECT_FALSE(is_edge("a1", 1));
  EXPECT_FALSE(is_edge("a_b", 1));
  EXPECT_TRUE(is_edge("a-b", 1));
  EXPECT_TRUE(is_edge("a b", 1));
  EXPECT_FALSE(is_edge("жд", 2));   // Cyrillic
  EXPECT_TRUE(is_edge("中国", 3));  // written without spaces
  EXPECT_TRUE(is_edge("a中", 1));
}

}  // namespace
}  // namespace webstrata
