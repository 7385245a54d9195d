// SPDX-License-Identifier: Apache-2.0

// Length-limited prefix codes, canonical, with bits in the order in which BitWriter stores them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webstrata {

inline constexpr unsigned kCodeBitsMax = 12;

// The best code lengths of at most `bits_max` for these counts: by package-merge (Larmore and
// Hirschberg 1990), ties by symbol. A symbol that never occurs has length 0; so has a symbol that
// is the only one. There are at most 2^bits_max symbols.
std::vector<std::uint8_t> huffman_lengths(std::span<const std::uint64_t> counts, unsigned bits_max);

// The code of each symbol, first bit lowest: shorter codes first, then by symbol.
std::vector<std::uint16_t> canonical_codes(std::span<const std::uint8_t> lengths);

// Whether every sequence of bits begins with exactly one code.
bool is_complete(std::span<const std::uint8_t> lengths) noexcept;

}  // namespace webstrata
