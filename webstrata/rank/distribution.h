// SPDX-License-Identifier: Apache-2.0

// The distribution of scores: for each score, how many nodes have at least that much.
//
//   for (const TailPoint& point : tail_of(ranked.scores)) point.score, point.nodes;
//
// This is the complementary cumulative distribution, counted in nodes: a power law gives a straight
// line if both axes are logarithmic.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace webstrata {

struct TailPoint {
  double score = 0;
  std::uint64_t nodes = 0;  // with this score or a higher one

  friend bool operator==(const TailPoint&, const TailPoint&) = default;
};

// One point for each different score, highest first. If that would be more than about `points_max`,
// only points whose counts grow by a constant factor, and always both ends. Time O(n log n), memory
// one double per node.
std::vector<TailPoint> tail_of(std::span<const double> scores, std::size_t points_max = 400);

}  // namespace webstrata
