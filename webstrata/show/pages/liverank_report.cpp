// SPDX-License-Identifier: Apache-2.0

// Three kinds of pages share the plots of liverank_parts.h: a run that tested all pages, a
// comparison of methods, and a run that did not see all pages (liverank_so_far.h). Every method
// becomes a DrawnMethod (costs by alpha, found by tests) before it is plotted. Tested by
// tests/report/liverank_report_test.py.

#include "webstrata/show/pages/liverank_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/show/pages/asked_table.h"
#include "webstrata/show/pages/liverank_parts.h"
#include "webstrata/show/pages/liverank_result.h"
#include "webstrata/show/pages/liverank_samples.h"
#include "webstrata/show/pages/liverank_so_far.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::KeyFigures;
using report::Table;
using Sections = std::vector<report::Section>;

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

// ---- comparisons --------------------------------------------------------------------------------

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

// Random order and our default are always emphasised, then the cheapest; the rest is grey.
void emphasise(const std::vector<const CostRow*>& rows, std::size_t count,
               std::vector<DrawnMethod>& drawn) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const std::string& method = rows[i]->contestant.method;
    return method == "auto" || method == "random" ? 0 : rows[i]->area;
  });
  for (std::size_t i = count; i < order.size(); ++i) drawn[order[i]].quiet = true;
}

// The lowest of the papers' rows at each alpha.
DrawnMethod envelope(const ComparisonTable& table) {
  const Hindsight best = hindsight_of(table.rows);
  if (best.costs.empty()) return {};
  return {"papers' best, in hindsight",
          {best.costs.begin() + static_cast<std::ptrdiff_t>(table.alphas.size()), best.costs.end()},
          {}};
}

// Whether the lines of a figure of all methods can be compared sample by sample.
std::string samples_text(const ComparisonTable& table) {
  std::vector<std::pair<std::string, double>> samples;
  for (const CostRow& row : table.rows) {
    const auto sample = sample_of(row.contestant);
    if (sample) samples.emplace_back(kind_word(*sample), sample->size);
  }
  const bool is_one = std::ranges::adjacent_find(samples, std::not_equal_to<>()) == samples.end();
  if (is_one) return "";
  return "Methods begin with different samples, which the legend names; of each method the one "
         "with the best area is drawn. ";
}

Table cost_table(const ComparisonTable& table, const std::string& chance) {
  Table costs{
      .title = "Costs",
      .caption =
          "Tests per living page found until each share of the living pages is found, and the "
          "area: the mean from .10 to .95. 1 is perfect. " +
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
            fmt::format("{:.1f} %", 100 / pages_per_live(page))},
           {"cost of a random order", cost_text(pages_per_live(page)), "a perfect one costs 1"}}};
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
      .result = comparison_result(page, table),
      .subtitle = fmt::format("What methods cost that look for pages that are {}; the truth is {}.",
                              to_string(page.target), page.truth_name),
      .generated_by = page.command,
      .sections = {key_figures(page)}};
  const std::string samples = samples_text(table);
  std::vector<DrawnMethod> best;
  auto& figures = std::get<KeyFigures>(report.sections[0]).figures;
  const std::vector<const CostRow*> rows = best_rows(table);
  for (const CostRow* row : rows) best.push_back(drawn_row(*row, table));
  const auto cheapest = std::ranges::min_element(table.rows, {}, &CostRow::area);
  figures.push_back(
      {"cheapest", cheapest->contestant.label, "mean cost " + cost_text(cheapest->area)});
  const Hindsight hindsight = hindsight_of(table.rows);
  if (!hindsight.best_fixed.empty()) {
    figures.push_back({"best of the papers", hindsight.best_fixed,
                       "mean cost " + cost_text(hindsight.best_area)});
  }
  DrawnMethod lowest = envelope(table);
  emphasise(rows, lowest.costs.empty() ? report::kEmphasisedLines : report::kEmphasisedLines - 1,
            best);
  std::vector<DrawnMethod> with_envelope = best;
  if (!lowest.costs.empty()) with_envelope.push_back(std::move(lowest));
  report.sections.push_back(cost_plot(
      with_envelope, "Cost of finding living pages",
      "Tests until a share of the living pages (alpha in the papers) is found, divided by that "
      "number of pages: 1 is perfect. " +
          samples + chance));
  report.sections.push_back(hit_rate_plot(
      page, best, "Living pages among those tested",
      "Share of the pages tested so far that live (f(i) in the French paper). " + samples +
          chance));
  report.sections.push_back(days_plot(page, best, chance));
  add_sample_figures(page, table, chance, report.sections);
  add_pages(page, report.sections);
  report.sections.push_back(cost_table(table, chance));
  return report;
}

report::HtmlReport run_report(const LivePage& page, const LiveReport& run) {
  if (!run.truth_is_whole) return report_so_far(page, run);
  const std::string chance = fmt::format("Seed {}.", run.seed);
  const auto live = static_cast<double>(page.truth->live);
  DrawnMethod ours{run.method, {}, {}};
  DrawnMethod random{"random order, on average", {}, {}};
  DrawnMethod perfect{"perfect order", {}, {}};
  for (const double alpha : curve_alphas()) {
    ours.costs.push_back(run.run->curve.cost(alpha, page.truth->live).value_or(kNotKnown));
    random.costs.push_back(pages_per_live(page));
    perfect.costs.push_back(
        live == 0 ? kNotKnown : double(live_needed(alpha, page.truth->live)) / (alpha * live));
  }
  for (const std::uint64_t tests : curve_tests(page.pages->size())) {
    const auto count = static_cast<double>(tests);
    random.found.push_back(live == 0 ? 0 : count / pages_per_live(page));
    perfect.found.push_back(std::min(count, live));
    if (tests <= run.run->tests) {
      ours.found.push_back(static_cast<double>(run.run->curve.found_after(tests)));
    }
  }
  const std::vector<DrawnMethod> rows = {ours, random, perfect};
  report::HtmlReport report{
      .title = fmt::format("Which pages of {} still live, by {}", page.graph_name, run.method),
      .result = run_result(page, run),
      .subtitle = fmt::format("Looking for pages that are {}; the truth is {}.",
                              to_string(page.target), page.truth_name),
      .generated_by = page.command,
      .sections = {key_figures(page)}};
  auto& figures = std::get<KeyFigures>(report.sections[0]).figures;
  figures.push_back({"tests", human_number(run.run->tests),
                     fmt::format("found {}", human_number(run.run->found))});
  figures.push_back({"mean cost",
                     cost_text(run.run->curve.area(page.truth->live).value_or(kNotKnown)),
                     "tests per living page, from 10 to 95 %"});
  report.sections.push_back(cost_plot(
      rows, "Cost of finding living pages",
      "Tests until a share of the living pages (alpha in the papers) is found, divided by "
      "that number of pages. " +
          chance));
  report.sections.push_back(
      hit_rate_plot(page, rows, "Living pages among those tested",
                    "Share of the pages tested so far that live (f(i) in the papers). " + chance));
  if (page.truth->live > 0) report.sections.push_back(days_plot(page, rows, chance));
  if (page.asked != nullptr) report.sections.push_back(asked_table(*page.asked));
  add_pages(page, report.sections);
  return report;
}

}  // namespace webstrata
