// SPDX-License-Identifier: Apache-2.0

// The frontier, best node on top: a heap that knows where each node is, so that a new score costs
// O(log frontier). Internal to the room.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

// The keys by which nodes are compared, most important first.
struct FrontierKey {
  double score = 0;
  double tie = 0;
  std::uint32_t seen_at = 0;

  [[nodiscard]] bool is_better_than(const FrontierKey& other) const noexcept {
    if (score != other.score) return score > other.score;
    if (tie != other.tie) return tie > other.tie;
    return seen_at < other.seen_at;
  }
};

class FrontierHeap {
 public:
  // Puts the node in, or changes its key.
  void set(Node node, const FrontierKey& key);
  // Does nothing if it is absent.
  void remove(Node node);

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] Node top() const noexcept { return entries_.front().node; }
  // Appends the best `count`, in order. O(count log count).
  void best(std::size_t count, std::vector<Node>& nodes) const;
  // Appends those of at least that score, in no order. O(found).
  void at_least(double score, std::vector<Node>& nodes) const;

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffff;
  struct Entry {
    FrontierKey key;
    Node node;
  };
  void put(std::size_t place, const Entry& entry);
  void rise(std::size_t place, const Entry& entry);
  void sink(std::size_t place, const Entry& entry);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  // by node
};

}  // namespace webstrata
