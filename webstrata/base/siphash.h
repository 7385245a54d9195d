// SPDX-License-Identifier: Apache-2.0

// SipHash-2-4 with 128 bits (Aumasson and Bernstein 2012): a keyed hash. Without the key it is
// infeasible to guess what was hashed or to make two inputs collide.

#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace webstrata {

struct SecretKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const SecretKey&, const SecretKey&) = default;
};

struct KeyedHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const KeyedHash&, const KeyedHash&) = default;
};

KeyedHash siphash128(const SecretKey& key, std::string_view bytes) noexcept;

}  // namespace webstrata
