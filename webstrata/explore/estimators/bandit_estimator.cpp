// SPDX-License-Identifier: Apache-2.0

// Bandit: several of the other estimators, and a choice among them at every step by what each one's
// choices brought of late (the last question of the exploration paper).
//
// All of them learn from every page. None leads: each begins with the record of an average one.
// Rewards are divided by the mean of the seeds that score, so the unit of scores does not matter.
// Scores of different estimators cannot be compared, so the score of a node is that of the
// estimator that has been chosen for the step.
// Tested by tests/explore/bandit_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/expert_bandit.h"

namespace webstrata {
namespace {

constexpr std::uint8_t kNone = 255;

class BanditEstimator : public Estimator {
 public:
  BanditEstimator(const KnownGraph& known, const EstimatorOptions& options)
      : Estimator(known), bandit_(options.experts.size(), options.seed, 0) {
    for (const std::string& name : options.experts) {
      names_.push_back(estimator_entry(name).name);
      experts_.push_back(make_estimator(name, known, options));
    }
    current_ = bandit_.choose();
  }

  void begin(std::span<const Node> seeds) override {
    for (const auto& expert : experts_) expert->begin(seeds);
  }
  void came(Node node) override {
    for (const auto& expert : experts_) expert->came(node);
  }
  void left(Node node, std::size_t place) override {
    for (const auto& expert : experts_) expert->left(node, place);
  }

  void learn(const CrawlStep& step) override {
    if (step.is_seed || scale_ == 0) learn_scale(step);
    if (!step.is_seed) {
      const double reward = scale_ > 0 ? step.score / scale_ : 0;
      bandit_.learn(reward);
      const std::uint8_t by = step.node < chosen_by_.size() ? chosen_by_[step.node] : kNone;
      if (by != kNone) bandit_.credit(by, reward);
      current_ = bandit_.choose();
    }
    for (const auto& expert : experts_) expert->learn(step);
  }

  double score(Node node) override { return experts_[current_]->score(node); }
  Grounds grounds(Node node) override {
    return {experts_[current_]->score(node), names_[current_]};
  }

  void best(std::size_t count, std::vector<Node>& nodes) override {
    const std::size_t first = nodes.size();
    experts_[current_]->best(count, nodes);
    if (chosen_by_.size() < known_.size()) chosen_by_.resize(known_.size(), kNone);
    for (std::size_t i = first; i < nodes.size(); ++i) {
      chosen_by_[nodes[i]] = static_cast<std::uint8_t>(current_);
    }
  }
  void at_least(double score, std::vector<Node>& nodes) override {
    experts_[current_]->at_least(score, nodes);
  }

 private:
  // The mean of the seeds that score; without one, the first score at all.
  void learn_scale(const CrawlStep& step) {
    if (!(step.score > 0)) return;
    scored_ += 1;
    scale_ += (step.score - scale_) / scored_;
  }

  double scored_ = 0;
  double scale_ = 0;
  std::vector<std::string_view> names_;
  std::vector<EstimatorPointer> experts_;
  ExpertBandit bandit_;
  std::size_t current_ = 0;
  std::vector<std::uint8_t> chosen_by_;  // by node: the expert, or kNone
};

void check_experts(const std::vector<std::string>& experts) {
  if (experts.size() < 2 || experts.size() > kBanditExpertsMax) {
    throw Error(ErrorKind::BadInput,
                fmt::format("bandit: {} experts: give 2 to {}", experts.size(), kBanditExpertsMax));
  }
  for (const std::string& name : experts) {
    const EstimatorEntry& entry = estimator_entry(name);
    if (entry.is_of_paper && std::ranges::count(experts, name) == 1) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("bandit: {}: experts are different estimators of the paper", name));
  }
}

}  // namespace

EstimatorPointer make_bandit_estimator(const KnownGraph& known, const EstimatorOptions& options) {
  check_experts(options.experts);
  return std::make_unique<BanditEstimator>(known, options);
}

}  // namespace webstrata
