// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/duration_test.cpp.

#include "webstrata/base/duration.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace webstrata {
namespace {

struct DurationUnit {
  std::string_view name;
  std::int64_t milliseconds;
};
constexpr std::array<DurationUnit, 8> kDurationUnits = {{{"ms", 1},
                                                         {"s", 1000},
                                                         {"m", 60'000},
                                                         {"h", 3'600'000},
                                                         {"d", 86'400'000},
                                                         {"w", 604'800'000},
                                                         {"y", 31'536'000'000},
                                                         {"", 1000}}};
constexpr double kDurationMax = 1e15;  // over 30,000 years

std::optional<std::int64_t> milliseconds_of(std::string_view unit) {
  for (const DurationUnit& known : kDurationUnits) {
    if (known.name == unit) return known.milliseconds;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
  double amount = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), amount, std::chars_format::fixed);
  if (error != std::errc() || !(amount >= 0)) return std::nullopt;
  const auto unit = milliseconds_of(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!unit) return std::nullopt;
  const double milliseconds = std::ceil(amount * static_cast<double>(*unit));
  if (milliseconds > kDurationMax) return std::nullopt;
  return static_cast<std::int64_t>(milliseconds);
}

std::string duration_text(std::int64_t milliseconds) {
  for (const std::string_view name : {"w", "d", "h", "m"}) {
    const std::int64_t unit = *milliseconds_of(name);
    if (milliseconds >= unit && milliseconds % unit == 0) {
      return fmt::format("{}{}", milliseconds / unit, name);
    }
  }
  if (milliseconds < 1000) return fmt::format("{}ms", milliseconds);
  return fmt::format("{:g}s", static_cast<double>(milliseconds) / 1000);
}

std::optional<Rate> parse_rate(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  Rate rate;
  const auto [end, error] = std::from_chars(text.data(), text.data() + slash, rate.count);
  if (error != std::errc() || end != text.data() + slash || rate.count == 0) return std::nullopt;
  const std::string_view period = text.substr(slash + 1);
  const bool is_bare_unit = !period.empty() && (period.front() < '0' || period.front() > '9');
  const auto length = is_bare_unit ? milliseconds_of(period) : parse_duration(period);
  if (!length || *length <= 0 || period.empty()) return std::nullopt;
  rate.period_ms = *length;
  return rate;
}

}  // namespace webstrata
