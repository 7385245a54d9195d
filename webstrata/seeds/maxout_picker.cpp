// SPDX-License-Identifier: Apache-2.0

// MaxOut: greedy coverage of direct neighbours (Zheng et al. 2009). A seed covers itself and what
// it links to; the next is the page with most links to what is not covered. Only seeds that turn
// out alive cover anything.
//
// Gains only fall, so only the top of a heap of old gains must be evaluated again (Minoux 1978).
//
// Tested by tests/seeds/seed_methods_test.cpp.

#include <algorithm>

#include "webstrata/base/counted.h"
#include "webstrata/seeds/falling_heap.h"
#include "webstrata/seeds/pickers.h"

namespace webstrata {
namespace {

class MaxOutPicker : public SeedPicker {
 public:
  explicit MaxOutPicker(const Snapshot& graph) : graph_(graph), covered_(graph.node_count(), 0) {
    for (const Node node : pages_of(graph)) heap_.add(node, graph.out_degree(node));
  }

  std::optional<SeedCandidate> next() override {
    const auto best = heap_.take([&](Node node) { return double(uncovered_links(node)); });
    if (!best) return std::nullopt;
    return SeedCandidate{best->node, best->value,
                         counted(static_cast<std::uint64_t>(best->value), "link", "links") +
                             " to pages that no earlier seed links to"};
  }

  void learn(Node node, bool is_alive) override {
    if (!is_alive) return;
    covered_[node] = 1;
    for (const Node target : graph_.successors(node)) covered_[target] = 1;
    heap_.values_fell();
  }

 private:
  [[nodiscard]] std::uint64_t uncovered_links(Node node) const {
    const auto targets = graph_.successors(node);
    return static_cast<std::uint64_t>(
        std::ranges::count_if(targets, [&](Node target) { return covered_[target] == 0; }));
  }

  const Snapshot& graph_;
  std::vector<std::uint8_t> covered_;
  FallingHeap heap_;
};

}  // namespace

std::unique_ptr<SeedPicker> make_maxout_picker(const Snapshot& graph,
                                               const SeedOptions& /*options*/) {
  return std::make_unique<MaxOutPicker>(graph);
}

}  // namespace webstrata
