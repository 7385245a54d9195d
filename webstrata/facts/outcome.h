// What an answer says about a page, and the classes of HTTP status behind it.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace webstrata {

enum class Outcome : std::uint8_t {
  Unknown,      // nothing decided it
  Alive,        // a 2xx answer or a revisit
  Moved,        // a 3xx answer with a target
  Blocked,      // refused: 401, 403, 429, 451, robots.txt. Not a death.
  Unreachable,  // no answer: DNS, connection, timeout; or 5xx. Not a death.
  Gone,         // 404, 410
  SoftGone,     // 200 in words, gone in fact
};

std::string_view to_string(Outcome outcome) noexcept;
std::optional<Outcome> parse_outcome(std::string_view name) noexcept;

// `status` is an HTTP status, or one of Heritrix's codes where no HTTP answer came (negative, and
// 1 for a DNS look-up that worked, which says nothing about a page).
Outcome outcome_of_status(int status, bool has_redirect_target) noexcept;

}  // namespace webstrata
