// SPDX-License-Identifier: Apache-2.0

// When a place may be contacted again.
//
// One connection at a time to a host and to a server's address. Between the end of an answer and
// the next request there is a delay: the largest of our own, the host's Crawl-delay, and
// Retry-After. A server that answers 429 or 503 wants fewer requests: its whole host is left alone
// for a time that doubles with every such answer in a row. A server that does not answer at all
// says nothing about those on other ports: its origin (scheme, host and port) is left alone
// likewise, and only an origin is ever given up.

#pragma once

#include <cstdint>
#include <optional>

#include "webstrata/fetch/rules/place.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

struct PolitenessRules {
  Moment delay_ms = 1000;
  // Between requests to one address, whatever the host; hosts that share a server share its time.
  std::optional<Moment> address_delay_ms = {};  // empty: delay_ms
  unsigned connections_per_address = 1;
  unsigned connections = 64;  // in all
  Moment backoff_first_ms = 10'000;
  Moment backoff_max_ms = 3'600'000;
  unsigned failures_max = 5;  // in a row, until an origin is given up
  friend bool operator==(const PolitenessRules&, const PolitenessRules&) = default;
};

// What an answer says about its host.
enum class HostSign : std::uint8_t {
  Well,        // it answers
  Overloaded,  // 429, 502, 503, 504: it wants fewer requests
  Silent,      // no name, no connection, no answer
  Nothing,     // the request never left
};
HostSign host_sign(const Response& response) noexcept;

// The moment that Retry-After names, in seconds from now or as a date.
std::optional<Moment> retry_after(const Response& response, Moment now);

// Records that an answer of `origin` ended at `now`, and for how long it or its whole host is left
// alone.
void note_answer(Place& host, Place& origin, HostSign sign, std::optional<Moment> retry_at,
                 Moment now, const PolitenessRules& rules);

// The earliest time at which a place without a request in flight may be contacted; kNever if it is
// given up. Times are whole milliseconds, so one is added to keep the real delay from falling
// short.
Moment free_at(const Place& place, Moment own_delay_ms) noexcept;

}  // namespace webstrata
