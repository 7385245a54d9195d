// The default: LORE (lore_planner.cpp) from five systematic tests. Twenty would cost a tenth of the
// first tenth on small sites; five are enough because its beliefs about relatives lead the first
// rounds until answers correct them.
// Tested by tests/liverank/planners_test.cpp.

#include <memory>

#include "webstrata/liverank/planner_makers.h"

namespace webstrata {

std::unique_ptr<Planner> make_auto_planner(const Population& pages, const PlannerOptions& options) {
  return make_lore_planner(pages, options);
}

}  // namespace webstrata
