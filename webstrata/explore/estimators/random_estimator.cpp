// SPDX-License-Identifier: Apache-2.0

// R: any node of the frontier, drawn again each time.
// Tested by tests/explore/estimators_test.cpp.

#include <unordered_set>

#include "webstrata/base/random.h"
#include "webstrata/explore/estimator_makers.h"

namespace webstrata {
namespace {

class RandomEstimator : public Estimator {
 public:
  RandomEstimator(const KnownGraph& known, std::uint64_t seed) : Estimator(known), random_(seed) {}

  void came(Node /*node*/) override {}
  void left(Node /*node*/, std::size_t /*place*/) override {}
  void learn(const CrawlStep& /*step*/) override {}
  double score(Node /*node*/) override { return random_.unit(); }
  Grounds grounds(Node /*node*/) override { return {}; }  // without drawing a random number

  // Floyd's method to draw without repetition: cheap for a few out of many.
  void best(std::size_t count, std::vector<Node>& nodes) override {
    const auto frontier = known_.frontier();
    count = std::min(count, frontier.size());
    std::unordered_set<std::size_t> taken;
    for (std::size_t i = frontier.size() - count; i < frontier.size(); ++i) {
      std::size_t place = random_.below(i + 1);
      if (!taken.insert(place).second) taken.insert(place = i);
      nodes.push_back(frontier[place]);
    }
  }

 private:
  Random random_;
};

}  // namespace

std::unique_ptr<Estimator> make_random_estimator(const KnownGraph& known,
                                                 const EstimatorOptions& options) {
  return std::make_unique<RandomEstimator>(known, options.seed);
}

}  // namespace webstrata
