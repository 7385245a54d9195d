// A check for options that count something. The option parser itself takes -1 for 2^64 - 1.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace webstrata {

// Digits alone, below 2^63. With `least` 1: not 0.
inline CLI::Validator whole_number(int least = 0) {
  const auto complaint = [least](const std::string& word) {
    const bool is_number = !word.empty() && word.size() < 19 &&
                           word.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && (least == 0 || word.find_first_not_of('0') != std::string::npos)) {
      return std::string();
    }
    return word + " is not a whole number from " + std::to_string(least);
  };
  return {complaint, ""};
}

}  // namespace webstrata
