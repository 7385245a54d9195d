// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/statuses.h"

namespace webstrata {

std::vector<StatusRow> status_rows(const OutcomeCounts& outcomes, std::uint64_t no_host,
                                   std::uint64_t redirect_targets) {
  const auto count = [&](Outcome outcome) { return outcomes[static_cast<std::size_t>(outcome)]; };
  const std::uint64_t unreachable = count(Outcome::Unreachable) - no_host;
  const std::uint64_t alive = count(Outcome::Alive);
  return {{"404, 410", "gone", count(Outcome::Gone)},
          {"host not found", "no_host", no_host},
          {"moved (301 and others)", "moved", count(Outcome::Moved)},
          {"redirect targets", "redirect_targets", redirect_targets, true},
          {"200", "answered", alive + count(Outcome::SoftGone)},
          {"true 200", "alive", alive, true},
          {"other", "other", count(Outcome::Blocked) + unreachable + count(Outcome::Unknown)},
          {"refused", "blocked", count(Outcome::Blocked), true},
          {"no answer, 5xx", "unreachable", unreachable, true},
          {"not known", "unknown", count(Outcome::Unknown), true}};
}

}  // namespace webstrata
