// SPDX-License-Identifier: Apache-2.0

// NH: a single feature of the neighbourhood. The scores of the pages that link to a node (n), of
// the links (e) or their products (ne), combined by sum, average or maximum.
// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/heap_estimator.h"

namespace webstrata {
namespace {

class NhEstimator : public HeapEstimator {
 public:
  NhEstimator(const KnownGraph& known, const EstimatorOptions& options, NeighbourKind kind,
              NeighbourJoin join)
      : HeapEstimator(known, options), kind_(kind), join_(join) {}

 private:
  void take_in(const CrawlStep& step) override { features_.learn(step); }
  [[nodiscard]] double score_now(Node node) const override {
    return features_.of(node).joined(kind_, join_);
  }

  NeighbourKind kind_;
  NeighbourJoin join_;
  NeighbourFeatures features_;
};

}  // namespace

std::unique_ptr<Estimator> make_nh_estimator(const KnownGraph& known,
                                             const EstimatorOptions& options, NeighbourKind kind,
                                             NeighbourJoin join) {
  return std::make_unique<NhEstimator>(known, options, kind, join);
}

}  // namespace webstrata
