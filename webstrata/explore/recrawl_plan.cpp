// Tested by tests/explore/recrawl_plan_test.cpp.

#include "webstrata/explore/recrawl_plan.h"

#include <algorithm>
#include <tuple>

namespace webstrata {

std::vector<PlannedFetch> plan_fetches(std::span<const SeenPage> known,
                                       std::span<const NewPage> frontier, std::size_t budget) {
  std::vector<PlannedFetch> plan;
  for (const SeenPage& page : known) {
    plan.push_back({page.node, visit_worth(page.page, page.days_since_seen), false});
  }
  for (const NewPage& page : frontier) plan.push_back({page.node, page.expected, true});
  std::erase_if(plan, [](const PlannedFetch& fetch) { return !(fetch.worth > 0); });
  std::sort(plan.begin(), plan.end(), [](const PlannedFetch& a, const PlannedFetch& b) {
    return std::tuple(b.worth, b.is_new, a.node) < std::tuple(a.worth, a.is_new, b.node);
  });
  if (plan.size() > budget) plan.resize(budget);
  return plan;
}

}  // namespace webstrata
