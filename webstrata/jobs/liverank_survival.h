// SPDX-License-Identifier: Apache-2.0

// What LiveRank believes of pages (liverank/posterior.h), for the choice of seeds: the two rooms do
// not know each other.

#pragma once

#include <algorithm>
#include <cstdint>

#include "webstrata/liverank/posterior.h"
#include "webstrata/seeds/survival.h"

namespace webstrata {

class LiveRankSurvival : public SurvivalModel {
 public:
  LiveRankSurvival(const Snapshot& graph, std::uint64_t seed, const WorkOptions& work = {})
      : pages_(population_of(graph, {.work = work})), posterior_(pages_, seed) {}

  // Never 0: a candidate may be all that is left.
  [[nodiscard]] double probability(Node node) override {
    const auto page = pages_.page_of(node);
    return page ? std::max(kLeast, posterior_.probability(*page)) : kLeast;
  }
  void learn(Node node, bool is_alive) override {
    if (const auto page = pages_.page_of(node)) posterior_.learn(*page, is_alive);
  }

 private:
  static constexpr double kLeast = 1e-6;
  Population pages_;
  Posterior posterior_;
};

}  // namespace webstrata
