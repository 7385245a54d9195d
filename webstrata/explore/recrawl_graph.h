// The next fetches for a crawl that is under way: its pages again, and pages it never fetched.
//
//   const RecrawlFetches plan = plan_recrawl(web, "extra", {}, 500, 30);
//
// The graph says what was captured, when, and how often it had changed (its columns of captures and
// changes). The estimator is shown all pages in the order of their first captures, as a crawl would
// have shown them, and guesses at the rest; recrawl_plan.h shares the budget.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "webstrata/explore/estimators.h"
#include "webstrata/explore/recrawl_plan.h"
#include "webstrata/explore/simulator.h"

namespace webstrata {

// Pages that were captured, with their scores as weights. n captures over a time with X changes
// give the rate (recrawl.h) as if they had come at equal distances; a page seen once, or whose
// content is not known, has the mean rate of the others.
struct CapturedPages {
  std::vector<Node> nodes;  // by the first capture
  std::vector<RecrawlPage> pages;
  std::uint64_t without_rate = 0;
  double mean_rate = 0;  // changes a day
};
// Throws Error(BadInput) if the graph lacks the columns.
CapturedPages captured_pages(const Snapshot& graph, std::span<const double> node_scores);

struct RecrawlFetch {
  Node node = 0;
  double fetches = 0;  // in the period
  double worth = 0;    // of all of them: score held, on average over the period
  double rate = 0;     // changes a day; 0 for a new page
  bool is_new = false;
};

struct RecrawlFetches {
  std::vector<RecrawlFetch> fetches;  // by worth for each fetch, the best first
  CapturedPages known;
  std::uint64_t frontier = 0;  // pages linked, never captured
  double price = 0;
  double new_fetches = 0;
  double known_fetches = 0;
};

// Throws Error(BadInput) also if no page was captured, and as share_budget(), make_estimator() do.
RecrawlFetches plan_recrawl(const SimulatedWeb& web, std::string_view estimator,
                            const EstimatorOptions& options, std::uint64_t budget, double days);

}  // namespace webstrata
