// SPDX-License-Identifier: Apache-2.0

// Methods are drawn by cost, by the share of tested pages that live, and by day; living and dead
// pages as cumulative distributions of their links and of their PageRank.
// Tested by tests/report/liverank_report_test.py.

#include "webstrata/show/pages/liverank_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/liverank/cumulative.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::Plot;
using report::PlotKind;
using report::Scale;
using report::Series;
using report::Table;
using Sections = std::vector<report::Section>;

constexpr std::uint64_t kDaysInAll = 21;  // the papers' crawl took about three weeks

std::uint64_t per_day(const LivePage& page) {
  if (page.per_day > 0) return page.per_day;
  return std::max<std::uint64_t>(1, (page.pages->size() + kDaysInAll - 1) / kDaysInAll);
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

std::vector<double> as_doubles(const std::vector<std::uint64_t>& counts) {
  return {counts.begin(), counts.end()};
}

}  // namespace

double pages_per_live(const LivePage& page) {
  return page.truth->live == 0
             ? std::numeric_limits<double>::quiet_NaN()
             : static_cast<double>(page.pages->size()) / static_cast<double>(page.truth->live);
}

std::string cost_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : std::string("–");
}

// ---- curves of methods --------------------------------------------------------------------------

Plot cost_plot(const std::vector<DrawnMethod>& rows, std::string title, std::string caption) {
  Plot plot{.title = std::move(title),
            .caption = std::move(caption),
            .kind = PlotKind::Line,
            .x = {.label = "share of the living pages found"},
            .y = {.label = "tests per living page found"}};
  for (const DrawnMethod& row : rows) {
    plot.series.push_back(
        {.name = row.name, .x = curve_alphas(), .y = row.costs, .quiet = row.quiet});
  }
  return plot;
}

Plot hit_rate_plot(const LivePage& page, const std::vector<DrawnMethod>& rows, std::string title,
                   std::string caption) {
  const std::vector<double> tests = as_doubles(curve_tests(page.pages->size()));
  Plot plot{.title = std::move(title),
            .caption = std::move(caption),
            .kind = PlotKind::Line,
            .x = {.label = "pages tested"},
            .y = {.label = "share of them that lives"}};
  for (const DrawnMethod& row : rows) {
    Series series{.name = row.name, .quiet = row.quiet};
    for (std::size_t i = 0; i < row.found.size(); ++i) {
      series.x.push_back(tests[i]);
      series.y.push_back(row.found[i] / tests[i]);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot days_plot(const LivePage& page, const std::vector<DrawnMethod>& rows,
               const std::string& chance) {
  const std::vector<double> tests = as_doubles(curve_tests(page.pages->size()));
  const auto rate = static_cast<double>(per_day(page));
  Plot plot{.title = "Living pages found by day",
            .caption = fmt::format("Share of the live pages found after each day, with {} "
                                   "requests per day. {}",
                                   human_number(per_day(page)), chance),
            .kind = PlotKind::Line,
            .x = {.label = "days"},
            .y = {.label = "share of the living pages found"}};
  for (const DrawnMethod& row : rows) {
    Series series{.name = row.name, .x = {0}, .y = {0}, .quiet = row.quiet};
    for (std::size_t i = 0; i < row.found.size(); ++i) {
      series.x.push_back(tests[i] / rate);
      series.y.push_back(row.found[i] / static_cast<double>(page.truth->live));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Table status_table(const std::vector<StatusRow>& rows, std::uint64_t pages,
                   const std::string& which) {
  Table table{.title = "What became of the pages",
              .caption = fmt::format("Answers for {}, as the papers count them. Rows that begin "
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

void add_by_life(const LivePage& page, bool is_whole, Sections& sections) {
  const char* caption = is_whole ? kByLife : kByLifeSoFar;
  const Population& pages = *page.pages;
  sections.push_back(by_life(page, "Links to living and dead pages", caption, "links to the page",
                             [&](Node node) { return double(pages.graph.in_degree(node)); }));
  sections.push_back(by_life(page, "PageRank of living and dead pages", caption, "PageRank",
                             [&](Node node) { return pages.pagerank[node]; }));
}

void add_pages(const LivePage& page, Sections& sections) {
  add_by_life(page, true, sections);
  if (page.target == Target::Active) add_activity(page, sections);
  const Truth& truth = *page.truth;
  sections.push_back(
      status_table(status_rows(truth.outcomes, truth.no_host, truth.redirect_targets()),
                   page.pages->size(), "all pages"));
}

}  // namespace webstrata
