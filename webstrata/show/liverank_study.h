// SPDX-License-Identifier: Apache-2.0

// LiveRank methods side by side: all runs that a comparison and its page need.
//
//   const ComparisonTable table =
//       compare_contestants(pages, truth, "auto,asf", {.seeds = 5}, true);
//   report::write_html(comparison_report(page, table), path);

#pragma once

#include <string_view>

#include "webstrata/show/pages/liverank_report.h"

namespace webstrata {

// `methods` are as in named_contestants. With curves: also the costs and counts that only a page or
// a folder of CSV files shows. Calls options.work.progress before each method. Throws
// Error(BadInput) if nothing lives.
ComparisonTable compare_contestants(const Population& pages, const Truth& truth,
                                    std::string_view methods, ComparisonOptions options,
                                    bool with_curves);

}  // namespace webstrata
