// EXTRA: a learner on all that is known about a node, beside simple experts; a bandit chooses whom
// to follow, step by step.
//
// No single guess is best for all webs and topics, nor from the first page of a crawl to the last.
// Links that speak of the topic are best at first; when they are used up, pages that good pages
// link to; sometimes pages whose siblings did well, or that much of the web leads to. The learner
// (ridge regression, one example a page, with the features the page had when it was crawled) finds
// weights for all of these, but it only ever sees what it chose itself; the experts keep it honest.
// The crawl begins with nh-ne, before there is anything to learn from.
//
// docs/METHODS.md says how well it does, and where it does not. Parameters: extra_parameters.h.
// Tested by tests/explore/extra_test.cpp.

#include <algorithm>
#include <array>
#include <cmath>

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/expert_bandit.h"
#include "webstrata/explore/extra_features.h"
#include "webstrata/explore/extra_parameters.h"
#include "webstrata/explore/lazy_order.h"
#include "webstrata/explore/recursive_least_squares.h"

namespace webstrata {
namespace {

enum Expert : std::uint8_t { Learner, GoodParents, Cash, Siblings, GoodLinks, kExperts };
constexpr std::uint8_t kNobody = 255;

EstimatorOptions with_ties_by_parents(EstimatorOptions options) {
  options.ties = TieBreak::NodeSum;
  return options;
}

class ExtraEstimator : public Estimator {
 public:
  ExtraEstimator(const KnownGraph& known, const EstimatorOptions& options)
      : Estimator(known),
        warm_up_(static_cast<std::uint64_t>(
            std::llround(extra::kWarmUp * static_cast<double>(options.budget)))),
        features_(known),
        learner_(features_.width(), extra::kRidge),
        bandit_(kExperts, options.seed),
        ties_(TieBreak::NodeSum, options.seed),
        by_learner_(known, ties_, [this](Node node) { return score(node); }),
        by_siblings_(
            known, ties_,
            [this](Node node) { return features_.sibling_mean(node, extra::kSiblingExpertPrior); }),
        row_(features_.width()) {
    const EstimatorOptions simple = with_ties_by_parents(options);
    good_parents_ = make_nh_estimator(known, simple, NeighbourKind::Nodes, NeighbourJoin::Sum);
    good_links_ = make_nh_estimator(known, simple, NeighbourKind::Both, NeighbourJoin::Sum);
    cash_ = make_opic_estimator(known, simple, CashShare::Equal);
  }

  void begin(std::span<const Node> seeds) override {
    features_.begin(seeds);
    cash_->begin(seeds);
  }

  void came(Node node) override {
    ties_.came(node);
    for (Estimator* expert : simple_experts()) expert->came(node);
    changed(node);
  }

  void left(Node node, std::size_t place) override {
    for (Estimator* expert : simple_experts()) expert->left(node, place);
    by_learner_.left(node);
    by_siblings_.left(node);
  }

  void learn(const CrawlStep& step) override {
    if (step.is_seed) {
      seeds_sum_ += step.score;
      bandit_.expect(seeds_sum_ / (2 * ++seeds_learned_));
    } else {
      ++steps_;
      features_.fill(step.node, row_);
      learner_.learn(row_, step.score);
      reward(step);
    }
    features_.learn(step);
    ties_.learn(step);
    for (Estimator* expert : simple_experts()) expert->learn(step);
    for (const KnownLink& link : step.links) {
      if (known_.is_frontier(link.target)) changed(link.target);
    }
  }

  // What the learner thinks; the other experts have orders, no scores that could be compared.
  double score(Node node) override {
    features_.fill(node, row_);
    return learner_.predict(row_);
  }

  // Every choice has an expert of its own, also those made at one time.
  void best(std::size_t count, std::vector<Node>& nodes) override {
    count = std::min(count, known_.frontier().size());
    std::array<std::vector<Node>, kExperts> orders;
    std::array<std::size_t, kExperts> used{};
    if (chosen_by_.size() < known_.size()) chosen_by_.resize(known_.size(), kNobody);
    const std::size_t first = nodes.size();
    while (nodes.size() < first + count) {
      const bool is_warm = steps_ >= warm_up_ && steps_ > 0;
      const std::size_t expert = is_warm ? bandit_.choose() : std::size_t{GoodLinks};
      std::vector<Node>& order = orders[expert];
      if (order.empty()) ask(expert, count, order);
      while (is_in(nodes, first, order[used[expert]])) ++used[expert];
      const Node node = order[used[expert]++];
      chosen_by_[node] = is_warm ? static_cast<std::uint8_t>(expert) : kNobody;
      nodes.push_back(node);
    }
  }

 private:
  std::array<Estimator*, 3> simple_experts() {
    return {good_parents_.get(), good_links_.get(), cash_.get()};
  }

  static bool is_in(const std::vector<Node>& nodes, std::size_t first, Node node) {
    return std::find(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(), node) !=
           nodes.end();
  }

  void changed(Node node) {
    by_learner_.changed(node);
    by_siblings_.changed(node);
  }

  void reward(const CrawlStep& step) {
    bandit_.learn(step.score);
    const std::uint8_t expert = step.node < chosen_by_.size() ? chosen_by_[step.node] : kNobody;
    if (expert != kNobody) bandit_.credit(expert, step.score);
  }

  void ask(std::size_t expert, std::size_t count, std::vector<Node>& order) {
    switch (expert) {
      case GoodParents:
        return good_parents_->best(count, order);
      case Cash:
        return cash_->best(count, order);
      case Siblings:
        return by_siblings_.best(count, order);
      case GoodLinks:
        return good_links_->best(count, order);
      default:
        return by_learner_.best(count, order);
    }
  }

  std::uint64_t warm_up_;
  std::uint64_t steps_ = 0;
  double seeds_sum_ = 0;
  double seeds_learned_ = 0;
  ExtraFeatures features_;
  RecursiveLeastSquares learner_;
  ExpertBandit bandit_;
  Ties ties_;
  EstimatorPointer good_parents_;
  EstimatorPointer good_links_;
  EstimatorPointer cash_;
  LazyOrder by_learner_;
  LazyOrder by_siblings_;
  std::vector<std::uint8_t> chosen_by_;  // by node: the expert, or kNobody
  std::vector<double> row_;
};

}  // namespace

EstimatorPointer make_extra_estimator(const KnownGraph& known, const EstimatorOptions& options) {
  return std::make_unique<ExtraEstimator>(known, options);
}

}  // namespace webstrata
