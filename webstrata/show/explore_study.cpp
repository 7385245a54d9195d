// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/explore_report_test.py, tests/python/reports_test.py.

#include "webstrata/show/explore_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/explore/estimators.h"

namespace webstrata {
namespace {

// Figure 1: (q, zeta). Figure 2: r. Both with true scores.
std::vector<Contender> altered_strategies() {
  std::vector<Contender> all;
  for (const double greedy : {0.9, 0.5}) {
    for (const double slack : {0.1, 0.3, 1.0}) {
      all.push_back({.label = fmt::format("q {} z {}", greedy, slack),
                     .estimator = "oracle",
                     .strategy = {.greedy = greedy, .slack = slack}});
    }
  }
  return all;
}

std::vector<Contender> refresh_rates() {
  std::vector<Contender> all;
  for (const std::uint64_t refresh : {2, 10, 50, 500}) {
    all.push_back(
        {.label = fmt::format("r {}", refresh), .estimator = "oracle", .refresh = refresh});
  }
  return all;
}

std::uint64_t count_above_0(std::span<const double> scores) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(scores, [](double score) { return score > 0; }));
}

}  // namespace

std::vector<std::string> compared_estimators(const std::string& words) {
  std::vector<std::string> names;
  if (words == "all") {
    for (const EstimatorEntry& entry : estimators()) {
      if (entry.name != "oracle" && entry.name != "nr-full") names.emplace_back(entry.name);
    }
    return names;
  }
  for (std::string_view rest = words; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    names.emplace_back(trim(rest.substr(0, comma)));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return names;
}

std::vector<Contender> compared_contenders(const std::string& words,
                                           const ExploreOptions& options) {
  std::vector<Contender> all = contenders(compared_estimators(words));
  for (Contender& contender : all) {
    estimator_entry(contender.estimator);
    contender.options = options.estimator;
    contender.strategy = options.strategy;
    contender.refresh = options.refresh;
  }
  return all;
}

std::string comparison_command(const std::string& graph_name, const std::string& topic,
                               const std::string& words, const Study& study) {
  return fmt::format("webstrata explore {} --topic {} --compare {} --budget {} --sets {} --seed {}",
                     graph_name, topic, words, study.budget, study.oracle.crawls.size(),
                     study.seed);
}

ExploreComparison compare_contenders(const SimulatedWeb& web,
                                     const std::vector<std::vector<Node>>& sets,
                                     const std::vector<Contender>& all, const StudyOptions& options,
                                     bool with_figures) {
  ExploreComparison comparison{.study = run_study(web, sets, all, options)};
  comparison.fits = feature_fits(web);
  if (!with_figures) return comparison;
  comparison.strategies = run_study(web, sets, altered_strategies(), options);
  comparison.refreshes = run_study(web, sets, refresh_rates(), options);
  comparison.window = std::clamp<std::uint64_t>(options.budget / 20, 1, 1000);
  comparison.precision = precision_on_oracle_crawl(web, sets.front(), all, options.budget,
                                                   comparison.window, options.work);
  return comparison;
}

ExplorePage explore_page(const SimulatedWeb& web, std::string graph_name, std::string topic,
                         std::string command) {
  return {.graph_name = std::move(graph_name),
          .topic = std::move(topic),
          .command = std::move(command),
          .pages = web.graph().node_count(),
          .scored_pages = count_above_0(web.node_scores()),
          .scored_links = count_above_0(web.link_scores())};
}

}  // namespace webstrata
