// SPDX-License-Identifier: Apache-2.0

// LNH: c_n f_n + c_e f_e + c_ne f_ne + c_0 with the features of NH, fitted to the pages crawled so
// far by recursive least squares.
//
// A page is learned with the features that it had when it was crawled. The seeds are learned
// together, with the features that they have in the graph of all seeds (G_0 of the paper): the
// order in which they were fetched does not matter. The ridge is that of dlib's
// `rls` with its default C = 1,000, which the paper used. Every step changes the coefficients and
// so all scores: one pass over the frontier, three columns wide, on demand.
// Tested by tests/explore/estimators_test.cpp.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/frontier_pass.h"
#include "webstrata/explore/recursive_least_squares.h"

namespace webstrata {
namespace {

constexpr double kRidge = 1 / (2 * 1000.0);
constexpr std::size_t kKinds = 3;

class LnhEstimator : public Estimator {
 public:
  LnhEstimator(const KnownGraph& known, const EstimatorOptions& options, NeighbourJoin join)
      : Estimator(known),
        join_(join),
        without_seeds_(options.without_seeds),
        ties_(options.ties, options.seed),
        columns_(kKinds),
        model_(kKinds + 1, kRidge) {}

  void came(Node node) override {
    ties_.came(node);
    show(node);
  }

  void left(Node /*node*/, std::size_t place) override { columns_.remove(place); }

  void learn(const CrawlStep& step) override {
    if (step.is_seed) {
      if (!without_seeds_) new_seeds_.emplace_back(step.node, step.score);
    } else {
      learn_seeds();
      model_.learn(features_of(step.node), step.score);
    }
    features_.learn(step);
    ties_.learn(step);
    for (const KnownLink& link : step.links) {
      if (known_.is_frontier(link.target)) show(link.target);
    }
  }

  double score(Node node) override {
    learn_seeds();
    return model_.predict(features_of(node));
  }

  void best(std::size_t count, std::vector<Node>& nodes) override {
    if (known_.frontier().empty()) return;
    learn_seeds();
    score_all();
    best_of_scores(known_, ties_, scores_, count, nodes);
  }

 private:
  using Features = std::array<double, kKinds + 1>;

  [[nodiscard]] Features features_of(Node node) const {
    const NeighbourFacts& facts = features_.of(node);
    return {facts.joined(NeighbourKind::Nodes, join_), facts.joined(NeighbourKind::Links, join_),
            facts.joined(NeighbourKind::Both, join_), 1};
  }

  // In the order of nodes, so that not even rounding depends on that of the seeds.
  void learn_seeds() {
    std::ranges::sort(new_seeds_);
    for (const auto& [node, score] : new_seeds_) model_.learn(features_of(node), score);
    new_seeds_.clear();
  }

  void show(Node node) {
    columns_.grow(known_.frontier().size());
    const Features features = features_of(node);
    for (std::size_t i = 0; i < kKinds; ++i) columns_.set(i, known_.place(node), features[i]);
  }

  void score_all() {
    const auto weights = model_.weights();
    const auto nodes = columns_.column(0);
    const auto links = columns_.column(1);
    const auto both = columns_.column(2);
    scores_.resize(nodes.size());
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      scores_[i] =
          weights[0] * nodes[i] + weights[1] * links[i] + weights[2] * both[i] + weights[3];
    }
  }

  NeighbourJoin join_;
  bool without_seeds_;
  Ties ties_;
  NeighbourFeatures features_;
  FrontierColumns columns_;
  RecursiveLeastSquares model_;
  std::vector<std::pair<Node, double>> new_seeds_;  // crawled, and not learned yet
  std::vector<double> scores_;
};

}  // namespace

EstimatorPointer make_lnh_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                    NeighbourJoin join) {
  return std::make_unique<LnhEstimator>(known, options, join);
}

}  // namespace webstrata
