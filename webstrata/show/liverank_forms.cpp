// SPDX-License-Identifier: Apache-2.0

// A run or a comparison as text, JSON and CSV. While pages are left untested, the number of live
// pages is unknown: then the text shows counts next to an estimate from the sample, and JSON leaves
// out n_a, cost and area.
// Tested by tests/cli/liverank_test.py.

#include "webstrata/show/liverank_forms.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/liverank/statuses.h"

namespace webstrata {
namespace {

constexpr std::size_t kCurvePoints = 200;

void append_cost(JsonWriter& json, const std::optional<double>& cost) {
  // JSON knows no NaN: what was not reached is null.
  json.value(cost.value_or(std::nan("")));
}

void append_estimate(JsonWriter& json, const LiveReport& report) {
  if (report.truth_is_whole) json.field("n_a", report.truth->live);
  const auto& estimate = report.run->estimate;
  if (!estimate) return;
  json.field("n_a_estimate", estimate->value);
  json.key("n_a_interval").begin_array().value(estimate->low).value(estimate->high).end_array();
}

void append_costs(JsonWriter& json, const LiveReport& report) {
  if (!report.truth_is_whole) return;  // a share of an unknown number
  const Curve& curve = report.run->curve;
  json.key("cost").begin_object();
  for (const double alpha : kTableAlphas) {
    json.key(fmt::format("{:g}", alpha));
    append_cost(json, curve.cost(alpha, report.truth->live));
  }
  json.end_object().key("area");
  append_cost(json, curve.area(report.truth->live));
}

// [tests, found, f], evenly spaced.
void append_curve(JsonWriter& json, const Curve& curve) {
  json.key("curve").begin_array();
  const std::uint64_t step = std::max<std::uint64_t>(1, curve.tests() / kCurvePoints);
  for (std::uint64_t tests = step; tests <= curve.tests(); tests += step) {
    json.begin_array().value(tests).value(curve.found_after(tests));
    json.value(curve.efficiency(tests)).end_array();
  }
  json.end_array();
}

void append_outcomes(JsonWriter& json, std::string_view name, const OutcomeCounts& counts) {
  json.key(name).begin_object();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json.field(to_string(static_cast<Outcome>(i)), counts[i]);
  }
  json.end_object();
}

void append_statuses(JsonWriter& json, const std::vector<StatusRow>& rows) {
  json.key("statuses").begin_object();
  for (const StatusRow& row : rows) json.field(row.key, row.count);
  json.end_object();
}

void append_classes(JsonWriter& json, const ActivityClasses& classes) {
  json.key("classes").begin_object().field("gone", classes.gone).field("never", classes.never);
  json.field("once", classes.once).field("unknown", classes.unknown).end_object();
}

void append_truth(JsonWriter& json, const Truth& truth) {
  json.key("truth").begin_object().field("unknown_urls", truth.unknown_urls);
  json.field("absent", truth.absent).field("not_looked_at", truth.not_looked_at);
  json.field("repeated", truth.repeated).field("contradicting", truth.contradicting);
  json.field("without_activity", truth.without_activity);
  append_outcomes(json, "outcomes", truth.outcomes);
  append_statuses(json, status_rows(truth.outcomes, truth.no_host, truth.redirect_targets()));
  if (!truth.active.empty()) append_classes(json, activity_classes(truth));
  json.end_object();
}

void append_why(JsonWriter& json, const LiveReport& report) {
  json.key("why").begin_object().field("url", std::string_view(report.why_url));
  if (report.why_rank) json.field("rank", *report.why_rank);
  json.key("reasons").begin_array();
  for (const Reason& reason : report.why) {
    json.begin_object().field("what", std::string_view(reason.what));
    json.field("value", reason.value).field("adds", reason.weight).end_object();
  }
  json.end_array().end_object();
}

std::string cost_text(const std::optional<double>& cost) {
  return cost ? fmt::format("{:>8.3f}", *cost) : fmt::format("{:>8}", "-");
}

// Cost at shares of all that live.
std::string cost_table(const LiveReport& report) {
  const LiveRun& run = *report.run;
  const std::uint64_t live = report.truth->live;
  std::string text = "\nshare found   tests needed    cost   at random\n";
  const double ratio =
      live == 0 ? 0 : static_cast<double>(report.pages) / static_cast<double>(live);
  for (const double alpha : kTableAlphas) {
    const auto cost = run.curve.cost(alpha, live);
    const std::string tests = cost ? human_number(static_cast<std::uint64_t>(
                                         std::llround(*cost * alpha * static_cast<double>(live))))
                                   : "-";
    text +=
        fmt::format("{:>10.0f} %{:>15}{}{:>12.3f}\n", 100 * alpha, tests, cost_text(cost), ratio);
  }
  return text + fmt::format("{:<27}{}\n", "area", cost_text(run.curve.area(live)));
}

// The number of live pages is unknown while pages are left, and so are shares; what a random order
// would have found is estimated from the sample.
std::string found_table(const LiveReport& report) {
  constexpr std::uint64_t kRows = 5;
  const LiveRun& run = *report.run;
  std::string text = "\n    tests     found   at random (estimated)\n";
  std::uint64_t last = 0;
  for (std::uint64_t row = 1; row <= kRows; ++row) {
    const std::uint64_t tests = run.tests * row / kRows;
    if (tests == last) continue;
    last = tests;
    const double share = static_cast<double>(tests) / static_cast<double>(report.pages);
    text +=
        fmt::format("{:>9}{:>10}", human_number(tests), human_number(run.curve.found_after(tests)));
    text += run.estimate
                ? fmt::format("{:>12.0f}, between {:.0f} and {:.0f}\n", share * run.estimate->value,
                              share * run.estimate->low, share * run.estimate->high)
                : "           -\n";
  }
  return text;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.2f} %",
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

// The papers' table of statuses: how many answers of each kind, and their share.
std::string status_table(const std::vector<StatusRow>& rows, std::uint64_t tests) {
  std::string text = fmt::format("\n{:<26}{:>14}{:>10}\n", "status", "tests", "share");
  for (const StatusRow& row : rows) {
    const bool is_usual = row.key != "blocked" && row.key != "unreachable" && row.key != "unknown";
    if (row.count == 0 && !is_usual) continue;
    text += fmt::format("{:<26}{:>14}{:>10}\n",
                        row.is_part ? fmt::format("  {}", row.name) : std::string(row.name),
                        human_number(row.count), percent(row.count, tests));
  }
  return text +
         fmt::format("{:<26}{:>14}{:>10}\n", "all", human_number(tests), percent(tests, tests));
}

// The classes of the LiveRank paper: what no longer exists, was never active, or was active at
// least once.
std::string class_table(const ActivityClasses& classes) {
  std::string text = fmt::format("\n{:<26}{:>14}{:>10}\n", "class", "pages", "share");
  const auto add = [&](std::string_view name, std::uint64_t count) {
    text += fmt::format("{:<26}{:>14}{:>10}\n", name, human_number(count),
                        percent(count, classes.all()));
  };
  add("no longer there", classes.gone);
  add("never active", classes.never);
  add("active once or more", classes.once);
  if (classes.unknown > 0) add("not known", classes.unknown);
  return text;
}

struct SampleWords {
  std::string kind;  // empty: the method has no sample
  double size = 0;
};
SampleWords sample_words(const Contestant& contestant) {
  const auto sample = sample_of(contestant);
  if (!sample) return {};
  // A sample by sites without a limit may take every page.
  return {kind_word(*sample), sample->size == kAllPages ? 1 : sample->size};
}

// The method without its sample, which has columns of its own: "asf mean".
std::string method_words(const Contestant& contestant) {
  return contestant.method + (contestant.variant.empty() ? "" : " " + contestant.variant);
}

}  // namespace

