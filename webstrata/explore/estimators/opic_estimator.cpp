// SPDX-License-Identifier: Apache-2.0

// OPIC: the cash that a page has received (opic_cash.h). All scores share one divisor, so the heap
// is kept by cash alone.
// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/heap_estimator.h"

namespace webstrata {
namespace {

class OpicEstimator : public HeapEstimator {
 public:
  OpicEstimator(const KnownGraph& known, const EstimatorOptions& options, CashShare share)
      : HeapEstimator(known, options), cash_(share) {}

  void begin(std::span<const Node> seeds) override { cash_.begin(seeds); }
  double score(Node node) override { return cash_.score(node); }
  void at_least(double score, std::vector<Node>& nodes) override {
    HeapEstimator::at_least(score * (cash_.handed_on() + 1), nodes);
  }

 private:
  void take_in(const CrawlStep& step) override { cash_.learn(known_, step); }
  [[nodiscard]] double score_now(Node node) const override {
    return cash_.history(node) + cash_.cash(node);
  }

  OpicCash cash_;
};

}  // namespace

EstimatorPointer make_opic_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                     CashShare share) {
  return std::make_unique<OpicEstimator>(known, options, share);
}

}  // namespace webstrata
