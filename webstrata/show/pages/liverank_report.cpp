// SPDX-License-Identifier: Apache-2.0

// Three kinds of pages share the plots: a run that tested all pages, a comparison of methods, and a
// run that did not see all pages, where shares are unknown and counts are drawn next to what the
// sample says. Every method becomes a Drawn (costs by alpha, found by tests) before it is plotted.
// Tested by tests/report/liverank_report_test.py.

#include "webstrata/show/pages/liverank_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/liverank/cumulative.h"
#include "webstrata/liverank/statuses.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Scale;
using report::Series;
using report::Table;
using Sections = std::vector<report::Section>;

constexpr std::uint64_t kDaysInAll = 21;  // the papers' crawl took about three weeks
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

double ratio(const LivePage& page) {
  return page.truth->live == 0
             ? kNotKnown
             : static_cast<double>(page.pages->size()) / static_cast<double>(page.truth->live);
}

std::uint64_t per_day(const LivePage& page) {
  if (page.per_day > 0) return page.per_day;
  return std::max<std::uint64_t>(1, (page.pages->size() + kDaysInAll - 1) / kDaysInAll);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : std::string("–");
}

// ---- the pages themselves -----------------------------------------------------------------------

constexpr const char* kByLife =
    "Share of the pages with at most this value: of those that live, of those that do not, and "
    "of all (Figures 2 and 3 of the paper).";
constexpr const char* kByLifeSoFar =
    "Share of the pages with at most this value: of those that were found to live, of those that "
    "were found not to, and of all, tested or not.";

