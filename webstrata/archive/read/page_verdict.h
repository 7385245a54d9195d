// SPDX-License-Identifier: Apache-2.0

// What the sightings of a page say about it at a time, and which of its rows has its links then.
//
// On top of facts/page_state.h: a capture or a revisit with unknown outcome shows that the page is
// present. A present page has the links of its latest capture as a present page: not those of a
// redirect in between. A page that moved has the redirect alone.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "webstrata/base/time.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/facts/page_state.h"

namespace webstrata {

struct PageVerdict {
  PageState state = PageState::Unknown;
  Time since = 0;
  std::optional<std::size_t> row;  // that has the links
};

// `sightings` and `row_times` as a page has them, in order.
PageVerdict verdict_at(std::span<const SightingOutcome> sightings, std::span<const Time> row_times,
                       Time time);

// What a sighting counts as.
Outcome effective_outcome(const SightingOutcome& sighting) noexcept;

}  // namespace webstrata
