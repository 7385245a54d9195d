// SPDX-License-Identifier: Apache-2.0

// Curves are means over seed sets with a band from the lowest to the highest; a StudyQuantity
// chooses what is drawn (sum or count, relative to the oracle or absolute). Precision and the
// tables of correlations come from the comparison as they are. Tested by
// tests/report/explore_report_test.py.

#include "webstrata/show/pages/explore_report.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>

#include "webstrata/base/human.h"

namespace webstrata {
namespace {

using report::Axis;
using report::Plot;
using report::PlotKind;
using report::Scale;
using report::Series;

constexpr std::size_t kPrecisionPoints = 400;

// The value of a crawl at a point of the curve.
using StudyQuantity = double (*)(const Study& study, const StudyRow& row, std::size_t set,
                                 std::size_t point);

double relative_sum(const Study& study, const StudyRow& row, std::size_t set, std::size_t point) {
  return study.relative(row, CrawlValue::Sum, set, point);
}
double relative_count(const Study& study, const StudyRow& row, std::size_t set, std::size_t point) {
  return study.relative(row, CrawlValue::Count, set, point);
}
double absolute_sum(const Study&, const StudyRow& row, std::size_t set, std::size_t point) {
  return row.crawls[set].sum[point];
}
double absolute_count(const Study&, const StudyRow& row, std::size_t set, std::size_t point) {
  return row.crawls[set].count[point];
}

// The mean over seed sets, and the lowest and highest of them.
Series along_steps(const Study& study, const StudyRow& row, StudyQuantity quantity) {
  Series series{.name = row.contender.label};
  for (std::size_t point = 0; point < study.steps.size(); ++point) {
    double sum = 0;
    double low = INFINITY;
    double high = -INFINITY;
    for (std::size_t set = 0; set < row.crawls.size(); ++set) {
      const double value = quantity(study, row, set, point);
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    series.x.push_back(static_cast<double>(study.steps[point]));
    series.y.push_back(sum / static_cast<double>(row.crawls.size()));
    series.low.push_back(low);
    series.high.push_back(high);
  }
  return series;
}

std::string chance_of(const Study& study) {
  return fmt::format(
      "Mean of {} seed sets of {} pages (seed {}), in a band from the lowest to the "
      "highest.",
      study.oracle.crawls.size(), study.set_size, study.seed);
}

// The oracle's own crawl is drawn once, even if the oracle is among what is compared. With another
// strategy its crawl is another one.
bool is_the_oracle(const Study& study, const StudyRow& row) {
  const auto same = [](const CrawlCurve& a, const CrawlCurve& b) {
    return a.sum == b.sum && a.count == b.count;
  };
  return row.contender.label == "oracle" &&
         std::ranges::equal(row.crawls, study.oracle.crawls, same);
}

double share_at_the_end(const Study& study, const StudyRow& row) {
  return study.mean_relative(row, CrawlValue::Sum, study.steps.size() - 1);
}

// Rows that can be a result, the best first: the oracle knows what a crawler cannot know.
std::vector<const StudyRow*> best_first(const Study& study) {
  std::vector<const StudyRow*> rows;
  for (const StudyRow& row : study.rows) {
    if (row.contender.estimator != "oracle") rows.push_back(&row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [&](const StudyRow* row) { return share_at_the_end(study, *row); });
  return rows;
}

// What needs no guess, to compare with.
bool is_baseline(const StudyRow& row) {
  return row.contender.estimator == "random" || row.contender.estimator == "bf";
}

// The names of the lines that are emphasised: the oracle, the baselines, and the best.
std::set<std::string> emphasised(const Study& study) {
  std::set<std::string> names = {study.oracle.contender.label};
  std::vector<const StudyRow*> rows = best_first(study);
  std::ranges::stable_partition(rows, [](const StudyRow* row) { return is_baseline(*row); });
  for (const StudyRow* row : rows) {
    if (names.size() < report::kEmphasisedLines) names.insert(row->contender.label);
  }
  return names;
}

struct StudyPicture {
  std::string title;
  std::string what;
  std::string label;
  StudyQuantity quantity = nullptr;
  bool with_oracle = false;
};

Plot plot_of(const StudyPicture& picture, const Study& study) {
  Plot plot{.title = picture.title,
            .caption = fmt::format("{} {}", picture.what, chance_of(study)),
            .kind = PlotKind::Line,
            .x = {.label = "pages crawled"},
            .y = {.label = picture.label},
            .series = {}};
  if (picture.with_oracle)
    plot.series.push_back(along_steps(study, study.oracle, picture.quantity));
  for (const StudyRow& row : study.rows) {
    if (!is_the_oracle(study, row)) {
      plot.series.push_back(along_steps(study, row, picture.quantity));
    }
  }
  if (plot.series.size() <= report::kEmphasisedLines) return plot;
  const std::set<std::string> loud = emphasised(study);
  for (Series& series : plot.series) series.quiet = !loud.contains(series.name);
  return plot;
}

// "extra finds 97 % of what the best possible order finds with 200 pages; random finds 36 %."
std::string result_of(const Study& study) {
  const std::vector<const StudyRow*> rows = best_first(study);
  const auto share = [&](const StudyRow& row) {
    return fmt::format("{:.0f} %", 100 * share_at_the_end(study, row));
  };
  if (rows.empty()) return "Only the oracle was compared, which knows every score in advance.";
  std::string text =
      fmt::format("{} finds {} of what the best possible order finds with {} pages",
                  rows.front()->contender.label, share(*rows.front()), human_number(study.budget));
  const std::span others = std::span(rows).subspan(1);
  auto other = std::ranges::find_if(
      others, [](const StudyRow* row) { return row->contender.estimator == "random"; });
  if (other == others.end()) {
    other = std::ranges::find_if(others, [](const StudyRow* row) { return is_baseline(*row); });
  }
  if (other == others.end()) other = others.begin();
  if (other == others.end()) return text + ".";
  return fmt::format("{}; {} finds {}.", text, (*other)->contender.label, share(**other));
}

report::KeyFigures key_figures(const ExploreComparison& comparison, const ExplorePage& page) {
  const Study& study = comparison.study;
  report::KeyFigures figures{
      {{"pages", human_number(page.pages), fmt::format("of {}", page.graph_name)},
       {"pages that score", human_number(page.scored_pages), fmt::format("on {}", page.topic)},
       {"links that score", human_number(page.scored_links), ""},
       {"budget", human_number(study.budget), "pages, seeds not counted"}}};
  if (const auto rows = best_first(study); !rows.empty()) {
    const double share = share_at_the_end(study, *rows.front());
    figures.figures.push_back({"best at the end", rows.front()->contender.label,
                               fmt::format("{:.0f} % of what the oracle finds", 100 * share)});
  }
  return figures;
}

report::Table share_table(const Study& study) {
  report::Table table{
      .title = "Share of the best possible crawl",
      .caption = fmt::format("What each estimator finds at 5, 20, 50 and 100 % of the budget, as a "
                             "share of what the oracle finds, which always takes the best page: "
                             "the sum of scores, and the number of pages that score. {}",
                             chance_of(study)),
      .columns = {{.name = "estimator"}},
      .rows = {}};
  for (const std::string_view value : {"sum", "count"}) {
    for (const double share : kBudgetShares) {
      table.columns.push_back(
          {fmt::format("{} at {:.0f} %", value, 100 * share), report::ColumnKind::Percent});
    }
  }
  for (const StudyRow& row : study.rows) {
    std::vector<report::Cell> cells = {row.contender.label};
    for (const CrawlValue value : {CrawlValue::Sum, CrawlValue::Count}) {
      for (const double share : kBudgetShares) {
        cells.emplace_back(study.mean_relative(row, value, study.point_at(share)));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// ---- precision: Figure 3 ------------------------------------------------------------------------

Plot precision_plot(const ExploreComparison& comparison) {
  Plot plot{.title = "What wrong choices lose",
            .caption = fmt::format(
                "How much less the page scores that an estimator would have taken than the best of "
                "the frontier, along the oracle's crawl from the first seed set (seed {}): mean of "
                "the last {} steps (Figure 3 of the paper). 0 is perfect.",
                comparison.study.seed, comparison.window),
            .kind = PlotKind::Line,
            .x = {.label = "pages crawled"},
            .y = {.label = "score lost per page"},
            .series = {}};
  const std::set<std::string> loud = emphasised(comparison.study);
  for (const PrecisionCurve& curve : comparison.precision) {
    Series series{.name = curve.label};
    series.quiet =
        comparison.precision.size() > report::kEmphasisedLines && !loud.contains(curve.label);
    const std::size_t stride = std::max<std::size_t>(1, curve.losses.size() / kPrecisionPoints);
    for (std::size_t i = stride - 1; i < curve.losses.size(); i += stride) {
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(curve.losses[i]);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// ---- Tables 2 and 3 -----------------------------------------------------------------------------

report::Cell cell_of(double number) {
  return std::isfinite(number) ? report::Cell(number) : report::Cell();
}

report::Table correlation_table(const std::vector<FeatureFit>& fits) {
  report::Table table{.title = "How well its neighbours predict a page's score",
                      .caption =
                          "Pearson's coefficient with sums and maxima of the scores of "
                          "neighbours (n), of links (e) and of both multiplied (ne), over "
                          "all pages with links in that direction (Table 2 of the paper). A "
                          "crawler sees only what is in.",
                      .columns = {{.name = "links"}},
                      .rows = {}};
  for (const char* name : kFeatureNames) {
    table.columns.push_back({name, report::ColumnKind::Number});
  }
  for (const FeatureFit& fit : fits) {
    std::vector<report::Cell> cells = {fit.direction};
    for (const double number : fit.correlations) cells.push_back(cell_of(number));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::Table fit_table(const std::vector<FeatureFit>& fits) {
  report::Table table{.title = "How well all neighbours together predict it",
                      .caption =
                          "R² of least squares on the three sums, and on the three maxima "
                          "(Table 3 of the paper).",
                      .columns = {{.name = "links"},
                                  {"sum", report::ColumnKind::Number},
                                  {"max", report::ColumnKind::Number}},
                      .rows = {}};
  for (const FeatureFit& fit : fits) {
    table.rows.push_back({fit.direction, cell_of(fit.fit_sum), cell_of(fit.fit_max)});
  }
  return table;
}

}  // namespace

report::HtmlReport explore_report(const ExploreComparison& comparison, const ExplorePage& page) {
  report::HtmlReport report{
      .title = fmt::format("Exploring {} for {}", page.graph_name, page.topic),
      .result = result_of(comparison.study),
      .subtitle = "What crawls find under a budget, by the guess that leads them.",
      .generated_by = page.command,
      .sections = {key_figures(comparison, page), share_table(comparison.study)}};
  const StudyPicture pictures[] = {
      {"Score found, compared with the best possible order",
       "Sum of the scores of crawled pages, over what the oracle found from the same seeds "
       "(Figures 4 and 5 of the paper, left).",
       "share", relative_sum, false},
      {"Score found", "Sum of the scores of crawled pages (Figures 4 and 5 of the paper, right).",
       "sum of scores", absolute_sum, true},
      {"Relevant pages found, compared with the best possible order",
       "The same for the number of pages that score.", "share", relative_count, false},
      {"Relevant pages found", "Pages that score.", "pages", absolute_count, true}};
  for (const StudyPicture& picture : pictures) {
    report.sections.push_back(plot_of(picture, comparison.study));
  }
  if (comparison.strategies) {
    report.sections.push_back(
        plot_of({"Cost of not always taking the best page",
                 "With true scores: how much a crawl finds that takes, with probability 1 - q, any "
                 "page within a share z of the best, over what the greedy one finds (Figure 1 of "
                 "the paper).",
                 "share", relative_sum, false},
                *comparison.strategies));
  }
  if (comparison.refreshes) {
    report.sections.push_back(plot_of(
        {"Cost of choosing many pages at a time",
         "With true scores: how much a crawl finds that chooses r pages at a time, over what one "
         "finds that looks again after each (Figure 2 of the paper).",
         "share", relative_sum, false},
        *comparison.refreshes));
  }
  if (!comparison.precision.empty()) report.sections.push_back(precision_plot(comparison));
  if (!comparison.fits.empty()) {
    report.sections.push_back(correlation_table(comparison.fits));
    report.sections.push_back(fit_table(comparison.fits));
  }
  return report;
}

}  // namespace webstrata
