// SPDX-License-Identifier: Apache-2.0

// How well a recrawl policy would have done: replays the history of a site.
//
//   const ReplayResult result = replay(histories, {.begin = t0, .split = t1, .end = t2,
//                                                  .visits_per_day = 100});
//
// Between `begin` and `split` every page is looked at every `days_between` days, which gives its
// rate of change (recrawl.h). From `split` on each policy has the same number of visits, drawn at
// random times: a page is the next to be visited with a probability in proportion to what
// allocate() gives it (Poisson visits, as in the theory, of exactly equal number). A page is fresh
// while the version seen last is the current one; a page that has gone is fresh again once a visit
// has seen that. Pages that do not exist at the split are ignored.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/explore/recrawl.h"

namespace webstrata {

// The version of a page from a time on.
struct PageVersion {
  Time time = 0;
  std::uint64_t content = 0;  // 0: it did not exist
};

struct PageVersions {
  double weight = 1;
  std::vector<PageVersion> versions;  // by time
};

struct ReplayOptions {
  Time begin = 0;
  Time split = 0;
  Time end = 0;
  double days_between = 30;
  double visits_per_day = 1;
  std::uint64_t seed = 1;
  std::vector<RecrawlPolicy> policies = {RecrawlPolicy::Uniform, RecrawlPolicy::Proportional,
                                         RecrawlPolicy::Optimal, RecrawlPolicy::Hedged};
};

struct PolicyFreshness {
  RecrawlPolicy policy = RecrawlPolicy::Uniform;
  double expected = 0;              // by the rates that were estimated
  double freshness = 0;             // share of weight and time between split and end
  std::uint64_t pages_visited = 0;  // at least once
};

struct ReplayResult {
  std::uint64_t pages = 0;      // that existed at the split
  std::uint64_t unchanged = 0;  // in which no look had seen a change
  double mean_rate = 0;         // changes per day
  std::uint64_t visits = 0;     // of each policy
  double without_visits = 0;    // freshness without any visits
  std::vector<PolicyFreshness> policies;
};

// What looks every `days_between` days from begin to end see of a page; empty unless there were two
// while it existed. Disappearing and coming back are changes.
std::optional<double> observed_rate(std::span<const PageVersion> versions, Time begin, Time end,
                                    double days_between);

// Throws Error(BadInput) if the times are not in order or no page exists at the split.
ReplayResult replay(std::span<const PageVersions> pages, const ReplayOptions& options);

}  // namespace webstrata
