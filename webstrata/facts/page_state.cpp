// Tested by tests/facts/page_state_test.cpp.

#include "webstrata/facts/page_state.h"

#include <algorithm>
#include <array>

namespace webstrata {

std::string_view to_string(PageState state) noexcept {
  // In the order of the enumerators.
  constexpr std::array<std::string_view, 4> kNames = {"unknown", "present", "moved", "gone"};
  return kNames[static_cast<std::size_t>(state)];
}

std::optional<PageState> decided_by(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::Alive:
      return PageState::Present;
    case Outcome::Moved:
      return PageState::Moved;
    case Outcome::Gone:
    case Outcome::SoftGone:
      return PageState::Gone;
    case Outcome::Unknown:
    case Outcome::Blocked:
    case Outcome::Unreachable:
      break;
  }
  return std::nullopt;
}

StateAt state_at(std::span<const DatedOutcome> outcomes, Time time) noexcept {
  const auto end =
      std::partition_point(outcomes.begin(), outcomes.end(),
                           [&](const DatedOutcome& seen) { return seen.time <= time; });
  StateAt found;
  for (auto seen = end; seen != outcomes.begin();) {
    --seen;
    if (found.state != PageState::Unknown && seen->time != found.since) break;
    const auto state = decided_by(seen->outcome);
    if (!state) continue;
    // Enumerators stand in the order of preference inside one second.
    if (found.state == PageState::Unknown || *state < found.state) found = {*state, seen->time};
  }
  return found;
}

}  // namespace webstrata
