// SPDX-License-Identifier: Apache-2.0

// Recrawling: how often each known page is worth a visit.
//
//   const double rate = change_rate(36, 5, 30);    // 36 visits 30 days apart saw 5 changes
//   const std::vector<double> visits = allocate(RecrawlPolicy::Optimal, pages, budget_per_day);
//
// Pages change as Poisson processes do. The rate is Cho and Garcia-Molina's estimate (2003) from n
// visits at equal distance I of which X saw a change: -ln((n - X + 1/2) / (n + 1/2)) / I; a visit
// sees at most one change, however many there were, and the logarithm corrects for that. A page
// that changes at rate D and is visited at rate r is fresh a share r / (r + D) of the time. Which
// visits make the sum of w r / (r + D) largest, if their total may not exceed R per day, is solved
// by r = max(0, sqrt(w D / l) - D) (Azar, Horvitz, Lubetzky, Peres, Shahaf 2018): pages that change
// too fast for the budget are given up. docs/METHODS.md says how it was checked.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace webstrata {

// Changes per day. `visits` counts those that could see a change, so not the first one. Throws
// Error(BadInput) if there are more changes than visits, no visit, or no time between.
double change_rate(std::uint64_t visits, std::uint64_t changes, double days_between);

struct RecrawlPage {
  double weight = 1;  // the value of having it fresh; at least 0
  double rate = 0;    // changes per day; at least 0
};

enum class RecrawlPolicy : std::uint8_t {
  Uniform,       // the same number of visits for each page
  Proportional,  // in proportion to the rate of change
  Optimal,       // as above
  // Three quarters by Optimal, the rest Uniform: an estimate of 0 means that no change was seen,
  // not that none will come, and Optimal never visits such pages again.
  Hedged,
};

struct RecrawlPolicyEntry {
  RecrawlPolicy policy;
  std::string_view name;
  std::string_view summary;
};
std::span<const RecrawlPolicyEntry> recrawl_policies();

// Visits per day for each page, `visits_per_day` in total: what no page can use (all rates or
// weights are 0) is spread evenly. Time O(n log n). Throws Error(BadInput) for a number that is
// negative or not finite.
std::vector<double> allocate(RecrawlPolicy policy, std::span<const RecrawlPage> pages,
                             double visits_per_day);

// The share of weight that is fresh, on average over time, with these rates of changes and visits.
// A page that never changes is always fresh.
double expected_freshness(std::span<const RecrawlPage> pages, std::span<const double> visits);

// What a visit now is worth: the weight of the page times the probability that it has changed in
// the days since it was seen.
double visit_worth(const RecrawlPage& page, double days_since_seen) noexcept;

}  // namespace webstrata
