// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/wide_code_test.cpp.

#include "webstrata/codec/wide_code.h"

#include <algorithm>
#include <array>

#include "webstrata/base/error.h"
#include "webstrata/codec/huffman.h"

namespace webstrata {

namespace {

constexpr unsigned kWideBitsMax = 16;

std::uint16_t reversed(std::uint32_t code, unsigned length) {
  std::uint32_t turned = 0;
  for (unsigned bit = 0; bit < length; ++bit) turned |= (code >> bit & 1) << (length - 1 - bit);
  return static_cast<std::uint16_t>(turned);
}

bool is_complete(std::span<const std::uint8_t> lengths, unsigned bits_max) {
  std::uint64_t filled = 0;
  for (const std::uint8_t length : lengths) {
    if (length > bits_max) return false;
    if (length != 0) filled += std::uint64_t{1} << (bits_max - length);
  }
  return filled == std::uint64_t{1} << bits_max;
}

}  // namespace

std::vector<std::uint8_t> wide_code_lengths(std::vector<std::uint64_t> counts, unsigned bits_max) {
  counts[0] = std::max<std::uint64_t>(counts[0], 1);
  counts[1] = std::max<std::uint64_t>(counts[1], 1);
  return huffman_lengths(counts, bits_max);
}

std::vector<std::uint16_t> wide_codes(std::span<const std::uint8_t> lengths) {
  std::array<std::uint32_t, kWideBitsMax + 2> next{};
  for (const std::uint8_t length : lengths) {
    if (length != 0) ++next[length + 1];
  }
  // next[n] was the number of codes of n - 1 bits; now it is the first code of n bits.
  for (unsigned length = 1; length <= kWideBitsMax; ++length) {
    next[length] = (next[length] + next[length - 1]) << 1;
  }
  std::vector<std::uint16_t> codes(lengths.size(), 0);
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    const unsigned length = lengths[symbol];
    if (length != 0) codes[symbol] = reversed(next[length]++, length);
  }
  return codes;
}

std::vector<std::uint16_t> wide_code_table(std::span<const std::uint8_t> lengths,
                                           unsigned bits_max) {
  if (!is_complete(lengths, bits_max)) {
    throw Error(ErrorKind::Corrupt, "names: a code is not complete; restore it from a copy");
  }
  const std::vector<std::uint16_t> codes = wide_codes(lengths);
  std::vector<std::uint16_t> table(std::size_t{1} << bits_max);
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    if (lengths[symbol] == 0) continue;
    const std::size_t step = std::size_t{1} << lengths[symbol];
    for (std::size_t i = codes[symbol]; i < table.size(); i += step) {
      table[i] = static_cast<std::uint16_t>(symbol);
    }
  }
  return table;
}

}  // namespace webstrata
