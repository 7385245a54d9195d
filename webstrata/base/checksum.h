// SPDX-License-Identifier: Apache-2.0

// XXH3 checksums: 64 bits to detect damage, 128 bits to identify content. Not safe against
// adversaries.

#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace webstrata {

std::uint64_t checksum64(std::string_view bytes, std::uint64_t seed = 0) noexcept;

struct Checksum128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const Checksum128&, const Checksum128&) = default;
};
Checksum128 checksum128(std::string_view bytes) noexcept;

}  // namespace webstrata
