// SPDX-License-Identifier: Apache-2.0

// Harmonic centrality of all nodes in a few passes over the links, estimated.
//
// Every node keeps a small counter of the nodes from which links lead to it within t steps; a pass
// over all links computes the counters for t + 1 from those for t. On a web graph a few dozen
// passes are enough for all nodes, instead of a search from each.
//
//   const HyperBallResult near = hyperball(graph, {.registers = 256, .seed = 7});

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct HyperBallOptions {
  std::uint32_t registers = 64;  // of each counter, a byte each: a power of two from 16 to 65,536
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

struct HyperBallResult {
  std::vector<double> scores;  // harmonic centrality, one per node
  int passes = 0;
  // The standard error of a score s is at most standard_error · (s + 1), for large counts.
  double standard_error = 0;
};

// Time O(passes · links · registers / 16), memory 2 · registers + 18 bytes per node. The scores
// have the same bits for any number of threads. Throws Error(BadInput) if an option is out of
// range.
HyperBallResult hyperball(const Snapshot& graph, const HyperBallOptions& options = {});

}  // namespace webstrata
