// SPDX-License-Identifier: Apache-2.0

// The parts that all pages of LiveRank share: curves of methods, and what distinguishes living
// pages from dead ones.

#pragma once

#include <string>
#include <vector>

#include "webstrata/liverank/statuses.h"
#include "webstrata/show/pages/liverank_report.h"

namespace webstrata {

// Pages for each live one: what a random order costs. NaN if nothing lives.
double pages_per_live(const LivePage& page);
// Three digits after the point; a dash for what is not known.
std::string cost_text(double value);

// A method as it is drawn: cost at each of curve_alphas(), live pages found after each of
// curve_tests().
struct DrawnMethod {
  std::string name;
  std::vector<double> costs;
  std::vector<double> found;
  bool quiet = false;
};
report::Plot cost_plot(const std::vector<DrawnMethod>& rows, std::string title,
                       std::string caption);
report::Plot hit_rate_plot(const LivePage& page, const std::vector<DrawnMethod>& rows,
                           std::string title, std::string caption);
report::Plot days_plot(const LivePage& page, const std::vector<DrawnMethod>& rows,
                       const std::string& chance);

// Links to living and dead pages, and their PageRank. `is_whole`: all pages were tested.
void add_by_life(const LivePage& page, bool is_whole, std::vector<report::Section>& sections);
// The same, activity if that was looked for, and the statuses of all pages.
void add_pages(const LivePage& page, std::vector<report::Section>& sections);
// `which`: "all pages".
report::Table status_table(const std::vector<StatusRow>& rows, std::uint64_t pages,
                           const std::string& which);

}  // namespace webstrata
