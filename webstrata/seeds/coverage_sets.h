// SPDX-License-Identifier: Apache-2.0

// How much of a graph's score is within reach of seeds, estimated on a sample of targets.
//
//   CoverageSets sets = CoverageSets::draw(graph, pagerank_scores, {});
//   sets.gain(node);    // what the node would cover that nothing covers yet
//   sets.cover(node);   // it is a seed now
//
// Targets are drawn in proportion to their score; for each target and each requested depth, the
// nodes that reach it within that number of links are one reverse-reachable set. A seed covers a
// set that it is in, so gain / total is an unbiased estimate of the score within reach, averaged
// over the depths: greedy choice by gain comes within 1 - 1/e of the best expected coverage (Borgs
// et al. 2014).
// The sets of one target are nested and kept as one list with distances.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct CoverageOptions {
  std::vector<std::uint32_t> depths = {1, 2, 3};  // each 1 to 15; a repeated depth counts twice
  std::uint32_t set_count = 12000;                // of all depths together
  std::uint32_t set_nodes_max = 4000;  // a set that is larger is not followed further back
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

// Throws Error(BadInput) if an option is out of range.
void check(const CoverageOptions& options);

class CoverageSets {
 public:
  // `scores` one per node, none negative, not all 0. Memory 4 bytes for each node of a target's
  // list, at the peak 12. The result does not depend on the number of threads. Throws
  // Error(BadInput).
  static CoverageSets draw(const Snapshot& graph, std::span<const double> scores,
                           const CoverageOptions& options);

  // In sets. It only decreases as more is covered.
  [[nodiscard]] std::uint64_t gain(Node node) const noexcept;
  // Returns the gain.
  std::uint64_t cover(Node node) noexcept;
  [[nodiscard]] std::uint64_t covered() const noexcept { return covered_; }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

 private:
  // A target that the node reaches. 32 bits: there are tens of millions of them.
  struct Reach {
    std::uint32_t target : 28;
    std::uint32_t distance : 4;
  };
  struct Target {
    std::uint32_t draws = 0;  // how often it was drawn
    std::uint32_t depths_covered = 0;
  };

  [[nodiscard]] std::span<const Reach> reaches(Node node) const noexcept {
    return {reaches_.data() + starts_[node], starts_[node + std::size_t{1}] - starts_[node]};
  }

  std::vector<std::uint32_t> depths_within_;  // by distance: number of depths not below it
  std::vector<Target> targets_;
  std::vector<std::uint64_t> starts_;  // of each node's list in reaches_
  std::vector<Reach> reaches_;
  std::uint64_t covered_ = 0;
  std::uint64_t total_ = 0;

  friend class CoverageDraw;  // coverage_sets.cpp
};

}  // namespace webstrata
