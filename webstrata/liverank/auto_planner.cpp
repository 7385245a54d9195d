// Placeholder until the portfolio is tuned: LORE from twenty systematic tests.
#include <memory>

#include "webstrata/liverank/planner_makers.h"

namespace webstrata {

std::unique_ptr<Planner> make_auto_planner(const Population& pages, const PlannerOptions& options) {
  PlannerOptions small = options;
  if (!small.sample) small.sample = SampleOptions{.kind = SampleKind::Systematic, .size = 20};
  return make_lore_planner(pages, small);
}

}  // namespace webstrata
