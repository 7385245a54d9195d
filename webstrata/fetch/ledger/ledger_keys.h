// SPDX-License-Identifier: Apache-2.0

// The keys of a ledger's records: a letter, then a number (big-endian, so that order is kept) or a
// name. Private to ledger.cpp and ledger_export.cpp.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata::ledger_keys {

inline constexpr std::string_view kTotals = "T";
inline constexpr std::string_view kSeed = "S";
inline constexpr std::string_view kClock = "K";
inline constexpr std::string_view kLostBytes = "L";
inline constexpr std::string_view kLastMoment = "M";
inline constexpr std::string_view kResidue =
    "Z";  // present while files may contain what was forgotten
inline constexpr std::string_view kSetting = "j";
inline constexpr std::string_view kUrl = "u";
inline constexpr std::string_view kTurnedAway = "x";
inline constexpr std::string_view kCharge = "c";
inline constexpr std::string_view kUnderWay = "f";
inline constexpr std::string_view kPlace = "h";
inline constexpr std::string_view kRobots = "r";
inline constexpr std::string_view kLearned = "p";

inline std::string numbered(std::string_view letter, std::uint64_t number) {
  std::string key(letter);
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift));
  return key;
}

// What numbered() wrote after the letter.
inline std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

inline std::string named(std::string_view letter, std::string_view name) {
  return std::string(letter).append(name);
}

}  // namespace webstrata::ledger_keys
