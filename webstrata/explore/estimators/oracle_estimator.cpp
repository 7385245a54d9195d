// SPDX-License-Identifier: Apache-2.0

// The oracle: the true score, as only a simulator knows it. Greedy with it is not an optimum: a
// poor page may lead to rich ones.
// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/base/error.h"
#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/heap_estimator.h"

namespace webstrata {
namespace {

class OracleEstimator : public HeapEstimator {
 public:
  OracleEstimator(const KnownGraph& known, const EstimatorOptions& options)
      : HeapEstimator(known, options), truth_(options.truth) {}

 private:
  void take_in(const CrawlStep& /*step*/) override {}
  [[nodiscard]] double score_now(Node node) const override {
    return node < truth_.size() ? truth_[node] : 0;
  }

  std::span<const double> truth_;
};

}  // namespace

std::unique_ptr<Estimator> make_oracle_estimator(const KnownGraph& known,
                                                 const EstimatorOptions& options) {
  if (options.truth.empty()) {
    throw Error(ErrorKind::BadInput,
                "the oracle needs the true scores: only a simulation has them");
  }
  return std::make_unique<OracleEstimator>(known, options);
}

}  // namespace webstrata
