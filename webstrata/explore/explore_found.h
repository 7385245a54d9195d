// SPDX-License-Identifier: Apache-2.0

// One simulated crawl, next to what a crawl that knows all scores finds from the same seeds.
//
//   const ExploreFound found = explored(web, "extra", "sum", seeds, {.budget = 500});

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "webstrata/explore/offline_optimum.h"
#include "webstrata/explore/simulator.h"

namespace webstrata {

struct ExploreFound {
  std::string estimator;
  std::string value;  // "sum", "count"
  std::uint64_t budget = 0;
  std::uint64_t seed = 1;
  std::vector<Node> seeds;
  ExploreRun run;
  double oracle_value = 0;  // after the same number of steps, from the same seeds
  std::optional<OfflineOptimum> optimum = {};  // if it was asked for
  std::unordered_set<Node> not_named = {};     // pages that the archive forgot (hand_over.h)
};

// `value` names a set function (set_function.h) and replaces that of `options`; the seed of the
// estimator is also that of the strategy. Throws Error(BadInput) for names that mean nothing.
ExploreFound explored(const SimulatedWeb& web, const std::string& estimator,
                      const std::string& value, const std::vector<Node>& seeds,
                      ExploreOptions options, bool with_optimum = false);

}  // namespace webstrata
