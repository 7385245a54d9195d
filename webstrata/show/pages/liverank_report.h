// SPDX-License-Identifier: Apache-2.0

// LiveRank as a page with pictures: the figures of the papers (Huynh, Mathieu, Viennot 2014 and
// 2015) for the user's own crawl.

#pragma once

#include <string>
#include <vector>

#include "webstrata/fetch/probe/prober.h"
#include "webstrata/liverank/population.h"
#include "webstrata/report/html_report.h"
#include "webstrata/show/liverank_forms.h"

namespace webstrata {

// What both pages show besides costs.
struct LivePage {
  std::string graph_name;  // the old graph's name as the user typed it
  std::string truth_name;
  std::string command;  // how the page was made
  Target target = Target::Present;
  std::uint64_t per_day = 0;  // requests; 0: enough to test all pages in three weeks
  const Population* pages = nullptr;
  const Truth* truth = nullptr;
  const std::vector<Probed>* asked = nullptr;  // by a probe, in the order of testing
};

// Where curves have their points: alpha .01, .02, … 1, and a hundred numbers of tests.
std::vector<double> curve_alphas();
std::vector<std::uint64_t> curve_tests(std::uint64_t pages);

// Many methods; their rows must have curves (ComparisonTable::curve_alphas and tests).
report::HtmlReport comparison_report(const LivePage& page, const ComparisonTable& table);
// One run, compared with random and perfect orders. As long as some pages were not requested,
// shares of the live pages are unknown: it then shows counts, and what the sample says about the
// rest.
report::HtmlReport run_report(const LivePage& page, const LiveReport& run);

}  // namespace webstrata
