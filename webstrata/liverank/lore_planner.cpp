// SPDX-License-Identifier: Apache-2.0

// LORE, leave-one-out relational evidence: a model of what lives (lore_model.h), learned while
// testing. It is fitted again before every round. Rounds begin with one test, since most is learned
// from the first answers, and grow to a hundredth of the pages.
//
// When the fit is worse than guessing the rate, PageRank-Beta (beta_rank.h) ranks the round.
// Tested by tests/liverank/learning_test.cpp.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "webstrata/liverank/beta_rank.h"
#include "webstrata/liverank/exploration.h"
#include "webstrata/liverank/lore_model.h"
#include "webstrata/liverank/planner_makers.h"
#include "webstrata/liverank/round_planner.h"

namespace webstrata {
namespace {

// The share of the pages that is a full round.
double round_of(const Population& pages, const LoreParameters& parameters) {
  return 1 / std::clamp(parameters.round_work / pages.size(), parameters.rounds_min,
                        parameters.rounds_max);
}

class LorePlanner : public RoundPlanner {
 public:
  LorePlanner(const Population& pages, const PlannerOptions& options, bool explores)
      : RoundPlanner(
            pages, sampled(pages, *options.sample, options.seed),
            tie_values(pages, options.ties.value_or(TieRule::PageRank), options.seed),
            round_tests(options.round.value_or(round_of(pages, options.lore)), pages.size()),
            options.lore.first_tests),
        parameters_(options.lore),
        model_(pages, options.seed, options.lore),
        push_epsilon_(options.push_epsilon) {
    if (!explores) return;
    // A sample by sites has as many pages as there are sites to take them from.
    const std::size_t first_tests = options.sample->per_site > 0
                                        ? sampled(pages, *options.sample, options.seed).size()
                                        : sample_size(*options.sample, pages.size());
    exploration_.emplace(pages, first_tests, parameters_.exploration);
  }

  [[nodiscard]] std::vector<Reason> why(Node page) override {
    if (!model_.has_weights() && !model_.fit()) return RoundPlanner::why(page);
    return model_.why(page);
  }

 private:
  void take_in(Node page, bool is_live) override {
    model_.add(page, is_live);
    if (exploration_) exploration_->add(page, is_live);
    if (fallback_) fallback_->add(page, is_live);
  }
  double growth() override;
  [[nodiscard]] std::optional<Node> lesson() override {
    return exploration_ ? exploration_->next() : std::nullopt;
  }
  void score(std::vector<double>& scores) override;
  void score_without_model(std::vector<double>& scores);

  LoreParameters parameters_;
  LoreModel model_;
  double push_epsilon_;
  std::optional<BetaRank> fallback_;
  std::optional<Exploration> exploration_;
  std::size_t judged_ = 0;  // of decided(): answers that earlier rounds were judged by
};

// Rounds grow while answers are as expected. When far fewer live than the model predicted, the
// current pages are of a kind that it does not know: it learns faster from small rounds.
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
  if (!model_.has_weights()) return 1;
  const bool disappoints = live < expected - parameters_.deviations * std::sqrt(variance) - 1;
  return disappoints ? parameters_.shrinking : parameters_.growth;
}

void LorePlanner::score_without_model(std::vector<double>& scores) {
  if (!fallback_) {
    fallback_.emplace(pages(), push_epsilon_, parameters_.fallback);
    for (const Node page : decided()) fallback_->add(page, is_live(page));
  }
  fallback_->score(scores);
}

void LorePlanner::score(std::vector<double>& scores) {
  if (!model_.fit()) return score_without_model(scores);
  judged_ = decided().size();
  for (Node page = 0; page < page_count(); ++page) {
    if (is_open(page)) scores[page] = model_.log_odds(page);
  }
}

}  // namespace

std::unique_ptr<Planner> make_lore_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<LorePlanner>(pages, options, false);
}

std::unique_ptr<Planner> make_exploring_lore_planner(const Population& pages,
                                                     const PlannerOptions& options) {
  return std::make_unique<LorePlanner>(pages, options, true);
}

}  // namespace webstrata
