// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/explore_report_test.py, tests/python/reports_test.py.

#include "webstrata/show/explore_study.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/explore/estimators.h"
#include "webstrata/explore/offline_optimum.h"

namespace webstrata {
namespace {

// Words between commas, without spaces around them.
std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> all;
  while (!words.empty()) {
    const std::size_t comma = words.find(',');
    all.emplace_back(trim(words.substr(0, comma)));
    words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
  }
  return all;
}

template <typename Number>
std::optional<Number> number_in(std::string_view word) {
  Number number{};
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || rest != word.data() + word.size()) return std::nullopt;
  return number;
}

// Figure 1: (q, zeta). Figure 2: r. Both with true scores.
std::vector<Contender> altered_strategies(std::vector<StrategyOptions> strategies) {
  if (strategies.empty()) strategies = parse_strategies_word("strategies", kStrategies);
  std::vector<Contender> all;
  for (const StrategyOptions& strategy : strategies) {
    all.push_back({.label = fmt::format("q {} z {}", strategy.greedy, strategy.slack),
                   .estimator = "oracle",
                   .strategy = strategy});
  }
  return all;
}

std::vector<Contender> refresh_rates(std::vector<std::uint64_t> refreshes) {
  if (refreshes.empty()) refreshes = parse_refreshes_word("refreshes", kRefreshes);
  std::vector<Contender> all;
  for (const std::uint64_t refresh : refreshes) {
    all.push_back(
        {.label = fmt::format("r {}", refresh), .estimator = "oracle", .refresh = refresh});
  }
  return all;
}

// What the oracle finds as a share of the bound, at the marks of the budget: mean over seed sets.
OracleAnchor oracle_anchor(const SimulatedWeb& web, const std::vector<std::vector<Node>>& sets,
                           const Study& study, const WorkOptions& work) {
  constexpr std::size_t kMarks = std::size(kBudgetShares);
  const std::size_t count = sets.size() * kMarks * 2;
  std::vector<double> shares(count);
  std::vector<char> is_exact(count);
  web.graph().prepare_predecessors(work);
  run_tasks(count, work, "optima", [&](std::size_t task) {
    const std::size_t set = task / (2 * kMarks);
    const std::size_t point = study.point_at(kBudgetShares[task / 2 % kMarks]);
    const CrawlValue value = task % 2 == 0 ? CrawlValue::Sum : CrawlValue::Count;
    const OfflineOptimum optimum =
        offline_optimum(web, sets[set], {.budget = study.steps[point], .value = value});
    const double found = study.oracle.crawls[set].of(value)[point];
    shares[task] = optimum.bound > 0 ? found / optimum.bound : 1;
    is_exact[task] = optimum.is_exact ? 1 : 0;
  });
  OracleAnchor anchor{std::vector<double>(kMarks), std::vector<double>(kMarks)};
  for (std::size_t task = 0; task < count; ++task) {
    std::vector<double>& of = task % 2 == 0 ? anchor.sum : anchor.count;
    of[task / 2 % kMarks] += shares[task] / static_cast<double>(sets.size());
    anchor.exact += static_cast<std::uint64_t>(is_exact[task]);
  }
  anchor.optima = count;
  return anchor;
}

std::uint64_t count_above_0(std::span<const double> scores) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(scores, [](double score) { return score > 0; }));
}

}  // namespace

std::vector<std::string> compared_estimators(const std::string& words) {
  if (words != "all") return split(words);
  std::vector<std::string> names;
  for (const EstimatorEntry& entry : estimators()) {
    if (entry.name != "oracle" && entry.name != "nr-full") names.emplace_back(entry.name);
  }
  return names;
}

std::vector<StrategyOptions> parse_strategies_word(std::string_view what, std::string_view word) {
  std::vector<StrategyOptions> all;
  for (const std::string& pair : split(word)) {
    const std::size_t colon = std::min(pair.find(':'), pair.size());
    const auto greedy = number_in<double>(pair.substr(0, colon));
    const auto slack = number_in<double>(pair.substr(std::min(colon + 1, pair.size())));
    if (!greedy || !slack) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{} {}: not a list of Q:Z, such as 0.9:0.1,0.5:1", what, word));
    }
    all.push_back({.greedy = *greedy, .slack = *slack});
    make_strategy(all.back());
  }
  return all;
}

std::vector<std::uint64_t> parse_refreshes_word(std::string_view what, std::string_view word) {
  std::vector<std::uint64_t> all;
  for (const std::string& one : split(word)) {
    const auto refresh = number_in<std::uint64_t>(one);
    if (!refresh || *refresh == 0) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("{} {}: not a list of numbers of at least 1, such as 2,500", what, word));
    }
    all.push_back(*refresh);
  }
  return all;
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
                                     const ComparisonParts& parts) {
  ExploreComparison comparison{.study = run_study(web, sets, all, options)};
  comparison.fits = feature_fits(web);
  if (parts.optimum) comparison.anchor = oracle_anchor(web, sets, comparison.study, options.work);
  if (!parts.figures) return comparison;
  comparison.strategies = run_study(web, sets, altered_strategies(parts.strategies), options);
  comparison.refreshes = run_study(web, sets, refresh_rates(parts.refreshes), options);
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
