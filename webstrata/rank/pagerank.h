// SPDX-License-Identifier: Apache-2.0

// PageRank: the share of time a random surfer spends at each node.
//
// The surfer follows a random link with probability `damping`, and otherwise jumps to a node drawn
// from `preference`. At a node without links `dead_ends` decides: it jumps (Uniform, Preference:
// scores sum to 1) or is lost (Drop, as the papers do: scores sum to at most 1).
//
//   const PageRankResult ranked = pagerank(graph, {.damping = 0.9});
//
// With x the preference, A the links with rows that sum to 1 (0 for dead ends) and w the jumps from
// dead ends (uniform, x, or nothing), the scores y are the unique solution of
//
//   y = damping · y A + damping · (score of all dead ends) · w + (1 − damping) · x

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

enum class DeadEnds : std::uint8_t {
  Uniform,     // jump to any node
  Preference,  // jump to a node drawn from the preference
  Drop,        // the surfer is lost: nothing is passed on
};

enum class PageRankMethod : std::uint8_t {
  GaussSeidel,  // a node sees the new scores of the nodes before it: about half the iterations
  Power,        // all nodes see the scores of the previous iteration
};

struct PageRankOptions {
  double damping = 0.85;    // in [0, 1)
  double tolerance = 1e-9;  // stop once error_bound is no larger
  int iterations_max = 200;
  std::span<const double> preference = {};  // sums to 1; empty means uniform
  DeadEnds dead_ends = DeadEnds::Uniform;
  PageRankMethod method = PageRankMethod::GaussSeidel;
  // One per link in the order of Snapshot::first_link, not negative; empty: 1 each. A node whose
  // links all have 0 is a dead end.
  std::span<const double> link_weights = {};
  std::span<const double> start = {};  // scores to begin with, such as those of last month
  WorkOptions work = {};
};

struct PageRankResult {
  std::vector<double> scores;  // one per node
  double error_bound = 2;      // on the L1 distance to the exact scores
  int iterations = 0;
  bool converged = false;  // false: iterations_max came first
};

// Time O(nodes + links) per iteration. The scores have the same bits for any number of threads.
// Throws Error(BadInput) if an option is out of range.
PageRankResult pagerank(const Snapshot& graph, const PageRankOptions& options = {});

}  // namespace webstrata
