// SPDX-License-Identifier: Apache-2.0

// Estimators side by side: all crawls that a comparison and its page need.
//
//   const ExploreComparison found =
//       compare_contenders(web, sets, compared_contenders("all", {}), {.budget = 500});
//   report::write_html(explore_report(found, explore_page(web, "lib.ws", "topic", command)), path);

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/show/pages/explore_report.h"

namespace webstrata {

// "all" stands for all estimators but those that know what they should not; else a list such as
// "extra,bf".
std::vector<std::string> compared_estimators(const std::string& words);

// Those estimators, each with the estimator, strategy and refresh rate of `options`. Throws
// Error(BadInput) for an unknown name.
std::vector<Contender> compared_contenders(const std::string& words, const ExploreOptions& options);

// What a comparison has besides the crawls of its contenders.
struct ComparisonParts {
  bool figures = false;  // what only a page or a CSV file shows
  bool optimum = false;  // how close the oracle comes to the best possible crawl
  std::vector<StrategyOptions> strategies = {};  // Figure 1; empty: those of kStrategies
  std::vector<std::uint64_t> refreshes = {};     // Figure 2; empty: those of kRefreshes
};
inline constexpr const char* kStrategies = "0.9:0.1,0.9:0.3,0.9:1,0.5:0.1,0.5:0.3,0.5:1";
inline constexpr const char* kRefreshes = "2,10,50,500";

// Figure 1's q and zeta: "0.9:0.1,0.5:1". Figure 2's r: "2,500". `what` names the word in messages.
// Throw Error(BadInput).
std::vector<StrategyOptions> parse_strategies_word(std::string_view what, std::string_view word);
std::vector<std::uint64_t> parse_refreshes_word(std::string_view what, std::string_view word);

ExploreComparison compare_contenders(const SimulatedWeb& web,
                                     const std::vector<std::vector<Node>>& sets,
                                     const std::vector<Contender>& all, const StudyOptions& options,
                                     const ComparisonParts& parts = {});

// How a page was made, without the folders of this computer.
std::string comparison_command(const std::string& graph_name, const std::string& topic,
                               const std::string& words, const Study& study);

ExplorePage explore_page(const SimulatedWeb& web, std::string graph_name, std::string topic,
                         std::string command);

}  // namespace webstrata
