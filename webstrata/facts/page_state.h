// SPDX-License-Identifier: Apache-2.0

// The state of a page at a given time, as its sightings up to then decide.
//
// The latest deciding sighting counts: 2xx or a revisit: present; 3xx with a target: moved; 404,
// 410, soft-gone: gone. Refusals, missing answers and everything else change nothing. Within one
// second, present takes precedence over moved, and moved over gone.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "webstrata/base/time.h"
#include "webstrata/facts/outcome.h"

namespace webstrata {

enum class PageState : std::uint8_t {
  Unknown,  // nothing decided it yet
  Present,
  Moved,
  Gone,
};
std::string_view to_string(PageState state) noexcept;

// What `outcome` says about the page; empty if it changes nothing.
std::optional<PageState> decided_by(Outcome outcome) noexcept;

struct StateAt {
  PageState state = PageState::Unknown;
  Time since = 0;  // the time of the sighting that decided; meaningless if Unknown
};
// Of sightings with a `time`, ascending; those after `time` are ignored. `outcome_of` says what one
// counts as. Only the latest few are read.
template <typename Seen, typename OutcomeOf>
StateAt state_at(std::span<const Seen> sightings, Time time, OutcomeOf outcome_of) {
  const auto end = std::ranges::upper_bound(sightings, time, {}, &Seen::time);
  StateAt found;
  for (auto seen = end; seen != sightings.begin();) {
    --seen;
    if (found.state != PageState::Unknown && seen->time != found.since) break;
    const auto state = decided_by(outcome_of(*seen));
    if (!state) continue;
    // Enumerators are in the order of precedence within one second.
    if (found.state == PageState::Unknown || *state < found.state) found = {*state, seen->time};
  }
  return found;
}

}  // namespace webstrata
