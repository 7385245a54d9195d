// SPDX-License-Identifier: Apache-2.0

// Logarithms in integers: encoders estimate costs with these, so that their choices are the same on
// every machine. The table is computed at compile time, by repeated squaring.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace webstrata {

inline constexpr unsigned kLogFractionBits = 16;  // a cost of one bit is 2^16
inline constexpr unsigned kLogTableBits = 11;

// log2(mantissa / 2^31) for a mantissa in [2^31, 2^32), rounded down.
constexpr std::uint32_t log2_of_mantissa(std::uint64_t mantissa) {
  std::uint32_t log = 0;
  for (unsigned bit = 0; bit < kLogFractionBits; ++bit) {
    mantissa = mantissa * mantissa >> 31;
    log <<= 1;
    if (mantissa >> 32 != 0) {
      mantissa >>= 1;
      log |= 1;
    }
  }
  return log;
}

inline constexpr auto kLogTable = [] {
  std::array<std::uint16_t, 1 << kLogTableBits> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint64_t mantissa = (std::uint64_t{1} << 31) + (i << (31 - kLogTableBits));
    table[i] = static_cast<std::uint16_t>(log2_of_mantissa(mantissa));
  }
  return table;
}();

// log2(value) in units of 2^-16, from the top twelve bits of `value`; 0 for 0.
constexpr std::uint64_t fixed_log2(std::uint64_t value) noexcept {
  if (value == 0) return 0;
  const unsigned exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
  const std::uint64_t top = exponent >= kLogTableBits ? value >> (exponent - kLogTableBits)
                                                      : value << (kLogTableBits - exponent);
  return (std::uint64_t{exponent} << kLogFractionBits) + kLogTable[top - kLogTable.size()];
}

}  // namespace webstrata
