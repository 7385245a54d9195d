// SPDX-License-Identifier: Apache-2.0

// What an answer says about a page, derived from classes of HTTP status.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace webstrata {

enum class Outcome : std::uint8_t {
  Unknown,      // nothing decided it
  Alive,        // a 2xx answer or a revisit
  Moved,        // a 3xx answer with a target
  Blocked,      // refused: 401, 403, 429, 451, robots.txt; not gone
  Unreachable,  // no answer: DNS, connection, timeout; or 5xx; not gone
  Gone,         // 404, 410
  SoftGone,     // status 200, but really gone
};

std::string_view to_string(Outcome outcome) noexcept;
std::optional<Outcome> parse_outcome(std::string_view name) noexcept;

// `status` is an HTTP status, or one of Heritrix's codes where no HTTP answer came (negative, and
// 1 for a DNS look-up that worked, which says nothing about a page).
Outcome outcome_of_status(int status, bool has_redirect_target) noexcept;

}  // namespace webstrata
