// SPDX-License-Identifier: Apache-2.0

// Which prefix code the symbols under each context use.
//
// Contexts belong to families: symbols mean the same inside a family, and only there may contexts
// share a code. Every family has a default code known to both sides, so that a handful of symbols
// needs no table at all. The other codes are computed from counts, similar contexts are merged, and
// the code lengths are written before the stream.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/base/bits.h"
#include "webstrata/codec/huffman.h"

namespace webstrata {

inline constexpr std::uint32_t kCodesMax = 128;  // that can be written

struct PrefixCode {
  std::vector<std::uint8_t> lengths;   // by symbol; 0: does not occur
  std::optional<std::uint32_t> alone;  // the only symbol, which takes no bits
};

// What both sides know beforehand.
struct CodeLayout {
  std::vector<std::uint8_t> family_of;    // by context
  std::vector<PrefixCode> default_codes;  // by family; their size is the family's alphabet
};

// The code of context c is codes[code_of[c]]. The default codes come first.
struct ContextCodes {
  std::vector<std::uint8_t> code_of;
  std::vector<PrefixCode> codes;
};

using SymbolCounts = std::vector<std::vector<std::uint32_t>>;  // by context, then by symbol

// A code made from constant weights.
PrefixCode default_code(std::span<const std::uint64_t> weights);
// The default code of tokens.h: small numbers are likely, but any may occur.
PrefixCode default_token_code();

// Chooses codes, at most `codes_max` (and kCodesMax) besides the default ones.
ContextCodes choose_codes(const CodeLayout& layout, const SymbolCounts& counts,
                          std::uint32_t codes_max);

void write_codes(BitWriter& bits, const CodeLayout& layout, const ContextCodes& codes);
// Throws Error(Corrupt) unless every code is complete.
ContextCodes read_codes(BitReader& bits, const CodeLayout& layout);

// Gamma code of Elias: a number from 1 in about twice its bits.
void write_gamma(BitWriter& bits, std::uint64_t value);
std::uint64_t read_gamma(BitReader& bits);

// Codes are looked up by their first six bits; longer ones continue in a second table. Every chunk
// has tables of its own, so small ones leave more of the cache to the lists. (Widths of 5 to 8 were
// tried on a busy machine, where two passes did not agree on the best.)
inline constexpr unsigned kLookupBits = 6;
inline constexpr std::uint32_t kLookupSize = 1 << kLookupBits;
inline constexpr std::uint32_t kLookupFlag = std::uint32_t{1} << 31;  // not an entry, but:
// bits 0..3 the width of the second table, bits 4..30 where it begins in `more`.

// Fills `first` (kLookupSize entries) and appends to `more`. `entries` has the entry of each symbol
// without kLookupFlag; a flagged one is kept apart in `more` as a table of width 0.
void fill_lookup(const PrefixCode& code, std::span<const std::uint32_t> entries,
                 std::span<std::uint32_t> first, std::vector<std::uint32_t>& more);

}  // namespace webstrata