void explain(LiveReport& report, const Population& pages, Planner& planner, Node page) {
  report.why_url = pages.graph.name(page);
  report.why = planner.why(page);
  const auto& order = report.run->order;
  const auto place = std::ranges::find(order, page);
  if (place != order.end()) report.why_rank = place - order.begin() + 1;
}

TextTable plan_table(const std::vector<std::string>& urls, unsigned shards) {
  TextTable table{{"url"}, {}};
  if (shards > 1) table.columns = {"shard", "url"};
  for (std::size_t i = 0; i < urls.size(); ++i) {
    table.rows.push_back(shards > 1 ? Cells{std::to_string(i % shards), urls[i]} : Cells{urls[i]});
  }
  return table;
}

std::string plan_as_text(const std::vector<std::string>& urls, unsigned shards) {
  return written(plan_table(urls, shards), {});
}

std::vector<std::string> urls_of_plan(const Population& pages, const std::vector<Node>& plan,
                                      const HandOver& hand_over) {
  std::vector<std::string> urls;
  for (const Node page : plan) {
    std::string name = pages.graph.name(page);
    if (hand_over.may_name(name)) urls.push_back(std::move(name));
  }
  return urls;
}

std::string as_json(const LiveReport& report) {
  std::string text;
  JsonWriter json(text);
  const LiveRun& run = *report.run;
  json.begin_object().field("method", std::string_view(report.method)).field("seed", report.seed);
  json.field("target", to_string(report.target)).field("n", report.pages);
  json.field("links", report.links).field("tests", run.tests).field("found", run.found);
  append_estimate(json, report);
  append_costs(json, report);
  json.field("batches", run.batches).field("settled", run.settled);
  json.field("ended", to_string(run.ended));
  append_outcomes(json, "outcomes", run.outcomes);
  append_truth(json, *report.truth);
  append_curve(json, run.curve);
  if (!report.why_url.empty()) append_why(json, report);
  json.end_object();
  return text + "\n";
}

