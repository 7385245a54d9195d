// SPDX-License-Identifier: Apache-2.0

// Three results (a crawl, a recrawl plan, a comparison), each as text and as JSON, and the curves
// of a comparison as CSV. A correlation or fit that is not finite is the word `undefined` in JSON.
// Tested by tests/cli/explore_test.py.

#include "webstrata/show/explore_forms.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/json.h"

namespace webstrata {
namespace {

// Above 1 if the crawl did better than the oracle's, which is possible.
double relative_to_oracle(const ExploreFound& found) {
  const double oracle = found.oracle_value - found.run.seeds_value;
  return oracle > 0 ? (found.run.value_at(found.budget) - found.run.seeds_value) / oracle : 1;
}

void append_row(JsonWriter& json, const Study& study, const StudyRow& row) {
  json.begin_object().field("estimator", std::string_view(row.contender.label));
  for (const CrawlValue value : {CrawlValue::Sum, CrawlValue::Count}) {
    json.key(value == CrawlValue::Sum ? "sum" : "count").begin_array();
    for (const double share : kBudgetShares) {
      json.value(study.mean_relative(row, value, study.point_at(share)));
    }
    json.end_array();
  }
  double seconds = 0;
  for (const CrawlCurve& crawl : row.crawls) seconds += crawl.seconds;
  json.field("seconds", seconds / static_cast<double>(row.crawls.size())).end_object();
}

void append_number(JsonWriter& json, double number) {
  std::isfinite(number) ? json.value(number) : json.value(std::string_view("undefined"));
}

void append_fits(JsonWriter& json, const std::vector<FeatureFit>& fits) {
  json.key("features").begin_array();
  for (const FeatureFit& fit : fits) {
    json.begin_object().field("direction", std::string_view(fit.direction));
    for (std::size_t i = 0; i < fit.correlations.size(); ++i) {
      json.key(kFeatureNames[i]);
      append_number(json, fit.correlations[i]);
    }
    json.key("fit_sum");
    append_number(json, fit.fit_sum);
    json.key("fit_max");
    append_number(json, fit.fit_max);
    json.end_object();
  }
  json.end_array();
}

void append_anchor(JsonWriter& json, const OracleAnchor& anchor) {
  json.key("oracle_of_bound").begin_object().key("sum").begin_array();
  for (const double share : anchor.sum) json.value(share);
  json.end_array().key("count").begin_array();
  for (const double share : anchor.count) json.value(share);
  json.end_array().field("exact", anchor.exact).field("optima", anchor.optima).end_object();
}

std::string text_of(const OracleAnchor& anchor) {
  std::string text = fmt::format("{:<14}", "oracle");
  for (const double share : anchor.sum) text += fmt::format("{:>8.3f}", share);
  for (const double share : anchor.count) text += fmt::format("{:>8.3f}", share);
  return fmt::format(
      "the oracle itself, as a share of the most that any crawl could find ({} of {} exact, the "
      "others at least)\n{}\n",
      anchor.exact, anchor.optima, text);
}

// ", 97.0 % of the best possible crawl".
std::string share_of_optimum(const ExploreFound& found) {
  if (!found.optimum) return "";
  const double own = found.run.value_at(found.budget) - found.run.seeds_value;
  const OfflineOptimum& best = *found.optimum;
  return fmt::format(", {}{:.1f} % of {}", best.is_exact ? "" : "at least ",
                     best.bound > 0 ? 100 * own / best.bound : 100.0,
                     best.is_exact ? "the best possible crawl" : "what any crawl could find");
}

void append_curves(std::string& out, std::string_view figure, const Study& study,
                   const StudyRow& row) {
  for (std::size_t set = 0; set < row.crawls.size(); ++set) {
    for (std::size_t point = 0; point < study.steps.size(); ++point) {
      out +=
          fmt::format("{},{},{},{},{},{},{},{}\n", figure, row.contender.label, set + 1,
                      study.steps[point], row.crawls[set].sum[point], row.crawls[set].count[point],
                      study.relative(row, CrawlValue::Sum, set, point),
                      study.relative(row, CrawlValue::Count, set, point));
    }
  }
}

void append_study(std::string& out, std::string_view figure, const Study& study) {
  append_curves(out, figure, study, study.oracle);
  for (const StudyRow& row : study.rows) append_curves(out, figure, study, row);
}

}  // namespace

TextTable crawl_table(const Snapshot& graph, const ExploreFound& found) {
  TextTable table{{"url", "score", "value"}, {}};
  for (std::size_t i = 0; i < found.run.order.size(); ++i) {
    if (found.not_named.contains(found.run.order[i])) continue;
    table.rows.push_back({graph.name(found.run.order[i]), fmt::format("{}", found.run.scores[i]),
                          fmt::format("{}", found.run.values[i])});
  }
  return table;
}

std::string as_json(const Snapshot& graph, const ExploreFound& found) {
  std::string text;
  JsonWriter json(text);
  const ExploreRun& run = found.run;
  json.begin_object().field("estimator", std::string_view(found.estimator));
  json.field("value_of", std::string_view(found.value)).field("budget", found.budget);
  json.field("seed", found.seed).field("steps", run.order.size());
  json.field("ended", to_string(run.ended)).field("frontier", run.frontier_end);
  json.field("seeds_value", run.seeds_value).field("value", run.value_at(found.budget));
  json.field("oracle_value", found.oracle_value);
  json.field("relative_to_oracle", relative_to_oracle(found));
  if (found.optimum) {
    json.key("optimum").begin_object();
    json.field("value", run.seeds_value + found.optimum->value);
    json.field("bound", run.seeds_value + found.optimum->bound);
    json.field("exact", found.optimum->is_exact).end_object();
  }
  json.key("seeds").begin_array();
  for (const Node node : found.seeds) {
    if (!found.not_named.contains(node)) json.value(std::string_view(graph.name(node)));
  }
  json.end_array().key("crawl").begin_array();
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    if (found.not_named.contains(run.order[i])) continue;
    json.begin_object().field("url", std::string_view(graph.name(run.order[i])));
    json.field("score", run.scores[i]).field("value", run.values[i]).end_object();
  }
  json.end_array().end_object();
  return text + "\n";
}

