// SPDX-License-Identifier: Apache-2.0

// BF: breadth first. 1 / (links from the nearest seed + 1), over the links known now.
// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/heap_estimator.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kFar = 0xffffffff;

class BfEstimator : public HeapEstimator {
 public:
  using HeapEstimator::HeapEstimator;

  void came(Node node) override {
    make_room(node);
    depths_[node] = 0;
    HeapEstimator::came(node);
  }

 private:
  void make_room(Node node) {
    if (node >= depths_.size()) depths_.resize(node + std::size_t{1}, kFar);
  }

  // A page crawled out of turn may shorten the distance of earlier pages and of those after them.
  void take_in(const CrawlStep& step) override {
    open_.assign(1, step.node);
    while (!open_.empty()) {
      const Node from = open_.back();
      open_.pop_back();
      for (const KnownLink& link : known_.links(from)) {
        make_room(link.target);
        if (depths_[link.target] <= depths_[from] + 1) continue;
        depths_[link.target] = depths_[from] + 1;
        if (known_.is_crawled(link.target)) open_.push_back(link.target);
        if (from != step.node && known_.is_frontier(link.target)) set(link.target);
      }
    }
  }

  [[nodiscard]] double score_now(Node node) const override { return 1 / (depths_[node] + 1.0); }

  std::vector<std::uint32_t> depths_;
  std::vector<Node> open_;
};

}  // namespace

std::unique_ptr<Estimator> make_bf_estimator(const KnownGraph& known,
                                             const EstimatorOptions& options) {
  return std::make_unique<BfEstimator>(known, options);
}

}  // namespace webstrata
