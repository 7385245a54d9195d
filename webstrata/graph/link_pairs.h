// SPDX-License-Identifier: Apache-2.0

// Links that come one by one, in any order, as pairs of numbers that are not yet nodes.

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

class LinkPairs {
 public:
  void add(Node source, Node target) {
    is_sorted_ = is_sorted_ && (pairs_.empty() || pairs_.back() < std::pair(source, target));
    pairs_.emplace_back(source, target);
  }
  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }

  // Gives every number its node.
  template <typename Function>
  void translate(const Function& node_of) {
    is_sorted_ = false;
    for (auto& [source, target] : pairs_) {
      source = node_of(source);
      target = node_of(target);
    }
  }

  // Equal links are one. The pairs are consumed.
  Snapshot to_snapshot(std::uint64_t node_count, const WorkOptions& work) {
    if (!is_sorted_) std::sort(pairs_.begin(), pairs_.end());
    work.check_cancelled();
    SnapshotBuilder builder(node_count);
    std::vector<Node> targets;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (i == 0 || pairs_[i] != pairs_[i - 1]) targets.push_back(pairs_[i].second);
      if (i + 1 < pairs_.size() && pairs_[i + 1].first == pairs_[i].first) continue;
      builder.add(pairs_[i].first, targets);
      targets.clear();
    }
    pairs_ = {};
    return builder.finish({.threads = work.threads, .cancel = work.cancel});
  }

 private:
  std::vector<std::pair<Node, Node>> pairs_;
  bool is_sorted_ = true;
};

}  // namespace webstrata
