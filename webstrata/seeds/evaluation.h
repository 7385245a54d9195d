// SPDX-License-Identifier: Apache-2.0

// How good seeds are: what crawls from them find, compared with crawls from random pages.
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
  // Targets that were never captured are left out; otherwise they are pages like others.
  bool captured_only = true;
  WorkOptions work = {};
};

struct SeedEvaluation {
  std::uint64_t seed_count = 0;
  CrawlProfile chosen;
  CrawlProfile random;  // the mean over crawls from the same number of random seeds
  std::vector<CrawlProfile> random_crawls;  // each of them
  ConnectedDistance distance;
};

// The scores are PageRank on all links among the pages that count. Without seeds the profiles are
// empty. Seeds must be pages (is_page).
SeedEvaluation evaluate_seeds(const Snapshot& graph, std::span<const Node> seeds,
                              const EvaluationOptions& options = {});

struct SurvivalOptions {
  std::uint64_t pages_max = 10'000;  // of the old graph, to compare with; drawn if it has more
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

struct SeedSurvival {
  std::vector<bool> is_alive;  // one per candidate
  double page_rate = 0;        // share of the examined pages that still exist; 0 without pages
  std::uint64_t pages = 0;     // examined
};

// Which of the candidates, pages of `old`, the newer graph still has by name, compared with random
// pages.
SeedSurvival seed_survival(const Snapshot& old, const Snapshot& newer,
                           std::span<const Node> candidates, const SurvivalOptions& options = {});

}  // namespace webstrata
