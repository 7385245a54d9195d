// SPDX-License-Identifier: Apache-2.0

// The output of `explore`: as text, as one JSON object, as CSV.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "webstrata/explore/correlations.h"
#include "webstrata/explore/explore_found.h"
#include "webstrata/explore/precision.h"
#include "webstrata/explore/recrawl_plan.h"
#include "webstrata/explore/study.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

inline constexpr double kBudgetShares[] = {0.05, 0.2, 0.5, 1};

// One crawl. URL, score, value: one row per crawled page.
TextTable crawl_table(const Snapshot& graph, const ExploreFound& found);
std::string as_json(const Snapshot& graph, const ExploreFound& found);
// How it went, in a line without its end.
std::string summary_of(const ExploreFound& found);

// What --recrawl shows. URL, visits, gain, "again" or "new": one row per page.
TextTable recrawl_table(const Snapshot& graph, const RecrawlPlan& plan);
std::string as_json(const Snapshot& graph, const RecrawlPlan& plan, const RecrawlOptions& options);
std::string summary_of(const RecrawlPlan& plan, const RecrawlOptions& options);

// How close the oracle comes to the most that any crawl could find (offline_optimum.h), at
// kBudgetShares: mean over seed sets.
struct OracleAnchor {
  std::vector<double> sum;
  std::vector<double> count;
  std::uint64_t exact = 0;   // optima that are exact; the others are upper bounds
  std::uint64_t optima = 0;  // in total
};

// What --compare shows; a report page shows everything, a table only the study.
struct ExploreComparison {
  Study study;
  std::optional<Study> strategies = {};  // oracle, greedy and altered: Figure 1
  std::optional<Study> refreshes = {};   // oracle, pages chosen at a time: Figure 2
  std::uint64_t window = 0;              // of the precision
  std::vector<PrecisionCurve> precision = {};
  std::vector<FeatureFit> fits = {};
  std::optional<OracleAnchor> anchor = {};
};

// At shares of the budget, relative to the oracle, mean over seed sets.
std::string as_text(const ExploreComparison& comparison);
TextTable comparison_table(const ExploreComparison& comparison);
std::string as_json(const ExploreComparison& comparison);
// figure, series, set, step, value: every curve of every seed set.
std::string as_csv(const ExploreComparison& comparison);

}  // namespace webstrata
