// SPDX-License-Identifier: Apache-2.0

// A check for options that count something. The option parser itself takes -1 for 2^64 - 1.

#pragma once

#include <functional>
#include <string>

namespace webstrata {

// For Flag::check: digits alone, below 10^18. With `least` 1: not 0.
inline std::function<std::string(const std::string&)> whole_number(int least = 0) {
  return [least](const std::string& word) {
    const bool is_number = !word.empty() && word.size() < 19 &&
                           word.find_first_not_of("0123456789") == std::string::npos;
    const bool is_zero = word.find_first_not_of('0') == std::string::npos;
    if (is_number && (least == 0 || !is_zero)) return std::string();
    return word + " is not a whole number of at least " + std::to_string(least);
  };
}

}  // namespace webstrata
