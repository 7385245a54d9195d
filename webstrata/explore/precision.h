// SPDX-License-Identifier: Apache-2.0

// How good the estimates are, independent of the crawl they lead to: estimators follow the oracle's
// crawl, and at every step name the page they would have chosen (Figure 3 of the paper).

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "webstrata/explore/study.h"

namespace webstrata {

struct PrecisionCurve {
  std::string label;
  // At each step of the oracle's crawl: the score of the best page minus that of the page the
  // estimator would have chosen; the mean of the last `window` steps.
  std::vector<double> losses;
};

// Throws as explore() does.
std::vector<PrecisionCurve> precision_on_oracle_crawl(const SimulatedWeb& web,
                                                      std::span<const Node> seeds,
                                                      const std::vector<Contender>& contenders,
                                                      std::uint64_t budget, std::uint64_t window,
                                                      const WorkOptions& work = {});

}  // namespace webstrata
