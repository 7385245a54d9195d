// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/explore_test.py and tests/python/explore_test.py.

#include "webstrata/explore/explore_found.h"

namespace webstrata {

ExploreFound explored(const SimulatedWeb& web, const std::string& estimator,
                      const std::string& value, const std::vector<Node>& seeds,
                      ExploreOptions options, bool with_optimum) {
  options.value = set_function(value);
  options.strategy.seed = options.estimator.seed;
  ExploreFound found{.estimator = estimator,
                     .value = value,
                     .budget = options.budget,
                     .seed = options.estimator.seed,
                     .seeds = seeds,
                     .run = explore(web, estimator, seeds, options)};
  options.strategy = {};
  options.refresh = 1;
  found.oracle_value = explore(web, "oracle", seeds, options).value_at(options.budget);
  if (with_optimum) {
    found.optimum =
        offline_optimum(web, seeds,
                        {.budget = options.budget,
                         .value = value == "count" ? CrawlValue::Count : CrawlValue::Sum});
  }
  return found;
}

}  // namespace webstrata
