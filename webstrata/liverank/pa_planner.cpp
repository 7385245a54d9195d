// SPDX-License-Identifier: Apache-2.0

// P_a and P±: PageRank whose surfer jumps to live pages of the sample, and the same divided by that
// of dead pages. Huynh, Mathieu and Viennot 2015.
//
// Two rounds: exact, after the sample. Dynamic: the surfer's jumps grow test by test, and PageRank
// is linear in them, so each answer is pushed through the graph from its page (rank/ppr.h).
//
// Zeros of the denominator become its smallest other value; a page that no live page leads to
// scores 0; without dead pages P± is P_a, without live pages it is 1 over the denominator, as in
// the papers.
// Tested by tests/liverank/pa_planner_test.cpp.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "webstrata/liverank/planner_makers.h"
#include "webstrata/liverank/round_planner.h"
#include "webstrata/rank/ppr.h"

namespace webstrata {
namespace {

// Scores far below 1 are divided by each other, so they must be accurate far below 1e-9.
constexpr double kDividedTolerance = 1e-14;

// PageRank from the live and from the dead pages, each up to a factor.
class LiveAndDeadRank {
 public:
  LiveAndDeadRank(const Snapshot& graph, const PlannerOptions& options, bool divides, bool pushes)
      : graph_(graph), damping_(options.damping), work_(options.work) {
    if (divides) tolerance_ = kDividedTolerance;
    if (!pushes) return;
    const PushOptions push{.damping = options.damping, .epsilon = options.push_epsilon};
    for (auto& side : pushed_) side.emplace(graph, push);
  }

  void add(Node page, bool is_live) {
    ++counts_[is_live ? 1 : 0];
    if (pushed_[0]) {
      pushed_[is_live ? 1 : 0]->add(page);
    } else {
      sources_[is_live ? 1 : 0].push_back(page);
    }
  }
  [[nodiscard]] std::size_t count(bool is_live) const { return counts_[is_live ? 1 : 0]; }

  // Of a side that has pages.
  [[nodiscard]] std::vector<double> scores(bool is_live) const {
    const std::size_t side = is_live ? 1 : 0;
    if (pushed_[side]) return pushed_[side]->scores();
    std::vector<double> preference(graph_.node_count());
    for (const Node page : sources_[side]) {
      preference[page] = 1.0 / static_cast<double>(sources_[side].size());
    }
    return pagerank(graph_, {.damping = damping_,
                             .tolerance = tolerance_,
                             .preference = preference,
                             .dead_ends = DeadEnds::Drop,
                             .work = work_})
        .scores;
  }

 private:
  Snapshot graph_;
  double damping_;
  double tolerance_ = PageRankOptions{}.tolerance;
  WorkOptions work_;
  std::optional<PushPageRank> pushed_[2];
  std::vector<Node> sources_[2];
  std::size_t counts_[2] = {};
};

void fill_zeros_with_the_least(std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (value > 0) least = std::min(least, value);
  }
  for (double& value : values) {
    if (value == 0) value = least;
  }
}

class PaPlanner : public RoundPlanner {
 public:
  PaPlanner(const Population& pages, const PlannerOptions& options, bool divides)
      : RoundPlanner(pages, sampled(pages, *options.sample, options.seed),
                     tie_values(pages, options.ties.value_or(TieRule::PageRank), options.seed),
                     round_tests(options.round.value_or(0), pages.size())),
        rank_(pages.graph, options, divides, options.round.value_or(0) > 0),
        divides_(divides) {}

 private:
  void take_in(Node page, bool is_live) override { rank_.add(page, is_live); }
  void score(std::vector<double>& scores) override {
    const bool has_live = rank_.count(true) > 0;
    scores.assign(scores.size(), has_live || !divides_ ? 0 : 1);
    if (has_live) scores = rank_.scores(true);
    if (!divides_ || rank_.count(false) == 0) return;
    std::vector<double> dead = rank_.scores(false);
    fill_zeros_with_the_least(dead);
    for (std::size_t page = 0; page < scores.size(); ++page) scores[page] /= dead[page];
  }

  LiveAndDeadRank rank_;
  bool divides_;
};

}  // namespace

std::unique_ptr<Planner> make_pa_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<PaPlanner>(pages, options, false);
}

std::unique_ptr<Planner> make_pa_ratio_planner(const Population& pages,
                                               const PlannerOptions& options) {
  return std::make_unique<PaPlanner>(pages, options, true);
}

}  // namespace webstrata
