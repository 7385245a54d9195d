// SPDX-License-Identifier: Apache-2.0

// Tested by tests/url/percent_test.cpp.

#include "webstrata/url/percent.h"

namespace webstrata {

void append_percent(std::string& out, char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  const char escape[3] = {'%', kDigits[value >> 4], kDigits[value & 15]};
  out.append(escape, 3);
}

void append_percent_encoded(std::string& out, std::string_view text, CharacterClass encoded) {
  std::size_t run_start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((classes_of(text[i]) & encoded) == 0) continue;
    out.append(text, run_start, i - run_start);
    append_percent(out, text[i]);
    run_start = i + 1;
  }
  out.append(text, run_start, text.size() - run_start);
}

int percent_value(std::string_view text, std::size_t position) noexcept {
  if (text.size() < 3 || position > text.size() - 3 || text[position] != '%') return -1;
  const int high = hex_value(text[position + 1]);
  const int low = hex_value(text[position + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void append_percent_decoded(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int value = percent_value(text, i);
    out += value < 0 ? text[i] : static_cast<char>(value);
    if (value >= 0) i += 2;
  }
}

}  // namespace webstrata
