// SPDX-License-Identifier: Apache-2.0

// Compares secrets: takes the same time wherever they differ.

#pragma once

#include <cstddef>
#include <string_view>

namespace webstrata::frontier {

inline bool is_same_text(std::string_view given, std::string_view expected) noexcept {
  unsigned difference = given.size() == expected.size() ? 0U : 1U;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char letter = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(letter) ^ static_cast<unsigned char>(expected[i]);
  }
  return difference == 0;
}

}  // namespace webstrata::frontier
