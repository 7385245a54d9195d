// SPDX-License-Identifier: Apache-2.0

// The papers' recursive dynamic PageRank, which they reject because it cannot leave the
// surroundings of the sample: the surfer's jumps lead to live pages of the sample, then to the same
// number of best pages, and so on until these no longer change. A negative control.
// Tested by tests/liverank/pa_planner_test.cpp.

#include <algorithm>
#include <memory>

#include "webstrata/liverank/planner_makers.h"
#include "webstrata/liverank/round_planner.h"
#include "webstrata/rank/pagerank.h"

namespace webstrata {
namespace {

constexpr int kStepsMax = 10;

class RecursivePlanner : public RoundPlanner {
 public:
  RecursivePlanner(const Population& pages, const PlannerOptions& options)
      : RoundPlanner(pages, sampled(pages, *options.sample, options.seed),
                     tie_values(pages, options.ties.value_or(TieRule::PageRank), options.seed),
                     pages.size()),
        damping_(options.damping) {}

 private:
  [[nodiscard]] std::vector<double> rank_from(const std::vector<Node>& sources) const {
    std::vector<double> preference(page_count());
    for (const Node page : sources) preference[page] = 1.0 / static_cast<double>(sources.size());
    return pagerank(pages().graph,
                    {.damping = damping_, .preference = preference, .dead_ends = DeadEnds::Drop})
        .scores;
  }
  void score(std::vector<double>& scores) override {
    std::vector<Node> sources;
    for (const Node page : decided()) {
      if (is_live(page)) sources.push_back(page);
    }
    scores.assign(scores.size(), 0);
    if (sources.empty()) return;
    std::ranges::sort(sources);
    for (int step = 0; step < kStepsMax; ++step) {
      scores = rank_from(sources);
      std::vector<Node> best = ordered(scores, pages().pagerank);
      best.resize(sources.size());
      std::ranges::sort(best);
      if (best == sources) return;
      sources = std::move(best);
    }
  }

  double damping_;
};

}  // namespace

std::unique_ptr<Planner> make_recursive_planner(const Population& pages,
                                                const PlannerOptions& options) {
  return std::make_unique<RecursivePlanner>(pages, options);
}

}  // namespace webstrata
