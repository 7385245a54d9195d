// SPDX-License-Identifier: Apache-2.0

// Tested by tests/facts/page_state_test.cpp.

#include "webstrata/facts/page_state.h"

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

}  // namespace webstrata
