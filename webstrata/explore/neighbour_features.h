// SPDX-License-Identifier: Apache-2.0

// What the pages that link to a node say about it, kept up to date: sums and maxima of their
// scores (n), of the links' scores (e), and of their products (ne). Internal to the room.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/explore/known_graph.h"

namespace webstrata {

enum class NeighbourKind : std::uint8_t { Nodes, Links, Both };
enum class NeighbourJoin : std::uint8_t { Sum, Average, Max };

struct NeighbourFacts {
  double sum[3] = {};  // by NeighbourKind
  double max[3] = {};
  std::uint32_t count = 0;

  void add(double node_score, double link_score) noexcept {
    const double values[3] = {node_score, link_score, node_score * link_score};
    for (int kind = 0; kind < 3; ++kind) {
      sum[kind] += values[kind];
      max[kind] = std::max(max[kind], values[kind]);
    }
    ++count;
  }
  // 0 for a node without links to it.
  [[nodiscard]] double joined(NeighbourKind kind, NeighbourJoin join) const noexcept {
    const auto i = static_cast<std::size_t>(kind);
    if (join == NeighbourJoin::Max) return max[i];
    return join == NeighbourJoin::Sum || count == 0 ? sum[i] : sum[i] / count;
  }
};

class NeighbourFeatures {
 public:
  void learn(const CrawlStep& step) {
    for (const KnownLink& link : step.links) {
      if (link.target >= facts_.size()) facts_.resize(link.target + std::size_t{1});
      facts_[link.target].add(step.score, link.score);
    }
  }
  [[nodiscard]] const NeighbourFacts& of(Node node) const noexcept {
    static constexpr NeighbourFacts none;
    return node < facts_.size() ? facts_[node] : none;
  }

 private:
  std::vector<NeighbourFacts> facts_;
};

}  // namespace webstrata
