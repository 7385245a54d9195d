// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/extra_test.cpp.

#include "webstrata/explore/lazy_order.h"

#include "webstrata/explore/extra_parameters.h"
#include "webstrata/explore/frontier_pass.h"

namespace webstrata {
namespace {

// How often the top of the heap may turn out to be worse than its stored score.
constexpr int kSecondLooksMax = 64;

}  // namespace

void LazyOrder::set(Node node) {
  heap_.set(node, {score_(node), ties_.of(node), known_.seen_at(node)});
}

void LazyOrder::changed(Node node) {
  if (has_heap_) set(node);
}

void LazyOrder::left(Node node) {
  if (has_heap_) heap_.remove(node);
}

void LazyOrder::score_all() {
  for (const Node node : known_.frontier()) set(node);
  has_heap_ = true;
  choices_left_ = known_.frontier().size() / extra::kScoredPerChoice;
}

void LazyOrder::best(std::size_t count, std::vector<Node>& nodes) {
  const auto frontier = known_.frontier();
  if (frontier.empty()) return;
  if (!has_heap_ && frontier.size() <= extra::kScoredAlways) {
    scores_.resize(frontier.size());
    for (std::size_t i = 0; i < frontier.size(); ++i) scores_[i] = score_(frontier[i]);
    best_of_scores(known_, ties_, scores_, count, nodes);
    return;
  }
  if (choices_left_ == 0) {
    score_all();
  } else {
    --choices_left_;
    for (int look = 0; look < kSecondLooksMax; ++look) {
      const Node top = heap_.top();
      set(top);
      if (heap_.top() == top) break;
    }
  }
  heap_.best(count, nodes);
}

}  // namespace webstrata
