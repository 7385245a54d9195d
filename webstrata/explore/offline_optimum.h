// SPDX-License-Identifier: Apache-2.0

// The most that a crawl of a known graph can find within a budget: what no crawler can beat.
//
//   const OfflineOptimum best = offline_optimum(web, seeds, {.budget = 20});
//   best.value;     // of the best crawl that was found
//   best.bound;     // no crawl finds more; the same number if best.is_exact
//
// Finding the optimum is NP-hard (Proposition 1 of the exploration paper), and greedy with true
// scores is not optimal. Up to 64 pages that matter are searched by branch and bound, which
// finishes for about 25 of them, and often for more. Beyond that there is an upper
// bound that holds for every crawl, so that a share of the oracle's result has an anchor.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/explore/simulator.h"
#include "webstrata/explore/study.h"

namespace webstrata {

struct OptimumOptions {
  std::uint64_t budget = 1000;  // pages, not counting seeds
  CrawlValue value = CrawlValue::Sum;
  std::uint64_t sets_max = 20'000'000;  // sets of pages that the search looks at before it gives up
  int rounds = 200;                     // of improving the bound
};

// All values exclude those of the seeds.
struct OfflineOptimum {
  double value = 0;  // of the best crawl found: at least what greedy with true scores finds
  double bound = 0;
  bool is_exact = false;    // value and bound are the same, up to rounding
  std::vector<Node> crawl;  // such a crawl, in an order that is possible
};

// Throws Error(BadInput) as explore() does. Time O(rounds * links) and the search.
OfflineOptimum offline_optimum(const SimulatedWeb& web, std::span<const Node> seeds,
                               const OptimumOptions& options = {});

}  // namespace webstrata
