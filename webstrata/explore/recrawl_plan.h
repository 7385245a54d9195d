// Known pages compete with new ones for the fetches of a crawl.
//
//   const FetchPlan plan = share_budget(known, expected, 500, 30);    // 500 fetches in 30 days
//
// A known page is worth its weight times the share of time that it is fresh, which grows with its
// visits (recrawl.h); a new page what an estimator expects it to score, once. Both are scores held
// for the period, so one price settles it: new pages are fetched while they are worth more than the
// fetch would bring to known pages, and the rest of the budget is theirs, as Azar et al. divide it.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "webstrata/explore/recrawl.h"

namespace webstrata {

struct FetchPlan {
  std::size_t new_pages = 0;   // the first so many
  std::vector<double> visits;  // in the period, of each known page; they need not be whole
  // What known pages would lose if they had one fetch less; 0 if they have none.
  double price = 0;
};

// `expected` holds what new pages will score, best first. Time O(n log n) for n known pages, times
// the logarithm of the number of new ones. Throws Error(BadInput) for a number that is negative or
// not finite, for an order that is not, and if there are no days.
FetchPlan share_budget(std::span<const RecrawlPage> known, std::span<const double> expected,
                       std::size_t budget, double days);

}  // namespace webstrata
