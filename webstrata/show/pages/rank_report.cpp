// SPDX-License-Identifier: Apache-2.0

// Entries are the nodes among the first of any graph, with place and score in each graph; all plots
// and the top list are made from them, so one node has one line everywhere. With several dates,
// pictures of ranks and scores by date are added.
// Tested by tests/report/rank_report_test.py.

#include "webstrata/show/pages/rank_report.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/rank/distribution.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Scale;
using report::Series;
using report::Table;

constexpr std::size_t kNodesDrawn = 10;  // in pictures
constexpr std::size_t kRows = 1000;      // of each graph in the top list
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

// A node of the top lists: its place and score in each graph. 0 and NaN where it is missing.
struct Entry {
  std::string name;
  std::vector<std::uint32_t> places;
  std::vector<double> scores;
  std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
};

// Pages are nodes that were captured; here names that are only linked to appear too.
std::string noun_of(const RankPage& page) {
  return page.level == "page" ? "nodes" : page.level + "s";
}

// ---- places in the orders -----------------------------------------------------------------------

void add_graph(const RankedGraph& ranked, std::size_t index, std::vector<Entry>& entries) {
  const std::vector<std::uint32_t> places = places_of(ranked.result.scores);
  for (Entry& entry : entries) {
    const auto node = ranked.graph.find(entry.name);
    if (!node) continue;
    entry.places[index] = places[*node];
    entry.scores[index] = ranked.result.scores[*node];
    entry.best = std::min(entry.best, places[*node]);
  }
}

// Missing entries come last.
std::uint32_t last_place(const Entry& entry) {
  return entry.places.back() > 0 ? entry.places.back() : std::numeric_limits<std::uint32_t>::max();
}

// All that are among the first `count` of any graph; the best place first, then by the last graph.
std::vector<Entry> top_entries(std::span<const RankedGraph> graphs, std::size_t count) {
  std::set<std::string> names;
  for (const RankedGraph& ranked : graphs) {
    for (const Node node : top_nodes(ranked.result.scores, count)) {
      names.insert(ranked.graph.name(node));
    }
  }
  std::vector<Entry> entries;
  for (const std::string& name : names) {
    entries.push_back({name, std::vector<std::uint32_t>(graphs.size()),
                       std::vector<double>(graphs.size(), kNowhere)});
  }
  for (std::size_t i = 0; i < graphs.size(); ++i) add_graph(graphs[i], i, entries);
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return a.best != b.best ? a.best < b.best : last_place(a) < last_place(b);
  });
  return entries;
}

// ---- the parts ----------------------------------------------------------------------------------

// Of several graphs, how large the first and the last are.
KeyFigures key_figures(std::span<const RankedGraph> graphs, const RankPage& page) {
  KeyFigures figures;
  const auto add_size = [&](const RankedGraph& ranked, const std::string& where) {
    figures.figures.push_back({noun_of(page) + where, human_number(ranked.graph.node_count()),
                               human_number(ranked.graph.link_count()) + " links"});
  };
  const bool has_dates = graphs.size() > 1;
  add_size(graphs.front(), has_dates ? ", " + graphs.front().label : "");
  if (has_dates) add_size(graphs.back(), ", " + graphs.back().label);
  const RankingResult& last = graphs.back().result;
  if (last.iterations > 0) {
    figures.figures.push_back({"iterations", std::to_string(last.iterations),
                               last.converged ? "converged" : "not converged"});
  }
  if (last.error_bound > 0) {
    figures.figures.push_back({"error", fmt::format("{:.1e}", last.error_bound), "at most"});
  }
  return figures;
}

// ---- the result in one sentence -----------------------------------------------------------------

std::vector<std::string> first_names(const RankedGraph& ranked, std::size_t count) {
  std::vector<std::string> names;
  for (const Node node : top_nodes(ranked.result.scores, count)) {
    names.push_back(ranked.graph.name(node));
  }
  return names;
}

