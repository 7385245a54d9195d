// SPDX-License-Identifier: Apache-2.0

// The flags of `webstrata rank`, and what their words mean.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/jobs/rank_job.h"
#include "webstrata/rank/rankings.h"

namespace webstrata {

struct RankFlags : RankWords {
  GraphFlags graph;
  std::vector<std::string> more_graphs;
  std::string by = "pagerank";
  std::size_t top = std::numeric_limits<std::size_t>::max();
  double damping = PageRankOptions{}.damping;
  double tolerance = PageRankOptions{}.tolerance;
  int iterations = 0;  // 0: as each method has it
  std::string dead_ends = "uniform";
  std::string method = "gauss-seidel";
  std::string report;
  std::uint32_t samples = 0;
  std::uint32_t registers = 0;
  std::uint64_t seed = HarmonicOptions{}.seed;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

void declare_rank(FlagSet& app, RankFlags& flags);

// Throws Error(BadInput) for words that mean nothing, or nothing together.
RankingOptions options_of(const RankFlags& flags, const WorkOptions& work);

// The graphs to rank, each with a label of its own. Throws Error(BadInput) if one is given twice,
// or cannot have what is asked of it.
std::vector<GraphToRank> graphs_of(const RankFlags& flags);

}  // namespace webstrata
