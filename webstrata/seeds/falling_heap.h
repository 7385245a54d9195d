// SPDX-License-Identifier: Apache-2.0

// The node with the largest value, where values only decrease: an old value is an upper bound, so
// only nodes that reach the top are evaluated again (lazy greedy, Minoux 1978). Internal to the
// room.

#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

class FallingHeap {
 public:
  struct Entry {
    double value;  // was so in `round`
    Node node;
    std::uint64_t round = 0;

    friend bool operator<(const Entry& a, const Entry& b) {
      return a.value != b.value ? a.value < b.value : a.node > b.node;
    }
  };

  void add(Node node, double value) { heap_.push({value, node, round_}); }
  // Values may have fallen.
  void values_fell() noexcept { ++round_; }

  // Removes the node with the largest value, ties by node. `value_of` gives current values.
  template <typename ValueOf>
  std::optional<Entry> take(ValueOf value_of) {
    while (!heap_.empty()) {
      Entry entry = heap_.top();
      heap_.pop();
      if (entry.round == round_) return entry;
      heap_.push({value_of(entry.node), entry.node, round_});
    }
    return std::nullopt;
  }

  // Removes the node with the largest worth among those with a value above 0; `worth` of an entry
  // is at most its value minus `margin`. Other nodes that were examined are put back.
  template <typename ValueOf, typename Worth>
  std::optional<Entry> take_worthiest(double margin, ValueOf value_of, Worth worth) {
    std::vector<Entry> seen;
    std::optional<Entry> best;
    double best_worth = 0;
    while (!heap_.empty() && (!best || heap_.top().value - margin >= best_worth)) {
      Entry entry = heap_.top();
      heap_.pop();
      if (entry.round != round_) {
        heap_.push({value_of(entry.node), entry.node, round_});
        continue;
      }
      if (entry.value <= 0) break;  // all others are no better
      const double its_worth = worth(entry);
      const bool is_better =
          !best || its_worth > best_worth || (its_worth == best_worth && entry.node < best->node);
      if (is_better && best) seen.push_back(*best);
      if (is_better) {
        best = entry;
        best_worth = its_worth;
      } else {
        seen.push_back(entry);
      }
    }
    for (const Entry& entry : seen) heap_.push(entry);
    return best;
  }

 private:
  std::priority_queue<Entry> heap_;
  std::uint64_t round_ = 0;
};

}  // namespace webstrata
