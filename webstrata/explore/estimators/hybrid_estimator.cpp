// SPDX-License-Identifier: Apache-2.0

// Hybrid: NH_ne (sum), or what was chosen, while there is little to learn from, then LNH.
//
// The paper switches after 1,000 of 100,000 steps; in small crawls after a tenth of the budget.
// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/explore/estimator_makers.h"

namespace webstrata {
namespace {

class HybridEstimator : public Estimator {
 public:
  HybridEstimator(const KnownGraph& known, const EstimatorOptions& options, NeighbourJoin join)
      : Estimator(known),
        first_(make_estimator(options.hybrid_first, known, options)),
        then_(make_lnh_estimator(known, options, join)),
        steps_left_(
            options.switch_steps.value_or(std::min<std::uint64_t>(1000, options.budget / 10))) {}

  void begin(std::span<const Node> seeds) override {
    first_->begin(seeds);
    then_->begin(seeds);
  }
  void came(Node node) override {
    first_->came(node);
    then_->came(node);
  }
  void left(Node node, std::size_t place) override {
    first_->left(node, place);
    then_->left(node, place);
  }
  void learn(const CrawlStep& step) override {
    if (!step.is_seed && steps_left_ > 0) --steps_left_;
    first_->learn(step);
    then_->learn(step);
  }
  double score(Node node) override { return current().score(node); }
  Grounds grounds(Node node) override { return current().grounds(node); }
  void best(std::size_t count, std::vector<Node>& nodes) override { current().best(count, nodes); }
  void at_least(double score, std::vector<Node>& nodes) override {
    current().at_least(score, nodes);
  }

 private:
  Estimator& current() { return steps_left_ > 0 ? *first_ : *then_; }

  EstimatorPointer first_;
  EstimatorPointer then_;
  std::uint64_t steps_left_;
};

}  // namespace

EstimatorPointer make_hybrid_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                       NeighbourJoin join) {
  return std::make_unique<HybridEstimator>(known, options, join);
}

}  // namespace webstrata
