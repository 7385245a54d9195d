// SPDX-License-Identifier: Apache-2.0

// The automaton against a search for each keyword alone.

#include "webstrata/capture/record/keyword_matcher.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/base/text.h"
#include "webstrata/capture/record/folded_words.h"

namespace webstrata {
namespace {

using Counts = std::map<std::uint32_t, std::uint32_t>;

Counts count(const std::vector<std::string>& keywords, std::string_view text) {
  const KeywordMatcher matcher(keywords);
  KeywordCounter counter(matcher);
  Counts counts;
  for (const KeywordCount& found : counter.count(text)) counts[found.keyword] = found.times;
  return counts;
}

// Every place, one keyword after the other.
Counts count_slowly(const std::vector<std::string>& keywords, std::string_view text) {
  std::string folded;
  fold_words(text, folded);
  Counts counts;
  for (std::uint32_t i = 0; i < keywords.size(); ++i) {
    std::string word;
    fold_words(keywords[i], word);
    word = trim(word);
    for (std::size_t at = folded.find(word); at != std::string::npos;) {
      const bool is_whole = is_word_edge(folded, at) && is_word_edge(folded, at + word.size());
      if (is_whole) ++counts[i];
      at = folded.find(word, is_whole ? at + word.size() : at + 1);
    }
  }
  return counts;
}

TEST(KeywordMatcher, FindsWholeWords) {
  EXPECT_EQ(count({"bridge"}, "A bridge. Cambridge, bridges; BRIDGE-builder (bridge)"),
            (Counts{{0, 3}}));
  EXPECT_EQ(count({"école"}, "L'ECOLE et l'école normale"), (Counts{{0, 2}}));
  EXPECT_EQ(count({"war"}, "warfare award"), Counts());
}

TEST(KeywordMatcher, FindsPhrasesOverAnyWhiteSpace) {
  EXPECT_EQ(count({"new york"}, "New  York, new\nyork; newyork new, york"), (Counts{{0, 2}}));
}

TEST(KeywordMatcher, KeywordsDoNotDisturbEachOther) {
  EXPECT_EQ(count({"bridge", "suspension bridge", "Bridge "}, "a suspension bridge"),
            (Counts{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(KeywordMatcher, OneKeywordDoesNotOverlapItself) {
  EXPECT_EQ(count({"a b a"}, "a b a b a"), (Counts{{0, 1}}));
}

TEST(KeywordMatcher, TakesSignsAsTheyAre) {
  EXPECT_EQ(count({"c++", ".net", "at&t"}, "C++17, c++ and .NET at AT&T"),
            (Counts{{0, 2}, {1, 1}, {2, 1}}));
}

TEST(KeywordMatcher, FindsWordsInScriptsWithoutSpaces) {
  EXPECT_EQ(count({"中国"}, "我在中国住"), (Counts{{0, 1}}));
  EXPECT_EQ(count({"мост"}, "Мост, мосты"), (Counts{{0, 1}}));
}

TEST(KeywordMatcher, RefusesAKeywordOfWhichNothingIsLeft) {
  EXPECT_THROW(KeywordMatcher({"\xcc\x81"}), Error);
  EXPECT_THROW(KeywordMatcher({" "}), Error);
}

TEST(KeywordMatcher, EmptyTextAndNoKeywords) {
  EXPECT_EQ(count({"a"}, ""), Counts());
  EXPECT_EQ(count({}, "a b c"), Counts());
}

TEST(KeywordMatcher, AgreesWithASearchForEachKeywordAlone) {
  const std::vector<std::string> pieces = {"a", "b",  "ab", " ",  "á", "B",
                                           "-", "ba", "é",  "中", "1"};
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto make = [&](std::uint64_t size) {
      std::string text;
      for (std::uint64_t i = 0; i < size; ++i) text += pieces[random.below(pieces.size())];
      return text;
    };
    std::vector<std::string> keywords;
    for (std::uint64_t i = 0; i < 1 + random.below(6); ++i) {
      keywords.push_back("a" + make(random.below(4)));
    }
    const std::string text = make(random.below(80));
    EXPECT_EQ(count(keywords, text), count_slowly(keywords, text)) << text;
  }
}

}  // namespace
}  // namespace webstrata
