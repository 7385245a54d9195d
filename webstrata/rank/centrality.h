// SPDX-License-Identifier: Apache-2.0

// Scores that come from counting: degrees, and how near a node is to all others.
//
// Harmonic centrality (Boldi and Vigna 2014) of a node is the sum of 1 / distance over all nodes
// from which links lead to it; nodes that cannot reach it add 0. The exact value takes a search
// from every node, 64 nodes at a time. On large graphs a random sample of nodes is used.
//
//   const HarmonicResult near = harmonic_centrality(graph, {.samples = 4096, .seed = 7});

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

std::vector<double> in_degrees(const Snapshot& graph);
std::vector<double> out_degrees(const Snapshot& graph);

// Graphs up to this size are searched from every node, unless `samples` says otherwise.
inline constexpr std::uint32_t kHarmonicExactNodes = std::uint32_t{1} << 14;

struct HarmonicOptions {
  // Nodes to search from; as many as there are, or more: exact. 0: exact up to kHarmonicExactNodes,
  // then 1,024.
  std::uint32_t samples = 0;
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

struct HarmonicResult {
  std::vector<double> scores;
  std::uint32_t samples = 0;  // nodes searched from
  // Each score is within this of the exact one with a probability of 95 % (Hoeffding); 0: exact.
  double error_bound = 0;
};

// Time O(samples / 64 · levels · links), memory 32 bytes per node. The scores have the same bits
// for any number of threads.
HarmonicResult harmonic_centrality(const Snapshot& graph, const HarmonicOptions& options = {});

}  // namespace webstrata
