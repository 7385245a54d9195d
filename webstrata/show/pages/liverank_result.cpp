// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/liverank_report_test.py.

#include "webstrata/show/pages/liverank_result.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/human.h"

namespace webstrata {
namespace {

constexpr double kShare = 0.9;  // of the living pages; the last ones cost more than they are worth

std::string living(Target target) {
  if (target == Target::Present) return "living";
  return target == Target::Moved ? "living or moved" : std::string(to_string(target));
}

std::string count_of(std::uint64_t count, Target target) {
  return fmt::format("{} {} {}", human_number(count), living(target),
                     count == 1 ? "page" : "pages");
}

// Tests until a random order has found that share, on average: the k-th of L live ones among N
// pages comes after k (N + 1) / (L + 1).
std::string random_tests(const LivePage& page) {
  const auto needed = static_cast<double>(live_needed(kShare, page.truth->live));
  const double tests = needed * (static_cast<double>(page.pages->size()) + 1) /
                       (static_cast<double>(page.truth->live) + 1);
  return human_number(static_cast<std::uint64_t>(std::llround(tests)));
}

std::string tests_text(double cost, std::uint64_t live) {
  return human_number(
      static_cast<std::uint64_t>(std::llround(cost * kShare * static_cast<double>(live))));
}

std::string found_share(const LivePage& page, const std::string& method, const std::string& tests) {
  return fmt::format("{} finds {:.0f} % of the {} with {} requests", method, 100 * kShare,
                     count_of(page.truth->live, page.target), tests);
}

// A run that knows how many live.
std::string whole_result(const LivePage& page, const LiveReport& report) {
  const LiveRun& run = *report.run;
  const std::uint64_t live = page.truth->live;
  if (live == 0) {
    return fmt::format("None of the {} pages is {}.", human_number(page.pages->size()),
                       to_string(page.target));
  }
  if (const auto cost = run.curve.cost(kShare, live)) {
    return fmt::format("{}; a random order needs {}.",
                       found_share(page, report.method, tests_text(*cost, live)),
                       random_tests(page));
  }
  const double by_chance = static_cast<double>(run.tests) * static_cast<double>(live) /
                           static_cast<double>(page.pages->size());
  return fmt::format("{} found {} of the {} with {} requests; a random order would have found {}.",
                     report.method, human_number(run.found), count_of(live, page.target),
                     human_number(run.tests),
                     human_number(static_cast<std::uint64_t>(std::llround(by_chance))));
}

// A run that knows only what a sample says.
std::string result_so_far(const LivePage& page, const LiveReport& report) {
  const LiveRun& run = *report.run;
  const std::string found = fmt::format("{} found {} with {} tests", report.method,
                                        count_of(run.found, page.target), human_number(run.tests));
  if (!run.estimate) {
    return fmt::format("{}; how many of the {} pages are {} is not known.", found,
                       human_number(page.pages->size()), to_string(page.target));
  }
  const auto by_chance = [&](double live) {
    const double share = live / static_cast<double>(page.pages->size());
    return human_number(
        static_cast<std::uint64_t>(std::llround(share * static_cast<double>(run.tests))));
  };
  return fmt::format("{}; a random order would have found about {} (between {} and {}).", found,
                     by_chance(run.estimate->value), by_chance(run.estimate->low),
                     by_chance(run.estimate->high));
}

}  // namespace

std::string comparison_result(const LivePage& page, const ComparisonTable& table) {
  const std::vector<double> alphas = curve_alphas();
  const auto place = table.alphas.size() +
                     static_cast<std::size_t>(std::ranges::find(alphas, kShare) - alphas.begin());
  const auto cost = [&](const CostRow& row) {
    return row.contestant.method == "random" ? INFINITY : row.costs[place];
  };
  const auto best = std::ranges::min_element(table.rows, {}, cost);
  if (best == table.rows.end() || !std::isfinite(cost(*best))) {
    return fmt::format("{}.", found_share(page, "A random order", random_tests(page)));
  }
  const auto ours = std::ranges::find(table.rows, "auto",
                                      [](const CostRow& row) { return row.contestant.method; });
  const bool is_ours_best = ours == table.rows.end() || cost(*ours) <= cost(*best);
  const CostRow& first = ours == table.rows.end() ? *best : *ours;
  std::string text = found_share(page, first.contestant.label, tests_text(cost(first), table.live));
  if (!is_ours_best) {
    text +=
        fmt::format(", {} with {}", best->contestant.label, tests_text(cost(*best), table.live));
  }
  return fmt::format("{}; a random order needs {}.", text, random_tests(page));
}

std::string run_result(const LivePage& page, const LiveReport& report) {
  return report.truth_is_whole ? whole_result(page, report) : result_so_far(page, report);
}

}  // namespace webstrata
