// SPDX-License-Identifier: Apache-2.0

// Nodes level by level from some starts, each once. Internal to the room.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

inline constexpr std::uint32_t kFarAway = 0xffffffff;

class BreadthFirst {
 public:
  // Level 0 are the starts, without repetitions.
  BreadthFirst(const Snapshot& graph, std::span<const Node> starts)
      : graph_(graph), seen_(graph.node_count(), 0) {
    for (const Node node : starts) visit(node);
    level_.swap(next_);
  }

  // Nodes of this level; empty once all reachable nodes were seen.
  [[nodiscard]] const std::vector<Node>& level() const noexcept { return level_; }

  // Advances to the nodes one link further.
  void advance() {
    next_.clear();
    for (const Node node : level_) {
      for (const Node target : graph_.successors(node)) visit(target);
    }
    level_.swap(next_);
  }

 private:
  void visit(Node node) {
    if (seen_[node] != 0) return;
    seen_[node] = 1;
    next_.push_back(node);
  }

  const Snapshot& graph_;
  std::vector<std::uint8_t> seen_;
  std::vector<Node> level_;
  std::vector<Node> next_;
};

}  // namespace webstrata
