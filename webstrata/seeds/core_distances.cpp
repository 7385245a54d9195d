// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/core_distances_test.cpp.

#include "webstrata/seeds/core_distances.h"

#include <algorithm>

#include "webstrata/seeds/breadth_first.h"

namespace webstrata {
namespace {

std::vector<Node> nodes_of(const BipartiteCore& core) {
  std::vector<Node> nodes = core.hubs;
  nodes.insert(nodes.end(), core.authorities.begin(), core.authorities.end());
  return nodes;
}

// The row of the matrix: from one core to all.
void measure_from(const Snapshot& graph, std::span<const BipartiteCore> cores, std::size_t from,
                  std::span<std::optional<std::uint32_t>> row) {
  std::vector<std::uint32_t> distances(graph.node_count(), kFarAway);
  BreadthFirst walk(graph, nodes_of(cores[from]));
  for (std::uint32_t depth = 0; !walk.level().empty(); ++depth, walk.advance()) {
    for (const Node node : walk.level()) distances[node] = depth;
  }
  for (std::size_t to = 0; to < cores.size(); ++to) {
    std::uint32_t nearest = kFarAway;
    for (const Node node : nodes_of(cores[to])) nearest = std::min(nearest, distances[node]);
    if (nearest != kFarAway) row[to] = nearest;
  }
}

void sum_up(CoreDistances& result) {
  const std::size_t cores = result.core_count;
  result.by_gap.resize(cores > 0 ? cores - 1 : 0);
  double total = 0;
  for (std::size_t from = 0; from < cores; ++from) {
    for (std::size_t to = 0; to < cores; ++to) {
      if (from == to) continue;
      CoreDistances::Gap& gap = result.by_gap[(from > to ? from - to : to - from) - 1];
      ++gap.pairs;
      const auto distance = result.at(from, to);
      if (!distance) continue;
      gap.nearest = gap.connected_pairs == 0 ? *distance : std::min(gap.nearest, *distance);
      gap.farthest = std::max(gap.farthest, *distance);
      ++gap.connected_pairs;
      gap.mean += *distance;
      ++result.connected_pairs;
      total += *distance;
      result.nearest = std::min(result.nearest.value_or(*distance), *distance);
      result.farthest = std::max(result.farthest.value_or(*distance), *distance);
    }
  }
  for (CoreDistances::Gap& gap : result.by_gap) {
    if (gap.connected_pairs > 0) gap.mean /= static_cast<double>(gap.connected_pairs);
  }
  if (result.connected_pairs > 0) result.mean = total / static_cast<double>(result.connected_pairs);
}

}  // namespace

CoreDistances core_distances(const Snapshot& graph, std::span<const BipartiteCore> cores,
                             const WorkOptions& work) {
  CoreDistances result;
  result.core_count = cores.size();
  result.matrix.resize(cores.size() * cores.size());
  run_tasks(cores.size(), work, "measuring distances", [&](std::size_t from) {
    measure_from(graph, cores, from,
                 std::span(result.matrix).subspan(from * cores.size(), cores.size()));
  });
  sum_up(result);
  return result;
}

}  // namespace webstrata
