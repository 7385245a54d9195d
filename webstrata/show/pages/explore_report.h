// SPDX-License-Identifier: Apache-2.0

// The page of `explore --compare --report`: the paper's Figures 1 to 5 and Tables 2 and 3 for the
// user's own graph.

#pragma once

#include <string>

#include "webstrata/report/html_report.h"
#include "webstrata/show/explore_forms.h"

namespace webstrata {

struct ExplorePage {
  std::string graph_name;
  std::string topic;
  std::string command;
  std::uint64_t pages = 0;
  std::uint64_t scored_pages = 0;  // that do not score 0
  std::uint64_t scored_links = 0;
};

report::HtmlReport explore_report(const ExploreComparison& comparison, const ExplorePage& page);

}  // namespace webstrata
