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
  result.random = random_crawl_profile(graph, scores, crawls);
  return result;
}

}  // namespace webstrata
