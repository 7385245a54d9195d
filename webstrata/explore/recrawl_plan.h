// SPDX-License-Identifier: Apache-2.0

// How often to visit which page next, for a running crawl: known pages and pages that were never
// fetched compete for one budget.
//
//   const RecrawlPlan plan = plan_recrawl(web, "extra", {.budget = 500, .days = 30});
//
// The graph says what was captured, when, and how often it had changed (its columns of captures and
// changes), which gives rates of change. A new page is certainly stale: its weight is the score
// that an estimator expects, and it changes at the mean rate. The estimator sees all pages in the
// order of their first captures, as in a crawl. Then a policy of recrawl.h divides the budget among
// all.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/explore/estimators.h"
#include "webstrata/explore/recrawl.h"
#include "webstrata/explore/simulator.h"

namespace webstrata {

// Pages that were captured, with their scores as weights. Captures over a time with X changes give
// the rate as if they were equally spaced; a page seen once, or whose content is not known, has the
// mean rate of the others.
struct CapturedPages {
  std::vector<Node> nodes;         // by the first capture
  std::vector<RecrawlPage> pages;  // parallel to `nodes`
  std::vector<double> days_since;  // the last capture of each, at the last capture of all
  std::uint64_t without_rate = 0;
  double mean_rate = 0;  // changes per day
};
// Throws Error(BadInput) if the graph lacks the columns.
CapturedPages captured_pages(const Snapshot& graph, std::span<const double> node_scores);

struct RecrawlOptions {
  std::uint64_t budget = 1000;  // visits ...
  double days = 30;             // ... in this time
  RecrawlPolicy policy = RecrawlPolicy::Hedged;
  // Also plans new pages on hosts of which no page was captured.
  bool off_site = false;
  EstimatorOptions estimator = {};
};

struct PlannedPage {
  Node node = 0;
  bool is_new = false;
  RecrawlPage page;
  double visits = 0;  // in the time of the budget; they need not be whole
  // What a visit now would gain: its score, times the probability that it has changed since it was
  // seen, for as many days as it will stay fresh on average.
  double gain = 0;
};

struct RecrawlPlan {
  std::vector<PlannedPage> pages;  // those that are visited, the largest gain first
  CapturedPages captured;
  std::uint64_t linked = 0;    // pages that are linked and were never captured
  std::uint64_t off_site = 0;  // more of them that were left out: on hosts never captured
  double new_visits = 0;
  double known_visits = 0;
};

// Throws Error(BadInput) also if no page was captured, if there are no days, and as allocate() and
// make_estimator() do.
RecrawlPlan plan_recrawl(const SimulatedWeb& web, std::string_view estimator,
                         const RecrawlOptions& options = {});

}  // namespace webstrata
