// SPDX-License-Identifier: Apache-2.0

// Canonical prefix codes with one flat table to decode them: for large alphabets, where most codes
// are too long for the small first table of context_codes.h. Bits as BitWriter stores them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webstrata {

// Code lengths, by huffman.h, that are never degenerate: symbols 0 and 1 always have a code. There
// are at least two symbols.
std::vector<std::uint8_t> wide_code_lengths(std::vector<std::uint64_t> counts, unsigned bits_max);

// The code of each symbol, first bit lowest: shorter codes first, then by symbol. A length is at
// most 16; 0 means no code.
std::vector<std::uint16_t> wide_codes(std::span<const std::uint8_t> lengths);

// The table that maps the next `bits_max` bits to the symbol whose code they begin with.
// Throws Error(Corrupt) unless the code is complete and no length exceeds `bits_max`.
std::vector<std::uint16_t> wide_code_table(std::span<const std::uint8_t> lengths,
                                           unsigned bits_max);

}  // namespace webstrata
