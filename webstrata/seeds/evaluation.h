// How good seeds are: what crawls from them find, beside crawls from random pages.
//
//   const SeedEvaluation on_old = evaluate_seeds(graph, seeds);
//   const SeedEvaluation on_new = evaluate_seeds(newer, survivors);   // as the paper's last test

#pragma once

#include <span>
#include <vector>

#include "webstrata/seeds/crawl_profile.h"

namespace webstrata {

struct EvaluationOptions {
  std::uint32_t depth_max = 6;
  std::uint32_t repetitions = 20;  // of random crawls
  std::uint32_t distance_sources = 200;
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

struct SeedEvaluation {
  std::uint64_t seed_count = 0;
  CrawlProfile chosen;
  CrawlProfile random;  // the mean over as many random seeds
  ConnectedDistance distance;
};

// The scores are PageRank on all links of the graph. Without seeds the profiles are empty.
SeedEvaluation evaluate_seeds(const Snapshot& graph, std::span<const Node> seeds,
                              const EvaluationOptions& options = {});

}  // namespace webstrata