// "a.org ranks first of 1,834 nodes by pagerank; the first 10 hold 8.9 % of all scores."
std::string result_of(const RankedGraph& ranked, const RankPage& page) {
  const std::vector<Node> top = top_nodes(ranked.result.scores, kNodesDrawn);
  if (top.empty()) return {};
  double first = 0;
  double all = 0;
  for (const Node node : top) first += ranked.result.scores[node];
  for (const double score : ranked.result.scores) all += score;
  const std::string share =
      all > 0 && top.size() < ranked.graph.node_count()
          ? fmt::format("; the first {} hold {:.1f} % of all scores", top.size(), 100 * first / all)
          : "";
  return fmt::format("{} ranks first of {} {} by {}{}.", ranked.graph.name(top.front()),
                     human_number(ranked.graph.node_count()), noun_of(page), page.ranking, share);
}

// "a.org ranks first in 2021 and in 2023; 8 of the first 10 of 2021 are still among the first 10."
std::string result_of(std::span<const RankedGraph> graphs, const RankPage& page) {
  const RankedGraph& earlier = graphs.front();
  const RankedGraph& later = graphs.back();
  if (graphs.size() == 1) return result_of(earlier, page);
  const std::vector<std::string> before = first_names(earlier, kNodesDrawn);
  const std::vector<std::string> after = first_names(later, kNodesDrawn);
  if (before.empty() || after.empty()) return {};
  const auto stayed = std::ranges::count_if(before, [&](const std::string& name) {
    return std::ranges::find(after, name) != after.end();
  });
  const std::string first =
      before.front() == after.front()
          ? fmt::format("{} ranks first by {} in {} and in {}", before.front(), page.ranking,
                        earlier.label, later.label)
          : fmt::format("{} ranks first by {} in {}, and {} in {}", before.front(), page.ranking,
                        earlier.label, after.front(), later.label);
  return fmt::format("{}; {} of the first {} are still among the first {}.", first, stayed,
                     before.size(), after.size());
}

