// SPDX-License-Identifier: Apache-2.0

// For estimators whose scores change only where a new page links to: they compute the score of a
// node; the heap and the tie rule are here. Internal to the room.

#pragma once

#include "webstrata/base/random.h"
#include "webstrata/explore/estimators.h"
#include "webstrata/explore/frontier_heap.h"
#include "webstrata/explore/neighbour_features.h"

namespace webstrata {

// The second key by which nodes are compared.
class Ties {
 public:
  Ties(TieBreak rule, std::uint64_t seed) : rule_(rule), random_(seed) {}

  void learn(const CrawlStep& step);
  // New on the frontier.
  void came(Node node);
  [[nodiscard]] double of(Node node) const noexcept;

 private:
  TieBreak rule_;
  Random random_;
  std::vector<double> values_;  // by node; empty for TieBreak::First
};

class HeapEstimator : public Estimator {
 public:
  HeapEstimator(const KnownGraph& known, const EstimatorOptions& options)
      : Estimator(known), ties_(options.ties, options.seed) {}

  void came(Node node) override;
  void left(Node node, std::size_t place) override;
  void learn(const CrawlStep& step) override;
  double score(Node node) override { return score_now(node); }
  void best(std::size_t count, std::vector<Node>& nodes) override { heap_.best(count, nodes); }
  void at_least(double score, std::vector<Node>& nodes) override { heap_.at_least(score, nodes); }

 protected:
  // Updates for the step, and may set() nodes that it does not link to.
  virtual void take_in(const CrawlStep& step) = 0;
  [[nodiscard]] virtual double score_now(Node node) const = 0;
  // The score or tie value of a node on the frontier changed.
  void set(Node node) { heap_.set(node, {score_now(node), ties_.of(node), known_.seen_at(node)}); }

 private:
  Ties ties_;
  FrontierHeap heap_;
};

}  // namespace webstrata
