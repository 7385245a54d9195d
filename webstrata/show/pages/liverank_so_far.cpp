// SPDX-License-Identifier: Apache-2.0

// The number of live pages is unknown, and so are shares: counts are drawn, next to what the first
// sample says about all pages, with its interval.
// Tested by tests/report/liverank_report_test.py.

#include "webstrata/show/pages/liverank_so_far.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/show/pages/asked_table.h"
#include "webstrata/show/pages/liverank_parts.h"
#include "webstrata/show/pages/liverank_result.h"

namespace webstrata {
namespace {

using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Series;

struct Guess {
  std::string name;  // "estimated", "at least", "at most"
  double live = 0;
};

std::vector<Guess> guesses(const LiveRun& run) {
  if (!run.estimate) return {};
  const auto& [value, low, high] = *run.estimate;
  return {{"estimated", value}, {"low end", low}, {"high end", high}};
}

KeyFigures figures_so_far(const LivePage& page, const LiveRun& run) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(1, whole));
  };
  KeyFigures figures{{{"pages", human_number(page.pages->size()),
                       human_number(page.pages->graph.link_count()) + " links"},
                      {"tests", human_number(run.tests),
                       fmt::format("{:.1f} % of the pages", share(run.tests, page.pages->size()))},
                      {fmt::format("found {}", to_string(page.target)), human_number(run.found),
                       fmt::format("{:.1f} % of the tests", share(run.found, run.tests))}}};
  if (run.estimate) {
    figures.figures.push_back(
        {fmt::format("{} in all, estimated", to_string(page.target)),
         human_number(std::llround(run.estimate->value)),
         fmt::format("between {} and {} (95 %)", human_number(std::llround(run.estimate->low)),
                     human_number(std::llround(run.estimate->high)))});
  } else {
    figures.figures.push_back({fmt::format("{} in all", to_string(page.target)), "not known",
                               "no random sample was tested first"});
  }
  return figures;
}

Plot found_plot(const LivePage& page, const LiveReport& report, const std::string& chance) {
  const LiveRun& run = *report.run;
  const std::vector<std::uint64_t> tests = curve_tests(run.tests);
  Plot plot{.title = "Living pages found so far",
            .caption =
                "Pages found after each test. How many there are in total is not known "
                "before every page is tested; what a random order would have found is "
                "estimated from the sample, with its 95 % interval. " +
                chance,
            .kind = PlotKind::Line,
            .x = {.label = "tests"},
            .y = {.label = fmt::format("pages found {}", to_string(page.target))}};
  Series ours{.name = report.method, .x = {0}, .y = {0}};
  Series perfect{.name = "every test finds one", .x = {0}, .y = {0}};
  for (const std::uint64_t after : tests) {
    const auto count = static_cast<double>(after);
    ours.x.push_back(count);
    ours.y.push_back(static_cast<double>(run.curve.found_after(after)));
    perfect.x.push_back(count);
    perfect.y.push_back(count);
  }
  plot.series = {std::move(ours), std::move(perfect)};
  for (const Guess& guess : guesses(run)) {
    const double share = guess.live / static_cast<double>(page.pages->size());
    const auto end = static_cast<double>(run.tests);
    plot.series.push_back(
        {.name = "random order, " + guess.name, .x = {0, end}, .y = {0, share * end}});
  }
  return plot;
}

Plot hit_rate_so_far(const LivePage& page, const LiveReport& report, const std::string& chance) {
  const LiveRun& run = *report.run;
  Plot plot{.title = "Living pages among those tested",
            .caption = "Share of the pages tested so far that live (f(i) in the papers). " + chance,
            .kind = PlotKind::Line,
            .x = {.label = "pages tested"},
            .y = {.label = "share of them that lives"}};
  Series ours{.name = report.method};
  for (const std::uint64_t tests : curve_tests(run.tests)) {
    ours.x.push_back(static_cast<double>(tests));
    ours.y.push_back(run.curve.efficiency(tests));
  }
  plot.series = {std::move(ours)};
  for (const Guess& guess : guesses(run)) {
    const double share = guess.live / static_cast<double>(page.pages->size());
    plot.series.push_back({.name = "random order, " + guess.name,
                           .x = {1, static_cast<double>(run.tests)},
                           .y = {share, share}});
  }
  return plot;
}

Plot cost_so_far(const LiveReport& report, const std::string& chance) {
  Plot plot{
      .title = "Cost of finding living pages, by the estimate",
      .caption =
          "Tests until a share of the living pages (alpha in the papers) is found, divided by "
          "that number of pages, for the number of live pages that the sample estimates, and for "
          "both ends "
          "of its interval. A line ends "
          "where the tests ended. " +
          chance,
      .kind = PlotKind::Line,
      .x = {.label = "share of the living pages found, as estimated"},
      .y = {.label = "tests per living page found"}};
  for (const Guess& guess : guesses(*report.run)) {
    const auto live = static_cast<std::uint64_t>(std::llround(guess.live));
    if (live == 0) continue;
    Series series{.name = fmt::format("if {} live ({})", human_number(live), guess.name)};
    for (const double alpha : curve_alphas()) {
      const auto cost = report.run->curve.cost(alpha, live);
      if (!cost) break;
      series.x.push_back(alpha);
      series.y.push_back(*cost);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

report::HtmlReport report_so_far(const LivePage& page, const LiveReport& report) {
  const LiveRun& run = *report.run;
  const std::string chance = fmt::format("Seed {}.", report.seed);
  report::HtmlReport html{
      .title = fmt::format("Which pages of {} still live, by {}", page.graph_name, report.method),
      .result = run_result(page, report),
      .subtitle = fmt::format("Looking for pages that are {}: {} of {} were tested.",
                              to_string(page.target), human_number(run.tests),
                              human_number(page.pages->size())),
      .generated_by = page.command,
      .sections = {figures_so_far(page, run)}};
  html.sections.push_back(found_plot(page, report, chance));
  if (page.asked != nullptr) html.sections.push_back(asked_table(*page.asked));
  html.sections.push_back(hit_rate_so_far(page, report, chance));
  Plot costs = cost_so_far(report, chance);
  if (!costs.series.empty()) html.sections.push_back(std::move(costs));
  add_by_life(page, false, html.sections);
  html.sections.push_back(status_table(
      status_rows(run.outcomes, run.no_host, page.truth->redirect_targets_of(run.order)),
      std::max<std::uint64_t>(1, run.tests), "the pages that were tested"));
  return html;
}

}  // namespace webstrata
