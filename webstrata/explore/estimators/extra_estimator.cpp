// SPDX-License-Identifier: Apache-2.0

// EXTRA: a learner on all that is known about a node, beside two simple experts; a bandit chooses
// whom to follow, step by step.
//
// No single guess is best for all webs and topics, nor from the first page of a crawl to the last.
// Links that speak of the topic are best at first; when they are used up, pages that good pages
// link to; sometimes pages whose siblings did well, or that much of the web leads to. How much each
// of these counts is much alike from topic to topic, so the learner (ridge regression, one example
// a page, with the features the page had when it was crawled) begins with weights that were learned
// from other crawls (extra_prior.h) and mends them. It only ever sees what it chose itself; after a
// fifth of the budget two experts keep it honest, the mean of siblings and OPIC's cash.
//
// docs/METHODS.md says how well it does, and where it does not. Parameters: extra_parameters.h.
// Tested by tests/explore/extra_test.cpp.

#include <algorithm>
#include <array>
#include <cmath>

#include "webstrata/base/error.h"
#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/expert_bandit.h"
#include "webstrata/explore/extra_features.h"
#include "webstrata/explore/extra_parameters.h"
#include "webstrata/explore/lazy_order.h"
#include "webstrata/explore/recursive_least_squares.h"

namespace webstrata {
namespace {

enum Expert : std::uint8_t { Learner, Cash, Siblings, kExperts };
constexpr std::uint8_t kNobody = 255;

EstimatorOptions with_ties_by_parents(EstimatorOptions options) {
  options.ties = TieBreak::NodeSum;
  return options;
}

class ExtraEstimator : public Estimator {
 public:
  ExtraEstimator(const KnownGraph& known, const EstimatorOptions& options)
      : Estimator(known),
        alone_(static_cast<std::uint64_t>(
            std::llround(extra::kLearnerAlone * static_cast<double>(options.budget)))),
        features_(known),
        learner_(ExtraFeatures::kWidth, extra::kPriorPages),
        bandit_(kExperts, options.seed, extra::kLearnerChoices),
        ties_(TieBreak::NodeSum, options.seed),
        by_learner_(known, ties_, [this](Node node) { return score(node); }),
        by_siblings_(
            known, ties_,
            [this](Node node) { return features_.sibling_mean(node, extra::kSiblingExpertPrior); }),
        row_(ExtraFeatures::kWidth),
        cash_(make_opic_estimator(known, with_ties_by_parents(options), CashShare::Equal)) {
    const std::span<const PriorWeight> weights =
        options.extra_weights.empty() ? extra::kFeatureWeights : options.extra_weights;
    if (weights.size() != extra::kFeatures) {
      throw Error(ErrorKind::BadInput, "extra needs one weight for each of its features");
    }
    for (std::size_t i = 0; i < extra::kFeatures; ++i) {
      const auto [weight, deviation] = weights[i];
      learner_.start_from(i, weight, extra::kPriorPages * deviation * deviation);
    }
  }

  void begin(std::span<const Node> seeds) override {
    features_.begin(seeds);
    cash_->begin(seeds);
  }

  void came(Node node) override {
    ties_.came(node);
    cash_->came(node);
    changed(node);
  }

  void left(Node node, std::size_t place) override {
    cash_->left(node, place);
    by_learner_.left(node);
    by_siblings_.left(node);
  }

  void learn(const CrawlStep& step) override {
    features_.learn_scale(step);
    if (!step.is_seed) {
      ++steps_;
      features_.fill(step.node, row_);
      learner_.learn(row_, step.score / features_.scale());
      reward(step);
    }
    features_.learn(step);
    ties_.learn(step);
    cash_->learn(step);
    for (const KnownLink& link : step.links) {
      if (known_.is_frontier(link.target)) changed(link.target);
    }
  }

  // What the learner thinks; the other experts have orders, no scores that could be compared.
  double score(Node node) override {
    features_.fill(node, row_);
    return features_.scale() * learner_.predict(row_);
  }

  Grounds grounds(Node node) override {
    const std::uint8_t expert = node < chosen_by_.size() ? chosen_by_[node] : kNobody;
    if (expert == Cash) return {cash_->score(node), "cash"};
    if (expert == Siblings) {
      return {features_.sibling_mean(node, extra::kSiblingExpertPrior), "siblings"};
    }
    return {score(node), "learner"};
  }

  // Every choice has an expert of its own, also those made at one time.
  void best(std::size_t count, std::vector<Node>& nodes) override {
    count = std::min(count, known_.frontier().size());
    std::array<std::vector<Node>, kExperts> orders;
    std::array<std::size_t, kExperts> used{};
    if (chosen_by_.size() < known_.size()) chosen_by_.resize(known_.size(), kNobody);
    const std::size_t first = nodes.size();
    while (nodes.size() < first + count) {
      const bool is_open = steps_ >= alone_ && steps_ > 0;
      const std::size_t expert = is_open ? bandit_.choose() : std::size_t{Learner};
      std::vector<Node>& order = orders[expert];
      if (order.empty()) ask(expert, count, order);
      while (is_in(nodes, first, order[used[expert]])) ++used[expert];
      const Node node = order[used[expert]++];
      chosen_by_[node] = is_open ? static_cast<std::uint8_t>(expert) : kNobody;
      nodes.push_back(node);
    }
  }

 private:
  static bool is_in(const std::vector<Node>& nodes, std::size_t first, Node node) {
    return std::find(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(), node) !=
           nodes.end();
  }

  void changed(Node node) {
    by_learner_.changed(node);
    by_siblings_.changed(node);
  }

  void reward(const CrawlStep& step) {
    const double reward = step.score / features_.scale();
    bandit_.learn(reward);
    const std::uint8_t expert = step.node < chosen_by_.size() ? chosen_by_[step.node] : kNobody;
    if (expert != kNobody) bandit_.credit(expert, reward);
  }

  void ask(std::size_t expert, std::size_t count, std::vector<Node>& order) {
    switch (expert) {
      case Cash:
        return cash_->best(count, order);
      case Siblings:
        return by_siblings_.best(count, order);
      default:
        return by_learner_.best(count, order);
    }
  }

  std::uint64_t alone_;
  std::uint64_t steps_ = 0;
  ExtraFeatures features_;
  RecursiveLeastSquares learner_;
  ExpertBandit bandit_;
  Ties ties_;
  LazyOrder by_learner_;
  LazyOrder by_siblings_;
  std::vector<std::uint8_t> chosen_by_;  // by node: the expert, or kNobody
  std::vector<double> row_;
  EstimatorPointer cash_;
};

}  // namespace

EstimatorPointer make_extra_estimator(const KnownGraph& known, const EstimatorOptions& options) {
  return std::make_unique<ExtraEstimator>(known, options);
}

}  // namespace webstrata
