// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/archive_test.cpp.

#include "webstrata/archive/read/page_verdict.h"

#include <algorithm>

#include "webstrata/facts/sighting.h"

namespace webstrata {
namespace {

constexpr auto kRevisit = static_cast<std::uint8_t>(SightingKind::Revisit);

std::span<const SightingOutcome> of_second(std::span<const SightingOutcome> sightings, Time time) {
  const auto first = std::ranges::lower_bound(sightings, time, {}, &SightingOutcome::time);
  const auto last = std::ranges::upper_bound(sightings, time, {}, &SightingOutcome::time);
  return {first, last};
}

// Whether the links of a row are those of a present page: decided by the captures of its second or,
// if there are none, by a revisit.
bool is_present_row(std::span<const SightingOutcome> second) {
  const bool has_capture = std::ranges::any_of(second, &SightingOutcome::has_links);
  return std::ranges::any_of(second, [&](const SightingOutcome& sighting) {
    const bool made_it = has_capture ? sighting.has_links : sighting.kind == kRevisit;
    return made_it && effective_outcome(sighting) == Outcome::Alive;
  });
}

std::optional<std::size_t> latest_present_row(std::span<const SightingOutcome> sightings,
                                              std::span<const Time> row_times, Time time) {
  auto row =
      static_cast<std::size_t>(std::ranges::upper_bound(row_times, time) - row_times.begin());
  while (row-- > 0) {
    if (is_present_row(of_second(sightings, row_times[row]))) return row;
  }
  return std::nullopt;
}

std::optional<std::size_t> row_at(std::span<const Time> row_times, Time time) {
  const auto found = std::ranges::lower_bound(row_times, time);
  if (found == row_times.end() || *found != time) return std::nullopt;
  return static_cast<std::size_t>(found - row_times.begin());
}

}  // namespace

Outcome effective_outcome(const SightingOutcome& sighting) noexcept {
  const auto outcome = static_cast<Outcome>(sighting.outcome);
  if (outcome != Outcome::Unknown) return outcome;
  return sighting.has_links || sighting.kind == kRevisit ? Outcome::Alive : Outcome::Unknown;
}

PageVerdict verdict_at(std::span<const SightingOutcome> sightings, std::span<const Time> row_times,
                       Time time) {
  const StateAt state = state_at(sightings, time, effective_outcome);
  PageVerdict verdict;
  verdict.state = state.state;
  verdict.since = state.state == PageState::Unknown ? 0 : state.since;
  if (state.state == PageState::Present) {
    verdict.row = latest_present_row(sightings, row_times, time);
  } else if (state.state == PageState::Moved) {
    verdict.row = row_at(row_times, state.since);
  }
  return verdict;
}

}  // namespace webstrata