// One line for all pages, one for those that live, one for those that do not: Figures 2 and 3.
Plot by_life(const LivePage& page, std::string title, const char* caption, std::string label,
             const std::function<double(Node)>& value) {
  std::vector<double> values[3];
  for (Node node = 0; node < page.pages->size(); ++node) {
    const Verdict verdict = page.truth->findings[node].verdict;
    values[2].push_back(value(node));
    if (verdict != Verdict::Undecided)
      values[verdict == Verdict::Live ? 0 : 1].push_back(value(node));
  }
  Plot plot{.title = std::move(title),
            .caption = caption,
            .kind = PlotKind::Line,
            .x = {.label = std::move(label), .scale = Scale::Log},
            .y = {.label = "share of pages"}};
  const char* names[] = {"live", "dead", "all"};
  for (std::size_t i = 0; i < 3; ++i) {
    Series series{.name = names[i]};
    for (const auto& [at, share] : cumulative(std::move(values[i]))) {
      series.x.push_back(at);
      series.y.push_back(share);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

Table status_table(const std::vector<StatusRow>& rows, std::uint64_t pages,
                   const std::string& which) {
  Table table{.title = "Statuses",
              .caption = fmt::format("What became of {}, as the papers count it. Rows that begin "
                                     "with \"of these\" are parts of the row above.",
                                     which),
              .columns = {{.name = "status"},
                          {.name = "pages", .kind = ColumnKind::Number},
                          {.name = "share", .kind = ColumnKind::Percent}}};
  for (const StatusRow& row : rows) {
    table.rows.push_back({fmt::format("{}{}", row.is_part ? "of these: " : "", row.name), row.count,
                          static_cast<double>(row.count) / static_cast<double>(pages)});
  }
  return table;
}

// Figure 1: the classes, and the time of the last activity.
void add_activity(const LivePage& page, Sections& sections) {
  const ActivityClasses classes = activity_classes(*page.truth);
  Plot bars{.title = "Classes of activity",
            .caption =
                "Pages that are no longer there, that never were active, and that were once "
                "or more (Figure 1 of the paper).",
            .kind = PlotKind::Bar,
            .x = {.label = "class"},
            .y = {.label = "pages"},
            .series = {{.name = "pages"}},
            .categories = {"no longer there", "never active", "active once or more", "not known"}};
  for (const std::uint64_t count : {classes.gone, classes.never, classes.once, classes.unknown}) {
    bars.series[0].x.push_back(static_cast<double>(bars.series[0].x.size()));
    bars.series[0].y.push_back(static_cast<double>(count));
  }
  sections.push_back(std::move(bars));
  std::vector<double> times;
  for (const auto& time : page.truth->active) {
    if (time) times.push_back(static_cast<double>(*time));
  }
  Plot curve{.title = "Last activity",
             .caption =
                 "Which share of the pages that ever were active had been so for the last "
                 "time by then (Figure 1 of the paper).",
             .kind = PlotKind::Line,
             .x = {.label = "time", .scale = Scale::Time},
             .y = {.label = "share of pages"},
             .series = {{.name = "last activity"}}};
  for (const auto& [time, share] : cumulative(std::move(times))) {
    curve.series[0].x.push_back(time);
    curve.series[0].y.push_back(share);
  }
  sections.push_back(std::move(curve));
}

void add_by_life(const LivePage& page, const char* caption, Sections& sections) {
  const Population& pages = *page.pages;
  sections.push_back(by_life(page, "In-degree of live and dead pages", caption, "links to the page",
                             [&](Node node) { return double(pages.graph.in_degree(node)); }));
  sections.push_back(by_life(page, "PageRank of live and dead pages", caption, "PageRank",
                             [&](Node node) { return pages.pagerank[node]; }));
}

void add_pages(const LivePage& page, Sections& sections) {
  add_by_life(page, kByLife, sections);
  if (page.target == Target::Active) add_activity(page, sections);
  const Truth& truth = *page.truth;
  sections.push_back(
      status_table(status_rows(truth.outcomes, truth.no_host, truth.redirect_targets()),
                   page.pages->size(), "all pages"));
}

// ---- curves of methods --------------------------------------------------------------------------

// A method as it is drawn: cost at each curve alpha, live pages found after each number of tests.
struct Drawn {
  std::string name;
  std::vector<double> costs;
  std::vector<double> found;
};

Plot cost_plot(const std::vector<Drawn>& rows, std::string title, std::string caption) {
  Plot plot{.title = std::move(title),
            .caption = std::move(caption),
            .kind = PlotKind::Line,
            .x = {.label = "alpha: share of what lives"},
            .y = {.label = "cost"}};
  for (const Drawn& row : rows) {
    plot.series.push_back({.name = row.name, .x = curve_alphas(), .y = row.costs});
  }
  return plot;
}

std::vector<double> as_doubles(const std::vector<std::uint64_t>& counts) {
  return {counts.begin(), counts.end()};
}

Plot efficiency_plot(const LivePage& page, const std::vector<Drawn>& rows, std::string title,
                     std::string caption) {
  const std::vector<double> tests = as_doubles(curve_tests(page.pages->size()));
  Plot plot{.title = std::move(title),
            .caption = std::move(caption),
            .kind = PlotKind::Line,
            .x = {.label = "tests i"},
            .y = {.label = "f(i): share that lives"}};
  for (const Drawn& row : rows) {
    Series series{.name = row.name};
    for (std::size_t i = 0; i < row.found.size(); ++i) {
      series.x.push_back(tests[i]);
      series.y.push_back(row.found[i] / tests[i]);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot days_plot(const LivePage& page, const std::vector<Drawn>& rows, const std::string& chance) {
  const std::vector<double> tests = as_doubles(curve_tests(page.pages->size()));
  const auto rate = static_cast<double>(per_day(page));
  Plot plot{.title = "Found by day",
            .caption = fmt::format("Share of the live pages found after each day, with {} "
                                   "requests per day. {}",
                                   human_number(per_day(page)), chance),
            .kind = PlotKind::Line,
            .x = {.label = "days"},
            .y = {.label = "share of what lives"}};
  for (const Drawn& row : rows) {
    Series series{.name = row.name, .x = {0}, .y = {0}};
    for (std::size_t i = 0; i < row.found.size(); ++i) {
      series.x.push_back(tests[i] / rate);
      series.y.push_back(row.found[i] / static_cast<double>(page.truth->live));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// ---- comparisons --------------------------------------------------------------------------------

Drawn drawn(const CostRow& row, const ComparisonTable& table) {
  const auto first = row.costs.begin() + static_cast<std::ptrdiff_t>(table.alphas.size());
  return {row.contestant.label, {first, row.costs.end()}, row.found};
}

// Of each method the row with the best area.
std::vector<const CostRow*> best_rows(const ComparisonTable& table) {
  std::vector<const CostRow*> best;
  for (const CostRow& row : table.rows) {
    const auto same = std::ranges::find(best, row.contestant.method,
                                        [](const CostRow* one) { return one->contestant.method; });
    if (same == best.end()) {
      best.push_back(&row);
    } else if (row.area < (*same)->area) {
      *same = &row;
    }
  }
  return best;
}

// The lowest of the papers' rows at each alpha.
Drawn envelope(const ComparisonTable& table) {
  const Hindsight best = hindsight_of(table.rows);
  if (best.costs.empty()) return {};
  return {"best of the papers, in hindsight",
          {best.costs.begin() + static_cast<std::ptrdiff_t>(table.alphas.size()), best.costs.end()},
          {}};
}

std::vector<Drawn> rows_that(const ComparisonTable& table,
                             const std::function<bool(const Contestant&)>& is_wanted) {
  std::vector<Drawn> rows;
  for (const CostRow& row : table.rows) {
    if (row.contestant.options.sample && is_wanted(row.contestant)) {
      rows.push_back(drawn(row, table));
    }
  }
  return rows;
}

void add_samples(const LivePage& page, const ComparisonTable& table, const std::string& chance,
                 Sections& sections) {
  const auto by_size = rows_that(table, [](const Contestant& one) {
    return one.method == "pa-ratio" && one.options.sample->kind == SampleKind::Random;
  });
  if (by_size.size() > 1) {
    sections.push_back(cost_plot(
        by_size, "Cost of P± by sample size",
        "Random samples of several sizes z before PageRank from live over PageRank from dead pages "
        "(Figure 5a of the paper). " +
            chance));
    sections.push_back(efficiency_plot(
        page, by_size, "f(i) of P± by sample size",
        "Live pages among the first i tests, for random samples of several sizes (Figure 2 of the "
        "French paper). " +
            chance));
  }
  const auto add_kinds = [&](const char* method, const char* title, const char* figure) {
    const auto rows = rows_that(table, [&](const Contestant& one) {
      return one.method == method && one.options.sample->size == 0.01;
    });
    if (rows.size() < 2) return;
    sections.push_back(cost_plot(rows, title,
                                 fmt::format("Samples of 1 % of the pages: random, with most links "
                                             "to them, of highest PageRank ({} of the paper). {}",
                                             figure, chance)));
  };
  add_kinds("pa-ratio", "Cost of P± by kind of sample", "Figure 5b");
  add_kinds("bfs", "Cost of BFS by kind of sample", "Figure 6b");
  add_kinds("ai", "Cost of AI by kind of sample", "Figure 6b");
}

Table cost_table(const ComparisonTable& table, const std::string& chance) {
  Table costs{.title = "Costs",
              .caption =
                  "Mean cost at each share of what lives, and the area: the mean from .10 to "
                  ".95. 1 is perfect. " +
                  chance,
              .columns = {{.name = "method"}}};
  for (const double alpha : table.alphas) {
    costs.columns.push_back({.name = fmt::format("{:g}", alpha), .kind = ColumnKind::Number});
  }
  costs.columns.push_back({.name = "area", .kind = ColumnKind::Number});
  costs.columns.push_back({.name = "worst area", .kind = ColumnKind::Number});
  costs.columns.push_back({.name = "runs", .kind = ColumnKind::Number});
  for (const CostRow& row : table.rows) {
    std::vector<report::Cell> cells = {row.contestant.label};
    for (std::size_t i = 0; i < table.alphas.size(); ++i) cells.emplace_back(row.costs[i]);
    double worst = 0;
    for (const auto& run : row.runs) worst = std::max(worst, run.back());
    cells.insert(cells.end(), {row.area, worst, std::uint64_t{row.runs.size()}});
    costs.rows.push_back(std::move(cells));
  }
  return costs;
}

KeyFigures key_figures(const LivePage& page) {
  return {{{"pages", human_number(page.pages->size()),
            human_number(page.pages->graph.link_count()) + " links"},
           {"of these " + std::string(to_string(page.target)), human_number(page.truth->live),
            fmt::format("{:.1f} %", 100 / ratio(page))},
           {"cost of a random order", number(ratio(page)), "a perfect one costs 1"}}};
}

// ---- a run that has not seen all pages ----------------------------------------------------------
//
// The number of live pages is unknown, and so are shares: counts are drawn, next to what the first
// sample says about all pages, with its interval.

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
  const std::vector<double> tests = as_doubles(curve_tests(run.tests));
  Plot plot{.title = "Found so far",
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
  for (const double count : tests) {
    ours.x.push_back(count);
    ours.y.push_back(static_cast<double>(run.curve.found_after(static_cast<std::uint64_t>(count))));
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

Plot efficiency_so_far(const LivePage& page, const LiveReport& report, const std::string& chance) {
  const LiveRun& run = *report.run;
  Plot plot{.title = "f(i)",
            .caption = "Live pages among the first i tests, as a share of these tests. " + chance,
            .kind = PlotKind::Line,
            .x = {.label = "tests i"},
            .y = {.label = "f(i): share that lives"}};
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
  Plot plot{.title = "Cost against alpha, by the estimate",
            .caption =
                "Tests until a share alpha of what lives is found, divided by as many live "
                "pages, for the number of live pages that the sample estimates, and for both ends "
                "of its interval. A line ends "
                "where the tests ended. " +
                chance,
            .kind = PlotKind::Line,
            .x = {.label = "alpha: share of what lives, as estimated"},
            .y = {.label = "cost"}};
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

report::HtmlReport report_so_far(const LivePage& page, const LiveReport& report) {
  const LiveRun& run = *report.run;
  const std::string chance = fmt::format("Seed {}.", report.seed);
  report::HtmlReport html{
      .title = fmt::format("Which pages of {} still live, by {}", page.graph_name, report.method),
      .subtitle = fmt::format("Looking for pages that are {}: {} of {} were tested.",
                              to_string(page.target), human_number(run.tests),
                              human_number(page.pages->size())),
      .generated_by = page.command,
      .sections = {figures_so_far(page, run)}};
  html.sections.push_back(found_plot(page, report, chance));
  html.sections.push_back(efficiency_so_far(page, report, chance));
  Plot costs = cost_so_far(report, chance);
  if (!costs.series.empty()) html.sections.push_back(std::move(costs));
  add_by_life(page, kByLifeSoFar, html.sections);
  html.sections.push_back(status_table(
      status_rows(run.outcomes, run.no_host, page.truth->redirect_targets_of(run.order)),
      std::max<std::uint64_t>(1, run.tests), "the pages that were tested"));
  return html;
}

}  // namespace

std::vector<double> curve_alphas() {
  std::vector<double> alphas;
  for (int percent = 1; percent <= 100; ++percent) alphas.push_back(percent / 100.0);
  return alphas;
}

std::vector<std::uint64_t> curve_tests(std::uint64_t pages) {
  std::vector<std::uint64_t> tests;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    const std::uint64_t at = (pages * i + 99) / 100;
    if (at > 0 && (tests.empty() || at > tests.back())) tests.push_back(at);
  }
  return tests;
}

report::HtmlReport comparison_report(const LivePage& page, const ComparisonTable& table) {
  const std::string chance = fmt::format("Means over seeds {} to {}.", table.first_seed,
                                         table.first_seed + table.seeds - 1);
  report::HtmlReport report{
      .title = fmt::format("Which pages of {} still live", page.graph_name),
      .subtitle = fmt::format("What methods cost that look for pages that are {}; the truth is {}.",
                              to_string(page.target), page.truth_name),
      .generated_by = page.command,
      .sections = {key_figures(page)}};
  std::vector<Drawn> best;
  auto& figures = std::get<KeyFigures>(report.sections[0]).figures;
  for (const CostRow* row : best_rows(table)) best.push_back(drawn(*row, table));
  const auto cheapest = std::ranges::min_element(table.rows, {}, &CostRow::area);
  figures.push_back({"cheapest", cheapest->contestant.label, "area " + number(cheapest->area)});
  const Hindsight hindsight = hindsight_of(table.rows);
  if (!hindsight.best_fixed.empty()) {
    figures.push_back(
        {"best of the papers", hindsight.best_fixed, "area " + number(hindsight.best_area)});
  }
  std::vector<Drawn> with_envelope = best;
  if (Drawn lowest = envelope(table); !lowest.costs.empty()) {
    with_envelope.push_back(std::move(lowest));
  }
  report.sections.push_back(cost_plot(
      with_envelope, "Cost against alpha",
      "Tests until a share alpha of what lives is found, divided by as many live pages: 1 is "
      "perfect. Of each method the best of its samples (Figures 4, 6a, 7 and 8 of the paper). " +
          chance));
  report.sections.push_back(efficiency_plot(
      page, best, "f(i)",
      "Live pages among the first i tests, as a share (Figure 1 of the French paper). " + chance));
  report.sections.push_back(days_plot(page, best, chance));
  add_samples(page, table, chance, report.sections);
  add_pages(page, report.sections);
  report.sections.push_back(cost_table(table, chance));
  return report;
}

report::HtmlReport run_report(const LivePage& page, const LiveReport& run) {
  if (!run.truth_is_whole) return report_so_far(page, run);
  const std::string chance = fmt::format("Seed {}.", run.seed);
  const auto live = static_cast<double>(page.truth->live);
  Drawn ours{run.method, {}, {}};
  Drawn random{"random order, on average", {}, {}};
  Drawn perfect{"perfect order", {}, {}};
  for (const double alpha : curve_alphas()) {
    ours.costs.push_back(run.run->curve.cost(alpha, page.truth->live).value_or(kNotKnown));
    random.costs.push_back(ratio(page));
    perfect.costs.push_back(
        live == 0 ? kNotKnown : double(live_needed(alpha, page.truth->live)) / (alpha * live));
  }
  for (const std::uint64_t tests : curve_tests(page.pages->size())) {
    const auto count = static_cast<double>(tests);
    random.found.push_back(live == 0 ? 0 : count / ratio(page));
    perfect.found.push_back(std::min(count, live));
    if (tests <= run.run->tests) {
      ours.found.push_back(static_cast<double>(run.run->curve.found_after(tests)));
    }
  }
  const std::vector<Drawn> rows = {ours, random, perfect};
  report::HtmlReport report{
      .title = fmt::format("Which pages of {} still live, by {}", page.graph_name, run.method),
      .subtitle = fmt::format("Looking for pages that are {}; the truth is {}.",
                              to_string(page.target), page.truth_name),
      .generated_by = page.command,
      .sections = {key_figures(page)}};
  auto& figures = std::get<KeyFigures>(report.sections[0]).figures;
  figures.push_back({"tests", human_number(run.run->tests),
                     fmt::format("found {}", human_number(run.run->found))});
  figures.push_back({"area", number(run.run->curve.area(page.truth->live).value_or(kNotKnown)),
                     "mean cost from .10 to .95"});
  report.sections.push_back(
      cost_plot(rows, "Cost against alpha",
                "Tests until a share alpha of what lives is found, divided by "
                "as many live pages. " +
                    chance));
  report.sections.push_back(efficiency_plot(
      page, rows, "f(i)", "Live pages among the first i tests, as a share. " + chance));
  if (page.truth->live > 0) report.sections.push_back(days_plot(page, rows, chance));
  add_pages(page, report.sections);
  return report;
}

}  // namespace webstrata
