// SPDX-License-Identifier: Apache-2.0

// The default: LORE (lore_planner.cpp) from few systematic tests, 0.25 % of the pages and at least
// five, that tries directories about which nothing is known when its own choices stop finding live
// pages (exploration.h). Twenty tests would cost a tenth of the first tenth on small sites; five
// are enough because its prior about relatives guides the first rounds until answers correct it.
// Where the model explains nothing, PB ranks the round.
//
// A bandit over LORE, PB, BFS, AI and active directories was measured and not kept:
// docs/decisions/013-auto.md.
// Tested by tests/liverank/planners_test.cpp and exploration_test.cpp.

#include <memory>

#include "webstrata/liverank/planner_makers.h"

namespace webstrata {

std::unique_ptr<Planner> make_auto_planner(const Population& pages, const PlannerOptions& options) {
  return make_exploring_lore_planner(pages, options);
}

}  // namespace webstrata