std::string as_text(const LiveReport& report) {
  const LiveRun& run = *report.run;
  const Truth& truth = *report.truth;
  std::string text = fmt::format(
      "{} (seed {}): {} tests of {} pages found {}{} that are {}\n", report.method, report.seed,
      human_number(run.tests), human_number(report.pages), human_number(run.found),
      report.truth_is_whole ? fmt::format(" of {}", human_number(truth.live)) : "",
      to_string(report.target));
  if (run.estimate) {
    text += fmt::format("estimated from the sample: {:.0f}, between {:.0f} and {:.0f}\n",
                        run.estimate->value, run.estimate->low, run.estimate->high);
  }
  text += report.truth_is_whole ? cost_table(report) : found_table(report);
  if (run.settled > 0) {
    text += fmt::format("{} pages of dead hosts were not tested\n", human_number(run.settled));
  }
  text += status_table(status_rows(run.outcomes, run.no_host, truth.redirect_targets_of(run.order)),
                       run.tests);
  if (report.target == Target::Active) text += class_table(activity_classes(truth));
  return text;
}

std::string why_as_text(const LiveReport& report) {
  std::string text = fmt::format(
      "{}\t{}\n", report.why_url,
      report.why_rank ? fmt::format("test {}", *report.why_rank) : std::string("not tested"));
  for (const Reason& reason : report.why) {
    text += fmt::format("{}\t{:.6g}\t{:+.4f}\n", reason.what, reason.value, reason.weight);
  }
  return text;
}

std::string as_text(const ComparisonTable& table) {
  std::string text =
      fmt::format("{} pages, {} of them live; a random order costs {:.3f}\n\n{:<28}",
                  human_number(table.pages), human_number(table.live),
                  static_cast<double>(table.pages) / static_cast<double>(table.live), "method");
  for (const double alpha : table.alphas) text += fmt::format("{:>8g}", alpha);
  text += "    area       s\n";
  for (const CostRow& row : table.rows) {
    text += fmt::format("{:<28}", row.contestant.label);
    for (std::size_t i = 0; i < table.alphas.size(); ++i) {
      text += fmt::format("{:>8.3f}", row.costs[i]);
    }
    text += fmt::format("{:>8.3f}{:>8.2f}\n", row.area, row.seconds);
  }
  const Hindsight best = hindsight_of(table.rows);
  if (best.costs.empty()) return text;
  text += fmt::format("{:<28}", "best of the papers' methods");
  for (std::size_t i = 0; i < table.alphas.size(); ++i) {
    text += fmt::format("{:>8.3f}", best.costs[i]);
  }
  return text + fmt::format("\nwith the best area: {} ({:.3f})\n", best.best_fixed, best.best_area);
}

std::string as_json(const ComparisonTable& table) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("n", table.pages).field("n_a", table.live).key("rows").begin_array();
  for (const CostRow& row : table.rows) {
    const auto [kind, size] = sample_words(row.contestant);
    json.begin_object().field("label", std::string_view(row.contestant.label));
    json.field("method", std::string_view(row.contestant.method));
    json.field("sample", std::string_view(kind)).field("z", size).key("cost").begin_object();
    for (std::size_t i = 0; i < table.alphas.size(); ++i) {
      json.key(fmt::format("{:g}", table.alphas[i])).value(row.costs[i]);
    }
    json.end_object().field("area", row.area).field("seconds", row.seconds);
    json.field("runs", row.runs.size()).end_object();
  }
  json.end_array().end_object();
  return text + "\n";
}

std::string as_csv(const ComparisonTable& table) {
  std::string text = "method,sample,z,run,alpha,cost\n";
  for (const CostRow& row : table.rows) {
    const auto [kind, size] = sample_words(row.contestant);
    for (std::size_t run = 0; run < row.runs.size(); ++run) {
      for (std::size_t i = 0; i < table.alphas.size(); ++i) {
        text += fmt::format("{},{},{:g},{},{:g},{:.6f}\n", method_words(row.contestant), kind, size,
                            run + 1, table.alphas[i], row.runs[run][i]);
      }
    }
  }
  return text;
}

}  // namespace webstrata
