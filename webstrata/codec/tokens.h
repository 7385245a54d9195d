// SPDX-License-Identifier: Apache-2.0

// A number as a token and raw bits: below 16 the token is the number; above, it names the exponent
// and the two bits after the leading one, and the other bits follow as they are. 64-bit numbers
// need exactly 256 tokens.

#pragma once

#include <bit>
#include <cstdint>

namespace webstrata {

inline constexpr std::uint32_t kTokenCount = 256;
inline constexpr std::uint32_t kPlainTokens = 16;

struct Token {
  std::uint32_t symbol = 0;
  unsigned raw_width = 0;
  std::uint64_t raw = 0;
};

inline Token token_of(std::uint64_t value) noexcept {
  if (value < kPlainTokens) return {static_cast<std::uint32_t>(value), 0, 0};
  const unsigned exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
  const unsigned raw_width = exponent - 2;
  const auto top = static_cast<std::uint32_t>(value >> raw_width) & 3;
  return {kPlainTokens + (exponent - 4) * 4 + top, raw_width,
          value & ((std::uint64_t{1} << raw_width) - 1)};
}

// What a token says: the value is top · 2^raw_width plus the raw bits.
struct TokenShape {
  std::uint32_t top = 0;  // below 16
  unsigned raw_width = 0;
};

constexpr TokenShape token_shape(std::uint32_t symbol) noexcept {
  if (symbol < kPlainTokens) return {symbol, 0};
  return {4 | (symbol & 3), (symbol - kPlainTokens) / 4 + 2};
}

}  // namespace webstrata
