// SPDX-License-Identifier: Apache-2.0

// How the next pages are chosen, once the frontier is scored.

#pragma once

#include <memory>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/explore/estimator.h"

namespace webstrata {

struct StrategyOptions {
  // With probability 1 - `greedy` a page is drawn among all whose score is within `slack` of the
  // best one (as a share of it): the paper's q and zeta. 1: always the best.
  double greedy = 1;
  double slack = 0;
  std::uint64_t seed = 1;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // At most `count` nodes of the frontier, none twice, in the order in which to crawl them.
  virtual void choose(Estimator& estimator, std::size_t count, std::vector<Node>& nodes) = 0;
};

// Throws Error(BadInput) if an option is out of range.
std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options = {});

}  // namespace webstrata
