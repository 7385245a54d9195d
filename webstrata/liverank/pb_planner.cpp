// SPDX-License-Identifier: Apache-2.0

// PB: ranks by PageRank-Beta (beta_rank.h). Two rounds, with exact masses; or dynamic, with masses
// that are pushed with every answer. It learns only how far masses can be trusted: where they do
// not predict the answers, the order is random.
// Tested by tests/liverank/learning_test.cpp.

#include <memory>

#include "webstrata/liverank/beta_rank.h"
#include "webstrata/liverank/planner_makers.h"
#include "webstrata/liverank/round_planner.h"

namespace webstrata {
namespace {

class PbPlanner : public RoundPlanner {
 public:
  PbPlanner(const Population& pages, const PlannerOptions& options, double round)
      : RoundPlanner(pages, sampled(pages, *options.sample, options.seed),
                     tie_values(pages, options.ties.value_or(TieRule::PageRank), options.seed),
                     round_tests(round, pages.size())),
        rank_(pages, round > 0 ? options.push_epsilon : 0, options.pb),
        luck_(tie_values(pages, TieRule::Random, options.seed)) {}

  [[nodiscard]] std::vector<Reason> why(Node page) override {
    auto reasons = RoundPlanner::why(page);
    const auto [live, dead] = rank_.masses(page);
    reasons.push_back({"mass of live pages", live, 0});
    reasons.push_back({"mass of dead pages", dead, 0});
    reasons.push_back({"trust in masses (1 / kappa)", predicts_ ? 1 / rank_.kappa() : 0, 0});
    return reasons;
  }

 private:
  void take_in(Node page, bool is_live) override { rank_.add(page, is_live); }
  void score(std::vector<double>& scores) override {
    predicts_ = rank_.fit();
    if (predicts_) {
      rank_.score(scores);
    } else {
      scores = luck_;
    }
  }

  BetaRank rank_;
  std::vector<double> luck_;
  bool predicts_ = false;
};

}  // namespace

std::unique_ptr<Planner> make_pb_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<PbPlanner>(pages, options, options.round.value_or(options.pb.round));
}

}  // namespace webstrata
