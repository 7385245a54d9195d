// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/phrases.h"

#include <gtest/gtest.h>

#include <string>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

std::vector<Symbol> symbols_of(const std::vector<std::string>& texts) {
  std::vector<Symbol> symbols;
  for (const std::string& text : texts) {
    for (const char byte : text) symbols.push_back(static_cast<std::uint8_t>(byte));
    symbols.push_back(kTextEnd);
  }
  return symbols;
}

void expand(const PhraseLevels& levels, Symbol symbol, std::vector<Symbol>& out) {
  if (symbol < kFirstPhrase) {
    out.push_back(symbol);
    return;
  }
  const Phrase& phrase = levels.phrases[symbol - kFirstPhrase];
  expand(levels, phrase.left, out);
  expand(levels, phrase.right, out);
}

std::vector<Symbol> expanded(const PhraseLevels& levels, const std::vector<Symbol>& texts) {
  std::vector<Symbol> out;
  for (const Symbol symbol : texts) expand(levels, symbol, out);
  return out;
}

// What the header promises of levels and phrases.
void expect_well_formed(const PhraseLevels& levels) {
  std::uint32_t start = 0;
  for (const std::uint32_t end : levels.ends) {
    ASSERT_LT(start, end);
    for (std::uint32_t i = start; i < end; ++i) {
      const Phrase& phrase = levels.phrases[i];
      ASSERT_LT(std::max(phrase.left, phrase.right), kFirstPhrase + start);
      if (i > start) {
        ASSERT_LT(levels.phrases[i - 1], phrase);
      }
      std::vector<Symbol> text;
      expand(levels, static_cast<Symbol>(kFirstPhrase + i), text);
      const auto ends = std::count(text.begin(), text.end(), kTextEnd);
      ASSERT_LE(text.size() - static_cast<std::size_t>(ends), kPhraseBytesMax);
      ASSERT_EQ(ends, text.back() == kTextEnd ? 1 : 0);
    }
    start = end;
  }
  ASSERT_EQ(start, levels.phrases.size());
  ASSERT_LE(levels.phrases.size(), kPhrasesMax);
}

void expect_same_texts(const std::vector<std::string>& texts) {
  const std::vector<Symbol> before = symbols_of(texts);
  std::vector<Symbol> after = before;
  const PhraseLevels levels = learn_phrases(after);
  expect_well_formed(levels);
  ASSERT_EQ(expanded(levels, after), before);
}

TEST(Phrases, NothingRepeatsNothingIsFound) {
  std::vector<Symbol> texts = symbols_of({"abc", "", "xyz"});
  const std::vector<Symbol> before = texts;
  EXPECT_TRUE(learn_phrases(texts).phrases.empty());
  EXPECT_EQ(texts, before);
  texts.clear();
  EXPECT_TRUE(learn_phrases(texts).phrases.empty());
}

TEST(Phrases, ATextThatRepeatsBecomesOneSymbol) {
  std::vector<Symbol> texts = symbols_of(std::vector<std::string>(100, "index.html"));
  const PhraseLevels levels = learn_phrases(texts);
  expect_well_formed(levels);
  EXPECT_EQ(texts.size(), 100U);
  EXPECT_EQ(expanded(levels, {texts[0]}), symbols_of({"index.html"}));
}

TEST(Phrases, RunsOfOneByte) {
  expect_same_texts({std::string(10000, 'a'), std::string(777, 'a'), std::string(3, 'a')});
}

TEST(Phrases, RandomTextsComeBack) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::string> texts(random.below(800));
    const auto alphabet = 1 + random.below(random.chance(0.5) ? 4 : 256);
    for (std::string& text : texts) {
      for (auto size = random.below(50); size > 0; --size) {
        text += static_cast<char>(random.below(alphabet));
      }
    }
    expect_same_texts(texts);
  }
}

// More pairs repeat than there may be symbols.
TEST(Phrases, NeverMoreThanThereMayBe) {
  Random random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 40000; ++i) {
    const auto pair = random.below(20000);
    texts.push_back({static_cast<char>(pair >> 8), static_cast<char>(pair),
                     static_cast<char>(pair * 7), static_cast<char>(pair * 31 >> 4)});
    for (int j = 0; j < 6; ++j) texts.push_back(texts.back());
  }
  expect_same_texts(texts);
}

}  // namespace
}  // namespace webstrata
