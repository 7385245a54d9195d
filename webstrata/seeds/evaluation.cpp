// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/crawl_profile_test.cpp.

#include "webstrata/seeds/evaluation.h"

#include "webstrata/seeds/seed_methods.h"

namespace webstrata {

SeedEvaluation evaluate_seeds(const Snapshot& graph, std::span<const Node> seeds,
                              const EvaluationOptions& options) {
  SeedEvaluation result;
  result.seed_count = seeds.size();
  result.distance = mean_connected_distance(
      graph, {.sources = options.distance_sources, .seed = options.seed, .work = options.work});
  if (seeds.empty()) return result;
  const std::vector<double> scores = seed_scores(graph, options.work);
  result.chosen = crawl_profile(graph, seeds, scores, options.depth_max);
  RandomCrawls crawls;
  crawls.count = seeds.size();
  crawls.repetitions = options.repetitions;
  crawls.seed = options.seed;
  crawls.depth_max = options.depth_max;
  crawls.work = options.work;
  result.random_crawls = random_crawl_profiles(graph, scores, crawls);
  result.random = mean_of(result.random_crawls);
  return result;
}

SeedSurvival seed_survival(const Snapshot& old, const Snapshot& newer,
                           std::span<const Node> candidates, const SurvivalOptions& options) {
  const SurvivalTest is_alive = survival_by_name(old, newer);
  SeedSurvival result;
  for (const Node node : candidates) result.is_alive.push_back(is_alive(node));
  Random random(options.seed);
  const std::vector<Node> pages = drawn(pages_of(old), options.pages_max, random);
  result.pages = pages.size();
  std::uint64_t alive = 0;
  for (const Node node : pages) {
    options.work.check_cancelled();
    alive += is_alive(node) ? 1 : 0;
  }
  if (!pages.empty()) {
    result.page_rate = static_cast<double>(alive) / static_cast<double>(pages.size());
  }
  return result;
}

}  // namespace webstrata