Plot distribution(std::span<const RankedGraph> graphs, const RankPage& page) {
  Plot plot{.title = "Distribution of scores",
            .caption = fmt::format("How many {} have at least this score: the complementary "
                                   "cumulative distribution, on two logarithmic axes, where a "
                                   "power law is a straight line. {}",
                                   noun_of(page), page.chance),
            .kind = PlotKind::Line,
            .x = {.label = "score", .scale = Scale::Log},
            .y = {.label = noun_of(page), .scale = Scale::Log}};
  for (const RankedGraph& ranked : graphs) {
    Series series{.name = ranked.label};
    for (const TailPoint& point : tail_of(ranked.result.scores)) {
      series.x.push_back(point.score);
      series.y.push_back(static_cast<double>(point.nodes));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot highest_scores(const std::vector<Entry>& entries, const RankPage& page) {
  Plot plot{.title = "Highest scores",
            .caption = fmt::format("The first {} of the table below. {}",
                                   std::min(2 * kNodesDrawn, entries.size()), page.chance),
            .kind = PlotKind::Bar,
            .x = {.label = page.level},
            .y = {.label = "score"},
            .series = {{.name = page.ranking}}};
  for (const Entry& entry : std::span(entries).first(std::min(2 * kNodesDrawn, entries.size()))) {
    plot.series[0].x.push_back(static_cast<double>(plot.categories.size()));
    plot.series[0].y.push_back(entry.scores[0]);
    plot.categories.push_back(entry.name);
  }
  return plot;
}

// One line for each of the best entries; `value` of an entry at a date.
template <typename Value>
std::vector<Series> by_date(const std::vector<Entry>& entries, std::size_t dates, Value value) {
  std::vector<Series> all;
  for (const Entry& entry : std::span(entries).first(std::min(kNodesDrawn, entries.size()))) {
    Series series{.name = entry.name, .quiet = all.size() >= report::kEmphasisedLines};
    for (std::size_t i = 0; i < dates; ++i) {
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(value(entry, i));
    }
    all.push_back(std::move(series));
  }
  return all;
}

std::string drawn_text(std::size_t count, const RankPage& page) {
  return fmt::format(
      "The {} {} with the best place at any of the dates; no mark where one is not "
      "there. {}",
      std::min(kNodesDrawn, count), noun_of(page), page.chance);
}

Plot places_by_date(const std::vector<Entry>& entries, const std::vector<std::string>& dates,
                    const RankPage& page) {
  const auto place = [](const Entry& entry, std::size_t i) {
    return entry.places[i] == 0 ? kNowhere : static_cast<double>(entry.places[i]);
  };
  return {.title = "Rank by date",
          .caption = "Place in the order of scores, the first on top, on a logarithmic axis. " +
                     drawn_text(entries.size(), page),
          .kind = PlotKind::Line,
          .x = {.label = "date"},
          .y = {.label = "place", .scale = Scale::Log, .downward = true},
          .series = by_date(entries, dates.size(), place),
          .categories = dates};
}

Plot scores_by_date(const std::vector<Entry>& entries, const std::vector<std::string>& dates,
                    const RankPage& page) {
  const auto score = [](const Entry& entry, std::size_t i) { return entry.scores[i]; };
  return {.title = "Score by date",
          .caption = drawn_text(entries.size(), page),
          .kind = PlotKind::Line,
          .x = {.label = "date"},
          .y = {.label = "score"},
          .series = by_date(entries, dates.size(), score),
          .categories = dates};
}

Plot first_and_last(const std::vector<Entry>& entries, const std::vector<std::string>& dates,
                    const RankPage& page) {
  Series series{.name = noun_of(page)};
  for (const Entry& entry : entries) {
    if (entry.places.front() == 0 || entry.places.back() == 0) continue;
    series.x.push_back(entry.places.front());
    series.y.push_back(entry.places.back());
    series.labels.push_back(entry.name);
  }
  return {.title = "Risen and fallen",
          .caption = fmt::format("Places in {} (across) and in {} (down) of all in the list below "
                                 "that were there both times: what rose is right of the "
                                 "diagonal, what fell is below it. {}",
                                 dates.front(), dates.back(), page.chance),
          .kind = PlotKind::Scatter,
          .x = {.label = "place " + dates.front(), .scale = Scale::Log},
          .y = {.label = "place " + dates.back(), .scale = Scale::Log, .downward = true},
          .series = {std::move(series)}};
}

Table top_table(const std::vector<Entry>& entries, const std::vector<std::string>& dates,
                const RankPage& page) {
  Table table{.title = "Top list", .columns = {{.name = page.level, .kind = ColumnKind::Link}}};
  table.caption = dates.size() > 1
                      ? fmt::format("All that are among the first {} at any of the dates.", kRows)
                      : fmt::format("The first {}.", entries.size());
  for (const std::string& date : dates) {
    const std::string where = dates.size() > 1 ? " " + date : "";
    table.columns.push_back({.name = "place" + where, .kind = ColumnKind::Number});
    table.columns.push_back({.name = "score" + where, .kind = ColumnKind::Number});
  }
  for (const Entry& entry : entries) {
    std::vector<report::Cell> row(1 + 2 * dates.size());
    row[0] = entry.name;
    for (std::size_t i = 0; i < dates.size(); ++i) {
      if (entry.places[i] == 0) continue;
      row[1 + 2 * i] = std::uint64_t{entry.places[i]};
      row[2 + 2 * i] = entry.scores[i];
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

report::HtmlReport rank_report(std::span<const RankedGraph> graphs, const RankPage& page) {
  const std::vector<Entry> entries = top_entries(graphs, kRows);
  std::vector<std::string> dates;
  for (const RankedGraph& ranked : graphs) dates.push_back(ranked.label);
  const std::string until = graphs.size() > 1 ? " to " + graphs.back().name : "";
  report::HtmlReport report{
      .title = fmt::format("Ranked by {}: {}{}", page.ranking, graphs.front().name, until),
      .result = result_of(graphs, page),
      .subtitle = fmt::format("{}: {}.", page.ranking, find_ranking(page.ranking).summary),
      .generated_by = page.command,
      .sections = {key_figures(graphs, page)}};
  if (graphs.size() > 1) {
    report.sections.push_back(places_by_date(entries, dates, page));
    report.sections.push_back(scores_by_date(entries, dates, page));
    report.sections.push_back(first_and_last(entries, dates, page));
  } else {
    report.sections.push_back(highest_scores(entries, page));
  }
  report.sections.push_back(distribution(graphs, page));
  report.sections.push_back(top_table(entries, dates, page));
  return report;
}

}  // namespace webstrata
