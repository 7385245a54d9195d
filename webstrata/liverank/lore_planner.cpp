// LORE, leave-one-out relational evidence: a logistic model of what lives, learned while testing.
//
// A page is described by what is known of it (page_features.h) and by what its tested relatives say
// (evidence.h). The model is fitted anew on the tested pages, each with its own answer taken out of
// its evidence, before every batch: so where death does not spread along links, their weights go to
// 0. Batches begin small, for the first answers teach most, and grow to a fortieth of the pages.
//
// When the fit is worse than guessing the rate, PageRank-Beta (beta_rank.h) ranks the round.
// Tested by tests/liverank/lore_planner_test.cpp.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "webstrata/base/random.h"
#include "webstrata/liverank/beta_rank.h"
#include "webstrata/liverank/evidence.h"
#include "webstrata/liverank/logistic.h"
#include "webstrata/liverank/page_features.h"
#include "webstrata/liverank/planner_makers.h"
#include "webstrata/liverank/round_planner.h"

namespace webstrata {
namespace {

constexpr double kRound = 1.0 / 40;
constexpr std::size_t kFirstTests = 5;
constexpr double kRidge = 2;
constexpr std::size_t kRowsMax = 12000;  // of a fit; more are drawn from
constexpr int kStepsFirst = 12;
constexpr int kStepsLater = 6;

SampleOptions start_of(const PlannerOptions& options) {
  return options.sample.value_or(
      SampleOptions{.kind = SampleKind::Systematic, .size = 0.0025, .size_min = 20});
}

class LorePlanner : public RoundPlanner {
 public:
  LorePlanner(const Population& pages, const PlannerOptions& options)
      : RoundPlanner(pages, sampled(pages, start_of(options), options.seed),
                     tie_values(pages, options.ties.value_or(TieRule::PageRank), options.seed),
                     round_tests(options.round.value_or(kRound), pages.size()), kFirstTests),
        features_(pages),
        evidence_(pages),
        shape_(features_.bin_counts(), evidence_.size()),
        random_(options.seed),
        push_epsilon_(options.push_epsilon) {}

  [[nodiscard]] std::vector<Reason> why(Node page) override;

 private:
  void take_in(Node page, bool is_live) override {
    evidence_.add(page, is_live);
    if (fallback_) fallback_->add(page, is_live);
  }
  [[nodiscard]] double rate() const {
    return (static_cast<double>(live_count()) + 1) / (static_cast<double>(decided().size()) + 2);
  }
  [[nodiscard]] std::vector<Node> pages_to_learn_from();
  [[nodiscard]] LogisticRows rows_of(const std::vector<Node>& tested) const;
  bool fit();
  [[nodiscard]] double score_of(Node page, std::vector<float>& numbers) const;
  void score(std::vector<double>& scores) override;
  void score_without_model(std::vector<double>& scores);

  PageFeatures features_;
  Evidence evidence_;
  LogisticShape shape_;
  Random random_;
  double push_epsilon_;
  std::vector<double> weights_;  // empty while there is no model
  std::optional<BetaRank> fallback_;
};

std::vector<Node> LorePlanner::pages_to_learn_from() {
  std::vector<Node> tested = decided();
  if (tested.size() <= kRowsMax) return tested;
  for (std::size_t i = 0; i < kRowsMax; ++i) {
    std::swap(tested[i], tested[i + random_.below(tested.size() - i)]);
  }
  tested.resize(kRowsMax);
  return tested;
}

LogisticRows LorePlanner::rows_of(const std::vector<Node>& tested) const {
  LogisticRows rows{features_.size(), evidence_.size(), {}, {}, {}};
  rows.numbers.resize(tested.size() * evidence_.size());
  float* numbers = rows.numbers.data();
  for (const Node page : tested) {
    const std::uint8_t* bins = features_.bins(page);
    rows.bins.insert(rows.bins.end(), bins, bins + features_.size());
    rows.live.push_back(is_live(page) ? 1 : 0);
    evidence_.values(page, is_live(page) ? Evidence::Own::Live : Evidence::Own::Dead, rate(),
                     numbers);
    numbers += evidence_.size();
  }
  return rows;
}

bool LorePlanner::fit() {
  if (decided().empty()) return false;
  const LogisticRows rows = rows_of(pages_to_learn_from());
  LogisticFit found = fit_logistic(shape_, rows, kRidge, weights_,
                                   weights_.empty() ? kStepsFirst : kStepsLater);
  weights_.clear();
  if (!(found.loss <= found.base_loss)) return false;
  weights_ = std::move(found.weights);
  return true;
}

double LorePlanner::score_of(Node page, std::vector<float>& numbers) const {
  double sum = weights_[0];
  const std::uint8_t* bins = features_.bins(page);
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    if (bins[feature] > 0) sum += weights_[shape_.first[feature] + bins[feature] - 1];
  }
  evidence_.values(page, Evidence::Own::Untested, rate(), numbers.data());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    sum += weights_[shape_.first_number + i] * double{numbers[i]};
  }
  return sum;
}

void LorePlanner::score_without_model(std::vector<double>& scores) {
  if (!fallback_) {
    fallback_.emplace(pages(), push_epsilon_);
    for (const Node page : decided()) fallback_->add(page, is_live(page));
  }
  fallback_->score(scores);
}

void LorePlanner::score(std::vector<double>& scores) {
  evidence_.settle();
  if (!fit()) return score_without_model(scores);
  std::vector<float> numbers(evidence_.size());
  for (Node page = 0; page < page_count(); ++page) {
    if (is_open(page)) scores[page] = score_of(page, numbers);
  }
}

std::vector<Reason> LorePlanner::why(Node page) {
  evidence_.settle();
  if (weights_.empty() && !fit()) return RoundPlanner::why(page);
  std::vector<float> numbers(evidence_.size());
  const double score = score_of(page, numbers);
  std::vector<Reason> reasons = {{"score (log odds)", score, 0},
                                 {"likely alive", 1 / (1 + std::exp(-score)), 0},
                                 {"all pages", 1, weights_[0]}};
  const std::uint8_t* bins = features_.bins(page);
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    const std::uint8_t bin = bins[feature];
    reasons.push_back({fmt::format("{} (bin)", features_.name(feature)), static_cast<double>(bin),
                       bin == 0 ? 0 : weights_[shape_.first[feature] + bin - 1]});
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i];
    reasons.push_back({fmt::format("evidence of {}", evidence_.name(i)), number,
                       weights_[shape_.first_number + i] * number});
  }
  return reasons;
}

}  // namespace

std::unique_ptr<Planner> make_lore_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<LorePlanner>(pages, options);
}

}  // namespace webstrata
