// SPDX-License-Identifier: Apache-2.0

// Figures 4 to 6 of the paper: sizes of cores, a map of cores placed by report::stress_layout so
// that drawn distances are close to graph distances, and distance against iteration gap. The map
// shows at most 100 cores; JSON has all.
// Tested by tests/report/seeds_report_test.py.

#include "webstrata/show/pages/cores_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "webstrata/report/layout.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::Drawing;
using report::Plot;
using report::PlotKind;
using report::Scale;
using report::Series;
using report::Table;

constexpr std::size_t kCoresDrawn = 100;  // more cannot be distinguished; --json has all distances
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// The seed that core i gave; empty if the choice ended before it.
std::string seed_of(const Snapshot& graph, const SeedsFound& found, std::size_t i) {
  const std::vector<Node>& candidates = found.chosen.candidates;
  return i < candidates.size() ? graph.name(candidates[i]) : "";
}

std::string core_text(const BipartiteCore& core, const std::string& seed) {
  return fmt::format("hubs: {}\nauthorities: {}\n{}", core.hubs.size(), core.authorities.size(),
                     seed);
}

// Figures 4 and 5.
Plot sizes(const Snapshot& graph, const SeedsFound& found, const std::string& chance) {
  const std::vector<BipartiteCore>& cores = found.chosen.cores;
  Series hubs{.name = "hubs"};
  Series authorities{.name = "authorities"};
  for (std::size_t i = 0; i < cores.size(); ++i) {
    for (Series* series : {&hubs, &authorities}) {
      series->x.push_back(static_cast<double>(i + 1));
      series->labels.push_back(seed_of(graph, found, i));
    }
    hubs.y.push_back(static_cast<double>(cores[i].hubs.size()));
    authorities.y.push_back(static_cast<double>(cores[i].authorities.size()));
  }
  return {.title = "Sizes of cores",
          .caption =
              "Hubs and authorities of each bipartite core, in the order in which they were "
              "found; the name is the seed that the core gave (Figures 4 and 5 of the "
              "paper). " +
              chance,
          .kind = PlotKind::Line,
          .x = {.label = "iteration"},
          .y = {.label = "members", .scale = Scale::Log},
          .series = {std::move(hubs), std::move(authorities)}};
}

// ---- Figure 6 -----------------------------------------------------------------------------------

// Row by row, NaN where there is no path.
std::vector<double> known_distances(const CoreDistances& distances, std::size_t count) {
  std::vector<double> known;
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = 0; to < count; ++to) {
      const auto links = distances.at(from, to);
      known.push_back(links ? static_cast<double>(*links) : kNoValue);
    }
  }
  return known;
}

// From each core to the nearest other one, the earliest of several.
void add_nearest(const std::vector<double>& known, std::size_t count, Drawing& drawing) {
  for (std::size_t from = 0; from < count; ++from) {
    std::size_t nearest = from;
    for (std::size_t to = 0; to < count; ++to) {
      if (to == from || std::isnan(known[from * count + to])) continue;
      const bool is_first = nearest == from;
      if (is_first || known[from * count + to] < known[from * count + nearest]) nearest = to;
    }
    if (nearest == from) continue;
    drawing.links.push_back({from, nearest, fmt::format("{}", known[from * count + nearest])});
  }
}

std::string drawing_text(const std::vector<double>& known, const std::vector<report::Point>& places,
                         std::size_t all, const std::string& chance) {
  const double error = std::sqrt(report::mean_stress(known, places));
  std::string text = fmt::format(
      "Cores are drawn about as far apart as the shortest path between them is long (Figure 6 of "
      "the "
      "paper); the number is the iteration, the area the members. An arrow leads to the nearest "
      "other core and shows the links of the path. Distances do not fit into a plane exactly: "
      "those on the picture are off by {:.0f} % on average. ",
      100 * error);
  if (all > places.size()) text += fmt::format("The first {} of {} cores. ", places.size(), all);
  return text + chance;
}

Drawing map_of(const Snapshot& graph, const SeedsFound& found, const CoreDistances& distances,
               const std::string& chance) {
  const std::size_t count = std::min(kCoresDrawn, distances.core_count);
  const std::vector<double> known = known_distances(distances, count);
  const auto places = report::stress_layout(known, count, {.seed = found.seed});
  Drawing drawing{.title = "Distances between cores",
                  .caption = drawing_text(known, places, distances.core_count, chance)};
  for (std::size_t i = 0; i < count; ++i) {
    const BipartiteCore& core = found.chosen.cores[i];
    drawing.nodes.push_back(
        {.x = places[i].x,
         .y = places[i].y,
         .label = std::to_string(i + 1),
         .size = static_cast<double>(core.hubs.size() + core.authorities.size()),
         .note = core_text(core, seed_of(graph, found, i))});
  }
  add_nearest(known, count, drawing);
  return drawing;
}

// ---- distances in numbers -----------------------------------------------------------------------

Plot by_gap(const CoreDistances& distances, std::optional<double> graph_mean,
            const std::string& chance) {
  Series mean{.name = "cores"};
  Series graph{.name = "mean of the graph"};
  for (std::size_t i = 0; i < distances.by_gap.size(); ++i) {
    const CoreDistances::Gap& gap = distances.by_gap[i];
    const bool is_known = gap.connected_pairs > 0;
    mean.x.push_back(static_cast<double>(i + 1));
    mean.y.push_back(is_known ? gap.mean : kNoValue);
    mean.low.push_back(is_known ? gap.nearest : kNoValue);
    mean.high.push_back(is_known ? gap.farthest : kNoValue);
    mean.labels.push_back(fmt::format("{} of {} pairs have a way", gap.connected_pairs, gap.pairs));
    graph.x.push_back(static_cast<double>(i + 1));
    graph.y.push_back(graph_mean.value_or(kNoValue));
  }
  Plot plot{.title = "Distance between cores found one after another",
            .caption =
                "Mean length of the shortest paths between cores that were found this many "
                "iterations apart; the band reaches from the nearest pair to the farthest. "
                "For comparison, the mean over connected nodes of the whole graph. " +
                chance,
            .kind = PlotKind::Line,
            .x = {.label = "iterations apart"},
            .y = {.label = "links"},
            .series = {std::move(mean)}};
  if (graph_mean) plot.series.push_back(std::move(graph));
  return plot;
}

Table pairs(const CoreDistances& distances) {
  const std::size_t count = std::min(kCoresDrawn, distances.core_count);
  Table table{.title = "Paths between cores",
              .caption = fmt::format("Links on the shortest path; pairs without one are left out. "
                                     "{} of {} cores.",
                                     count, distances.core_count),
              .columns = {{.name = "from", .kind = ColumnKind::Number},
                          {.name = "to", .kind = ColumnKind::Number},
                          {.name = "links", .kind = ColumnKind::Number}}};
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = 0; to < count; ++to) {
      const auto links = distances.at(from, to);
      if (from == to || !links) continue;
      table.rows.push_back({std::uint64_t{from + 1}, std::uint64_t{to + 1}, std::uint64_t{*links}});
    }
  }
  return table;
}

}  // namespace

std::vector<report::Section> cores_pictures(const Snapshot& graph, const SeedsFound& found,
                                            const CoreDistances& distances,
                                            std::optional<double> graph_mean,
                                            const std::string& chance) {
  std::vector<report::Section> sections = {sizes(graph, found, chance)};
  if (distances.core_count < 2) return sections;
  sections.push_back(map_of(graph, found, distances, chance));
  sections.push_back(by_gap(distances, graph_mean, chance));
  sections.push_back(pairs(distances));
  return sections;
}

}  // namespace webstrata
