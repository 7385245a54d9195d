// LORE, leave-one-out relational evidence: a logistic model of what lives, learned while testing.
//
// A page is described by what is known of it (page_features.h) and by what its tested relatives say
// (evidence.h). The model is fitted anew on the tested pages, each with its own answer taken out of
// its evidence, before every round: so where death does not spread along links, their weights go to
// 0. Rounds begin with one test, for the first answers teach most, and grow to a hundredth of the
// pages.
//
// When the fit is worse than guessing the rate, PageRank-Beta (beta_rank.h) ranks the round.
// Tested by tests/liverank/learning_test.cpp.

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

constexpr double kRoundsMin = 100;
constexpr double kRoundsMax = 500;
constexpr std::size_t kFirstTests = 1;
// Every kind of relative is believed to matter a little before the first answer. Chosen on
// openbsd-www: 0.15 to 0.3 do as well, 0 needs a larger sample, 0.5 trusts too soon.
constexpr double kPrior = 0.15;
constexpr double kGrowth = 1.3;
constexpr double kShrinking = 0.25;
constexpr double kRidge = 2;
constexpr std::size_t kRowsMax = 12000;  // of a fit; more are drawn from
constexpr int kStepsFirst = 12;
constexpr int kStepsLater = 6;

// A round costs about as much as there are pages, and teaches more the smaller it is: small sites
// afford five hundred rounds, large ones a hundred.
double round_of(const Population& pages) {
  return 1 / std::clamp(4e6 / pages.size(), kRoundsMin, kRoundsMax);
}

class LorePlanner : public RoundPlanner {
 public:
  LorePlanner(const Population& pages, const PlannerOptions& options)
      : RoundPlanner(pages, sampled(pages, *options.sample, options.seed),
                     tie_values(pages, options.ties.value_or(TieRule::PageRank), options.seed),
                     round_tests(options.round.value_or(round_of(pages)), pages.size()),
                     kFirstTests),
        features_(pages),
        evidence_(pages),
        shape_(features_.bin_counts(), evidence_.size()),
        random_(options.seed),
        push_epsilon_(options.push_epsilon),
        prior_(shape_.size) {
    std::fill(prior_.begin() + shape_.first_number, prior_.end(), kPrior);
  }

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
  double growth() override;
  [[nodiscard]] double score_of(Node page, std::vector<float>& numbers) const;
  void score(std::vector<double>& scores) override;
  void score_without_model(std::vector<double>& scores);

  PageFeatures features_;
  Evidence evidence_;
  LogisticShape shape_;
  Random random_;
  double push_epsilon_;
  std::vector<double> prior_;
  std::vector<double> weights_;  // empty while there is no model
  std::optional<BetaRank> fallback_;
  std::size_t judged_ = 0;  // of decided(): answers that earlier rounds were judged by
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
  LogisticFit found = fit_logistic(shape_, rows,
                                   {.ridge = kRidge,
                                    .prior = prior_,
                                    .start = weights_,
                                    .steps_max = weights_.empty() ? kStepsFirst : kStepsLater});
  weights_.clear();
  if (!(found.loss <= found.base_loss)) return false;
  weights_ = std::move(found.weights);
  return true;
}

// Rounds grow while answers are as expected. When far fewer live than the model said, the pages at
// hand are of a kind that it does not know: small rounds teach it sooner.
double LorePlanner::growth() {
  double expected = 0;
  double variance = 0;
  double live = 0;
  for (; judged_ < decided().size(); ++judged_) {
    const Node page = decided()[judged_];
    const double likely = 1 / (1 + std::exp(-scores()[page]));
    expected += likely;
    variance += likely * (1 - likely);
    live += is_live(page) ? 1 : 0;
  }
  if (weights_.empty()) return 1;
  return live < expected - 2 * std::sqrt(variance) - 1 ? kShrinking : kGrowth;
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
  judged_ = decided().size();
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
