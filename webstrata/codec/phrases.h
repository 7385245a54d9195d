// SPDX-License-Identifier: Apache-2.0

// Phrases: strings that occur often in many short texts, found by joining frequent adjacent pairs.
//
// A text is a sequence of symbols: bytes, and the end of a text, which is a symbol too and may be
// the end of a phrase. A phrase is a pair of symbols, so longer ones grow out of shorter ones.

#pragma once

#include <cstdint>
#include <vector>

namespace webstrata {

using Symbol = std::uint16_t;

inline constexpr Symbol kTextEnd = 256;
inline constexpr Symbol kFirstPhrase = 257;
inline constexpr std::size_t kSymbolsMax = 1 << 14;
inline constexpr std::size_t kPhrasesMax = kSymbolsMax - kFirstPhrase;
inline constexpr std::size_t kPhraseBytesMax = 64;

// `left` never contains the end of a text.
struct Phrase {
  Symbol left = 0;
  Symbol right = 0;
  friend auto operator<=>(const Phrase&, const Phrase&) = default;
};

struct PhraseLevels {
  std::vector<Phrase> phrases;  // the i-th is the symbol kFirstPhrase + i
  // Where each level ends in `phrases`. A level is made of symbols below it, at least one of them
  // from the level just below, and its phrases ascend.
  std::vector<std::uint32_t> ends;
};

// `texts` holds bytes and ends, the last symbol being an end; phrases that are found replace them.
// The result depends on the symbols alone. About 80 ns per byte of typical keys.
PhraseLevels learn_phrases(std::vector<Symbol>& texts);

}  // namespace webstrata