std::string summary_of(const ExploreFound& found) {
  const double oracle = found.oracle_value - found.run.seeds_value;
  const double own = found.run.value_at(found.budget) - found.run.seeds_value;
  return fmt::format(
      "{} pages from {} seeds by {} (seed {}): {} {:.6g} besides {:.6g} of the seeds, {:.1f} % "
      "of what the oracle finds{}; {}",
      found.run.order.size(), found.seeds.size(), found.estimator, found.seed, found.value, own,
      found.run.seeds_value, oracle > 0 ? 100 * own / oracle : 100.0, share_of_optimum(found),
      to_string(found.run.ended));
}

std::string summary_of(const RecrawlPlan& plan, const RecrawlOptions& options) {
  std::string text = fmt::format(
      "of {} visits in {:.6g} days, {:.6g} go to {} captured pages ({} without a rate of "
      "change of their own) and {:.6g} to {} that are linked only",
      options.budget, options.days, plan.known_visits, plan.captured.nodes.size(),
      plan.captured.without_rate, plan.new_visits, plan.linked);
  if (plan.off_site > 0) {
    text +=
        fmt::format("; {} more are on hosts without a captured page (--off-site)", plan.off_site);
  }
  return text;
}

TextTable recrawl_table(const Snapshot& graph, const RecrawlPlan& plan) {
  TextTable table{{"url", "visits", "gain", "page"}, {}};
  for (const PlannedPage& page : plan.pages) {
    table.rows.push_back({graph.name(page.node), fmt::format("{:.6g}", page.visits),
                          fmt::format("{:.6g}", page.gain), page.is_new ? "new" : "again"});
  }
  return table;
}

