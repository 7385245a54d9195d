// SPDX-License-Identifier: Apache-2.0

// The expected texts follow from Unicode's White_Space property and from counting characters.

#include "webstrata/facts/anchor_text.h"

#include <gtest/gtest.h>

#include "webstrata/base/random.h"
#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

std::string kept(std::string_view text) {
  std::string out;
  append_anchor_text(out, text);
  return out;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_utf8(text);
  return count;
}

TEST(AnchorText, FoldsWhiteSpace) {
  EXPECT_EQ(kept("  Read\n\t more  "), "Read more");
  EXPECT_EQ(kept("a\u00a0\u3000b\u2028"), "a b");  // no-break and ideographic space, line separator
  EXPECT_EQ(kept(std::string_view("a\0b\x1b[1m", 7)), "a b [1m");
  EXPECT_EQ(kept(" \n"), "");
  EXPECT_EQ(kept("a\u200bb"), "a\u200bb");  // zero width space is not White_Space
}

TEST(AnchorText, CutsAtOneHundredCharacters) {
  EXPECT_EQ(kept(std::string(300, 'x')), std::string(100, 'x'));
  std::string umlauts;
  for (int i = 0; i < 150; ++i) umlauts += "ü";
  EXPECT_EQ(kept(umlauts), umlauts.substr(0, 200));
  // The hundredth character would be a space.
  EXPECT_EQ(kept(std::string(99, 'x') + " y"), std::string(99, 'x'));
  EXPECT_EQ(kept(std::string(98, 'x') + " yz"), std::string(98, 'x') + " y");
}

TEST(AnchorText, RepairsWhatIsNotUtf8) {
  EXPECT_EQ(kept("caf\xe9!"), "caf\ufffd!");
  EXPECT_EQ(kept("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");  // a surrogate
}

TEST(AnchorText, OfAResultIsTheResult) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::string text;
    for (std::uint64_t left = random.below(300); left > 0; --left) {
      text.push_back(random.chance(0.3) ? ' ' : static_cast<char>(random.below(256)));
    }
    const std::string once = kept(text);
    EXPECT_EQ(kept(once), once);
    EXPECT_TRUE(is_utf8(once));
    EXPECT_LE(characters(once), kKeptTextMax);
  }
}

}  // namespace
}  // namespace webstrata
