// SPDX-License-Identifier: Apache-2.0

// What is contacted: a host by its name, an origin (scheme, host and port), or a server by its
// address. Hosts and addresses have delays, origins have failures.

#pragma once

#include <cstdint>
#include <string>

#include "webstrata/fetch/wire/clock.h"

namespace webstrata {

inline constexpr Moment kNever = INT64_MAX;

struct Place {
  Moment last_lease = INT64_MIN / 2;
  Moment last_end = INT64_MIN / 2;    // when the last answer was complete
  Moment delay_ms = 0;                // requested by the place itself (Crawl-delay)
  Moment not_before = INT64_MIN / 2;  // Retry-After, back-off
  std::uint32_t failures = 0;         // of an origin, in a row
  bool is_given_up = false;           // an origin
  std::uint64_t requests = 0;         // charged
  std::uint64_t bytes = 0;            // charged
  std::string address = {};           // of a host, as far as known; several are separated by spaces
  friend bool operator==(const Place&, const Place&) = default;
};

}  // namespace webstrata
