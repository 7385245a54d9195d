// SPDX-License-Identifier: Apache-2.0

// Lengths of time and rates as people write them: "500ms", "1.5s", "15m", "3d", "1y", "300/15m".
//
//   parse_duration("15m")   // 900'000
//   duration_text(900'000)  // "15m"

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

// In milliseconds, rounded up. Units are ms, s, m, h, d, w (7 days) and y (365 days); without a
// unit it is seconds. Empty if the text is not a length of time.
std::optional<std::int64_t> parse_duration(std::string_view text);

// The largest unit up to weeks that divides it: "15m"; else seconds: "1.5s"; below one second
// "250ms".
std::string duration_text(std::int64_t milliseconds);

// At most `count` events in any period of this length.
struct Rate {
  std::uint64_t count = 0;
  std::int64_t period_ms = 0;
  friend bool operator==(const Rate&, const Rate&) = default;
};

// "300/15m", "10/s". Empty if the text is not a whole number above 0 and a period.
std::optional<Rate> parse_rate(std::string_view text);

}  // namespace webstrata
