// Is a page there at a given time? What its sightings up to then decide.
//
// The latest deciding sighting counts: 2xx or a revisit: present; 3xx with a target: moved; 404,
// 410, soft-gone: gone. Refusals, silence and everything else change nothing. In one second
// present comes before moved before gone.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "webstrata/base/time.h"
#include "webstrata/facts/outcome.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

enum class PageState : std::uint8_t {
  Unknown,  // nothing decided it yet
  Present,
  Moved,
  Gone,
};
std::string_view to_string(PageState state) noexcept;

// What of a sighting can decide.
struct DatedOutcome {
  Time time = 0;
  Outcome outcome = Outcome::Unknown;
};
// What `outcome` says about the page; empty if it changes nothing.
std::optional<PageState> decided_by(Outcome outcome) noexcept;

struct StateAt {
  PageState state = PageState::Unknown;
  Time since = 0;  // the time of the sighting that decided; meaningless if Unknown
};
// `outcomes` in ascending order of time; those after `time` are not looked at.
StateAt state_at(std::span<const DatedOutcome> outcomes, Time time) noexcept;

}  // namespace webstrata
