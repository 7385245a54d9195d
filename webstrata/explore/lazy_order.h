// SPDX-License-Identifier: Apache-2.0

// The best of the frontier by scores that all change a little at every step.
//
// A small frontier is scored again at every call. For a large one a heap is kept: nodes are scored
// when something about them changes, the node at the top is scored again, and all of them now and
// then, so that the work for a choice is about the same for any frontier. Internal to the room.

#pragma once

#include <functional>
#include <vector>

#include "webstrata/explore/heap_estimator.h"

namespace webstrata {

class LazyOrder {
 public:
  using Score = std::function<double(Node node)>;
  LazyOrder(const KnownGraph& known, const Ties& ties, Score score)
      : known_(known), ties_(ties), score_(std::move(score)) {}

  // Something about a node of the frontier changed.
  void changed(Node node);
  void left(Node node);
  // Appends the best `count`, best first.
  void best(std::size_t count, std::vector<Node>& nodes);

 private:
  void set(Node node);
  void score_all();

  const KnownGraph& known_;
  const Ties& ties_;
  Score score_;
  FrontierHeap heap_;
  bool has_heap_ = false;
  std::size_t choices_left_ = 0;  // before all are scored again
  std::vector<double> scores_;
};

}  // namespace webstrata
