// SPDX-License-Identifier: Apache-2.0

// HITS (Kleinberg 1999): good hubs link to good authorities, good authorities are linked to by
// good hubs.
//
//   authorities = Aᵀ hubs,  hubs = A authorities,  each of length 1 (L2) after every iteration
//
//   const HitsResult found = hits(graph, {.tolerance = 1e-9});
//
// Without links all scores are 0. Results do not depend on the number of threads.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct HitsOptions {
  int iterations = 60;
  // Stop once `change` is no larger; iterations are extrapolated (extrapolation.h), which changes
  // their number and not the limit. 0: exactly `iterations`, without extrapolation.
  double tolerance = 0;
  // Warm start, one value per node; empty: all ones. start_authorities are used only without
  // start_hubs.
  std::span<const double> start_hubs = {};
  std::span<const double> start_authorities = {};
  std::span<const std::uint8_t> removed = {};  // 1: the node and its links do not count
  WorkOptions work = {};
};

struct HitsResult {
  std::vector<double> hubs;  // one per node; removed ones have 0
  std::vector<double> authorities;
  int iterations = 0;
  double change = 0;       // L1 distance from the hubs to those of the iteration before
  bool converged = false;  // change <= tolerance
};

// Time O(nodes + links) per iteration; memory three doubles per node besides the graph, and a
// fourth with a tolerance. Throws Error(BadInput) if an option is out of range.
HitsResult hits(const Snapshot& graph, const HitsOptions& options = {});

}  // namespace webstrata