std::string as_json(const Snapshot& graph, const RecrawlPlan& plan, const RecrawlOptions& options) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("budget", options.budget).field("days", options.days);
  json.field("captured", plan.captured.nodes.size()).field("linked", plan.linked);
  json.field("off_site", plan.off_site);
  json.field("without_rate", plan.captured.without_rate);
  json.field("mean_changes_a_day", plan.captured.mean_rate);
  json.field("known_visits", plan.known_visits).field("new_visits", plan.new_visits);
  json.key("pages").begin_array();
  for (const PlannedPage& page : plan.pages) {
    json.begin_object().field("url", std::string_view(graph.name(page.node)));
    json.field("new", page.is_new).field("score", page.page.weight);
    json.field("changes_a_day", page.page.rate).field("visits", page.visits);
    json.field("gain", page.gain).end_object();
  }
  json.end_array().end_object();
  return text + "\n";
}

std::string as_text(const ExploreComparison& comparison) {
  const Study& study = comparison.study;
  std::string text = fmt::format(
      "share of what the oracle finds, mean of {} seed sets of {} pages, budget {}\n"
      "{:<14}{:^32}{:^32}\n{:<14}",
      study.oracle.crawls.size(), study.set_size, study.budget, "", "sum of scores",
      "pages that score", "estimator");
  for (int i = 0; i < 2; ++i) {
    for (const double share : kBudgetShares) text += fmt::format("{:>6.0f} %", 100 * share);
  }
  for (const StudyRow& row : study.rows) {
    text += fmt::format("\n{:<14}", row.contender.label);
    for (const CrawlValue value : {CrawlValue::Sum, CrawlValue::Count}) {
      for (const double share : kBudgetShares) {
        text += fmt::format("{:>8.3f}", study.mean_relative(row, value, study.point_at(share)));
      }
    }
  }
  text += "\n";
  return comparison.anchor ? text + text_of(*comparison.anchor) : text;
}

TextTable comparison_table(const ExploreComparison& comparison) {
  const Study& study = comparison.study;
  TextTable table{{"estimator"}, {}};
  for (const std::string_view value : {"sum", "count"}) {
    for (const double share : kBudgetShares) {
      table.columns.push_back(fmt::format("{}_at_{:g}", value, share));
    }
  }
  for (const StudyRow& row : study.rows) {
    Cells cells = {row.contender.label};
    for (const CrawlValue value : {CrawlValue::Sum, CrawlValue::Count}) {
      for (const double share : kBudgetShares) {
        cells.push_back(fmt::format("{}", study.mean_relative(row, value, study.point_at(share))));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string as_json(const ExploreComparison& comparison) {
  const Study& study = comparison.study;
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("budget", study.budget).field("seed", study.seed);
  json.field("seed_sets", study.oracle.crawls.size()).field("set_size", study.set_size);
  json.key("shares").begin_array();
  for (const double share : kBudgetShares) json.value(share);
  json.end_array().key("estimators").begin_array();
  for (const StudyRow& row : study.rows) append_row(json, study, row);
  json.end_array();
  append_fits(json, comparison.fits);
  if (comparison.anchor) append_anchor(json, *comparison.anchor);
  json.end_object();
  return text + "\n";
}

std::string as_csv(const ExploreComparison& comparison) {
  std::string text = "figure,series,set,step,sum,count,sum_relative,count_relative\n";
  append_study(text, "estimators", comparison.study);
  if (comparison.strategies) append_study(text, "strategies", *comparison.strategies);
  if (comparison.refreshes) append_study(text, "refresh", *comparison.refreshes);
  for (const PrecisionCurve& curve : comparison.precision) {
    for (std::size_t i = 0; i < curve.losses.size(); ++i) {
      text += fmt::format("precision,{},1,{},{},,,\n", curve.label, i + 1, curve.losses[i]);
    }
  }
  for (const FeatureFit& fit : comparison.fits) {
    for (std::size_t i = 0; i < fit.correlations.size(); ++i) {
      text += fmt::format("correlation,{} {},,,{},,,\n", fit.direction, kFeatureNames[i],
                          fit.correlations[i]);
    }
    text += fmt::format("fit,{} sum,,,{},,,\nfit,{} max,,,{},,,\n", fit.direction, fit.fit_sum,
                        fit.direction, fit.fit_max);
  }
  return text;
}

}  // namespace webstrata
