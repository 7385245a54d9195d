// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/human_test.cpp.

#include "webstrata/base/human.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace webstrata {

std::string human_number(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string human_amount(std::uint64_t amount, std::string_view unit) {
  if (unit != "B") return fmt::format("{} {}", human_number(amount), unit);
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  auto scaled = static_cast<double>(amount);
  std::size_t step = 0;
  for (; scaled >= 1000 && step + 1 < kUnits.size(); ++step) scaled /= 1000;
  return step == 0 || scaled >= 100 ? fmt::format("{:.0f} {}", scaled, kUnits[step])
                                    : fmt::format("{:.1f} {}", scaled, kUnits[step]);
}

std::string human_duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min", whole / 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace webstrata
