// SPDX-License-Identifier: Apache-2.0

// Tested by tests/facts/outcome_test.cpp.

#include "webstrata/facts/outcome.h"

#include <array>

namespace webstrata {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 7> kNames = {"unknown",     "alive", "moved",    "blocked",
                                                    "unreachable", "gone",  "soft-gone"};

// Heritrix's fetch codes: -9998 robots precluded, -5000 out of scope, -4000 and the like are
// decisions of the crawler; -1 .. -8 are DNS, connection, timeout and runtime failures.
Outcome outcome_of_fetch_code(int code) noexcept {
  constexpr int kRobotsPrecluded = -9998;
  constexpr int kFirstFailure = -8;
  constexpr int kNoRobotsAnswer = -61;
  if (code == kRobotsPrecluded) return Outcome::Blocked;
  if ((code < 0 && code >= kFirstFailure) || code == kNoRobotsAnswer) return Outcome::Unreachable;
  return Outcome::Unknown;
}

}  // namespace

std::string_view to_string(Outcome outcome) noexcept {
  return kNames[static_cast<std::size_t>(outcome)];
}

std::optional<Outcome> parse_outcome(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Outcome>(i);
  }
  return std::nullopt;
}

Outcome outcome_of_status(int status, bool has_redirect_target) noexcept {
  if (status < 100) return outcome_of_fetch_code(status);
  if (status >= 200 && status < 300) return Outcome::Alive;
  if (status == 304) return Outcome::Alive;
  if (status >= 300 && status < 400) return has_redirect_target ? Outcome::Moved : Outcome::Unknown;
  switch (status) {
    case 401:
    case 403:
    case 429:
    case 451:
      return Outcome::Blocked;
    case 404:
    case 410:
      return Outcome::Gone;
    default:
      return status >= 500 && status < 600 ? Outcome::Unreachable : Outcome::Unknown;
  }
}

}  // namespace webstrata
