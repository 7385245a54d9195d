// SPDX-License-Identifier: Apache-2.0

// The rankings by name: what `rank --by` offers.

#pragma once

#include <string_view>
#include <vector>

#include "webstrata/rank/centrality.h"
#include "webstrata/rank/hits.h"
#include "webstrata/rank/hyperball.h"
#include "webstrata/rank/pagerank.h"

namespace webstrata {

struct RankingOptions {
  PageRankOptions pagerank;
  HitsOptions hits;
  HarmonicOptions harmonic;
  std::uint32_t registers = 0;  // above 0: harmonic by HyperBall with this many
};

struct RankingResult {
  std::vector<double> scores;  // one per node
  bool converged = true;
  double error_bound = 0;     // of the method; 0 if it has none
  int iterations = 0;         // 0: the method has none
  double standard_error = 0;  // of HyperBall
};

struct Ranking {
  std::string_view name;
  std::string_view summary;
  RankingResult (*run)(const Snapshot& graph, const RankingOptions& options);
};

const std::vector<Ranking>& rankings();
// Throws Error(BadInput) that lists the names.
const Ranking& find_ranking(std::string_view name);

// The `count` nodes with the highest scores, highest first, equal ones by their number.
std::vector<Node> top_nodes(const std::vector<double>& scores, std::size_t count);

// The place of each node in that order: 1 is the highest. Time O(n log n).
std::vector<std::uint32_t> places_of(const std::vector<double>& scores);

}  // namespace webstrata
