// SPDX-License-Identifier: Apache-2.0

// Estimators side by side: all crawls that a comparison and its page need.
//
//   const ExploreComparison found =
//       compare_contenders(web, sets, compared_contenders("all", {}), {.budget = 500}, true);
//   report::write_html(explore_report(found, explore_page(web, "lib.ws", "topic", command)), path);

#pragma once

#include <string>
#include <vector>

#include "webstrata/show/pages/explore_report.h"

namespace webstrata {

// "all" stands for all estimators but those that know what they should not; else a list such as
// "extra,bf".
std::vector<std::string> compared_estimators(const std::string& words);

// Those estimators, each with the estimator, strategy and refresh rate of `options`. Throws
// Error(BadInput) for an unknown name.
std::vector<Contender> compared_contenders(const std::string& words, const ExploreOptions& options);

// With figures: also what only a page or a CSV file shows.
ExploreComparison compare_contenders(const SimulatedWeb& web,
                                     const std::vector<std::vector<Node>>& sets,
                                     const std::vector<Contender>& all, const StudyOptions& options,
                                     bool with_figures);

// How a page was made, without the folders of this computer.
std::string comparison_command(const std::string& graph_name, const std::string& topic,
                               const std::string& words, const Study& study);

ExplorePage explore_page(const SimulatedWeb& web, std::string graph_name, std::string topic,
                         std::string command);

}  // namespace webstrata
