// Tested by tests/explore/recrawl_plan_test.cpp.

#include "webstrata/explore/recrawl_plan.h"

#include <algorithm>
#include <cmath>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

void check(std::span<const double> expected, double days) {
  const bool all_good = std::all_of(expected.begin(), expected.end(), [](double score) {
    return std::isfinite(score) && score >= 0;
  });
  if (!all_good || !std::is_sorted(expected.rbegin(), expected.rend())) {
    throw Error(ErrorKind::BadInput, "expected scores must be numbers from 0, the best first");
  }
  if (!(days > 0) || !std::isfinite(days)) {
    throw Error(ErrorKind::BadInput, "a budget must be for some time: give more than 0 days");
  }
}

bool can_gain(const RecrawlPage& page) { return page.weight > 0 && page.rate > 0; }

// What known pages bring with so many visits a day, at best.
double worth_of(std::span<const RecrawlPage> known, double visits_per_day) {
  const auto visits = allocate(RecrawlPolicy::Optimal, known, visits_per_day);
  double worth = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (can_gain(known[i])) worth += known[i].weight * visits[i] / (visits[i] + known[i].rate);
  }
  return worth;
}

}  // namespace

FetchPlan share_budget(std::span<const RecrawlPage> known, std::span<const double> expected,
                       std::size_t budget, double days) {
  check(expected, days);
  const bool has_use = std::any_of(known.begin(), known.end(), can_gain);
  const auto left_for = [&](std::size_t new_pages) {
    return has_use ? static_cast<double>(budget - new_pages) / days : 0;
  };
  // The less is left for known pages, the more the next fetch would have brought them, and the
  // next new page is worth less: the first that is not worth it ends the search.
  const auto price_after = [&](std::size_t new_pages) {
    return worth_of(known, left_for(new_pages)) - worth_of(known, left_for(new_pages + 1));
  };
  std::size_t low = 0;
  std::size_t high = std::min(budget, expected.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const bool is_worth_it = expected[middle] > 0 && expected[middle] >= price_after(middle);
    is_worth_it ? low = middle + 1 : high = middle;
  }
  FetchPlan plan{.new_pages = low,
                 .visits = allocate(RecrawlPolicy::Optimal, known, left_for(low)),
                 .price = low < budget ? price_after(low) : 0};
  for (double& visits : plan.visits) visits *= days;
  return plan;
}

}  // namespace webstrata
