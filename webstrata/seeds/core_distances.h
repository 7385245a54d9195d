// SPDX-License-Identifier: Apache-2.0

// Distances between cores: the paper's first metric.
//
//   const CoreDistances apart = core_distances(graph, cores);
//   apart.at(31, 46);   // links on the shortest way from core 31 to core 46
//
// A distance is the length of the shortest directed path from a node of one core to a node of the
// other, on the graph with all its links.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/seeds/bipartite_core.h"

namespace webstrata {

struct CoreDistances {
  std::size_t core_count = 0;
  std::vector<std::optional<std::uint32_t>> matrix;  // by rows; empty: there is no path
  // Over connected ordered pairs of different cores; empty if there are none.
  std::optional<std::uint32_t> nearest;
  std::optional<std::uint32_t> farthest;
  std::optional<double> mean;
  std::uint64_t connected_pairs = 0;

  // Cores found this number of iterations apart, in both directions.
  struct Gap {
    std::uint64_t connected_pairs = 0;
    std::uint64_t pairs = 0;
    double mean = 0;            // 0 without connected pairs
    std::uint32_t nearest = 0;  // likewise
    std::uint32_t farthest = 0;
  };
  std::vector<Gap> by_gap;  // by_gap[i] is for a gap of i + 1 iterations

  [[nodiscard]] std::optional<std::uint32_t> at(std::size_t from, std::size_t to) const {
    return matrix[from * core_count + to];
  }
};

// Time O(cores * (nodes + links)) on all threads.
CoreDistances core_distances(const Snapshot& graph, std::span<const BipartiteCore> cores,
                             const WorkOptions& work = {});

}  // namespace webstrata
