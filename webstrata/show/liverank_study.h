// SPDX-License-Identifier: Apache-2.0

// LiveRank methods side by side: all runs that a comparison and its page need.
//
//   const ComparisonTable table =
//       compare_contestants(pages, truth, named_contestants("auto,asf"), {.seeds = 5}, true);
//   report::write_html(comparison_report(page, table), path);

#pragma once

#include <vector>

#include "webstrata/show/pages/liverank_report.h"

namespace webstrata {

// With curves: also the costs and counts that only a page or
// a folder of CSV files shows. Calls options.work.progress before each method. Throws
// Error(BadInput) if nothing lives.
ComparisonTable compare_contestants(const Population& pages, const Truth& truth,
                                    const std::vector<Contestant>& contestants,
                                    ComparisonOptions options, bool with_curves);

}  // namespace webstrata
