// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/words_test.cpp.

#include "webstrata/words/amounts.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse_amount(std::string_view what, std::string_view word,
                                std::string_view wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", what, word, wanted));
}

// The power of two of a letter; 64 if it has none.
unsigned shift_of(std::string_view unit) {
  constexpr std::string_view kLetters = "KMGT";
  if (unit.empty()) return 0;
  const char letter =
      unit.front() >= 'a' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
  const std::size_t place = kLetters.find(letter);
  const bool is_unit =
      place != std::string_view::npos && (unit.size() == 1 || unit.substr(1) == "B");
  return is_unit ? 10 * (static_cast<unsigned>(place) + 1) : 64;
}

}  // namespace

std::size_t parse_bytes_word(std::string_view what, std::string_view word) {
  std::size_t amount = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, amount);
  const unsigned shift = shift_of({rest, static_cast<std::size_t>(end - rest)});
  const bool is_amount = error == std::errc() && shift < 64 &&
                         amount <= std::numeric_limits<std::size_t>::max() >> shift;
  if (!is_amount) refuse_amount(what, word, "not an amount of memory such as 512M or 4G");
  return amount << shift;
}

std::int64_t parse_duration_word(std::string_view what, std::string_view word) {
  const auto duration = parse_duration(word);
  if (!duration) refuse_amount(what, word, "not a length of time such as 500ms, 90s, 15m or 3d");
  return *duration;
}

Rate parse_rate_word(std::string_view what, std::string_view word) {
  const auto rate = parse_rate(word);
  if (!rate) refuse_amount(what, word, "not a rate such as 300/15m or 10/s");
  return *rate;
}

}  // namespace webstrata
