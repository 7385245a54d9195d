// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/strategy_test.cpp.

#include "webstrata/explore/strategy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

class Greedy : public Strategy {
 public:
  void choose(Estimator& estimator, std::size_t count, std::vector<Node>& nodes) override {
    estimator.best(count, nodes);
  }
};

// Altered greedy of the paper: now and then any page that is nearly as good as the best.
class AlteredGreedy : public Strategy {
 public:
  explicit AlteredGreedy(const StrategyOptions& options)
      : options_(options), random_(options.seed) {}

  void choose(Estimator& estimator, std::size_t count, std::vector<Node>& nodes) override {
    best_.clear();
    estimator.best(count, best_);
    if (best_.empty()) return;
    const double top = estimator.score(best_.front());
    std::vector<Node> chosen;
    std::size_t next_best = 0;
    candidates_.clear();
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (random_.chance(options_.greedy)) {
        while (is_in(chosen, best_[next_best])) ++next_best;
        chosen.push_back(best_[next_best]);
        continue;
      }
      if (candidates_.empty()) gather_candidates(estimator, top);
      chosen.push_back(draw(chosen, best_));
    }
    nodes.insert(nodes.end(), chosen.begin(), chosen.end());
  }

 private:
  static bool is_in(const std::vector<Node>& nodes, Node node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  }

  // In ascending order, so that the draw does not depend on how an estimator keeps them.
  void gather_candidates(Estimator& estimator, double top) {
    estimator.at_least(top - options_.slack * std::abs(top), candidates_);
    std::sort(candidates_.begin(), candidates_.end());
  }

  // One of the candidates not chosen yet; if all are, the best that is not.
  Node draw(const std::vector<Node>& chosen, const std::vector<Node>& best) {
    while (!candidates_.empty()) {
      const std::size_t place = random_.below(candidates_.size());
      const Node node = candidates_[place];
      candidates_[place] = candidates_.back();
      candidates_.pop_back();
      if (!is_in(chosen, node)) return node;
    }
    return *std::find_if(best.begin(), best.end(),
                         [&chosen](Node node) { return !is_in(chosen, node); });
  }

  StrategyOptions options_;
  Random random_;
  std::vector<Node> best_;
  std::vector<Node> candidates_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options) {
  if (!(options.greedy >= 0 && options.greedy <= 1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("greedy {}: a probability is from 0 to 1", options.greedy));
  }
  if (!(options.slack >= 0)) {
    throw Error(ErrorKind::BadInput, fmt::format("slack {}: it is at least 0", options.slack));
  }
  if (options.greedy == 1) return std::make_unique<Greedy>();
  return std::make_unique<AlteredGreedy>(options);
}

}  // namespace webstrata
