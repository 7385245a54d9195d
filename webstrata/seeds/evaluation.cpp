// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/crawl_profile_test.cpp.

#include "webstrata/seeds/evaluation.h"

#include <algorithm>

#include "webstrata/graph/pages.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {
namespace {

// These nodes, which ascend, with the links among them.
Snapshot links_among(const Snapshot& graph, const std::vector<Node>& nodes) {
  SnapshotBuilder builder(nodes.size());
  std::vector<Node> targets;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    targets.clear();
    auto place = nodes.begin();
    for (const Node target : graph.successors(nodes[i])) {
      place = std::lower_bound(place, nodes.end(), target);
      if (place == nodes.end()) break;
      if (*place == target) targets.push_back(static_cast<Node>(place - nodes.begin()));
    }
    builder.add(static_cast<Node>(i), targets);
  }
  return builder.finish();
}

SeedEvaluation evaluated(const Snapshot& graph, std::span<const Node> seeds,
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

}  // namespace

SeedEvaluation evaluate_seeds(const Snapshot& graph, std::span<const Node> seeds,
                              const EvaluationOptions& options) {
  const bool knows_captures = !graph.node_columns().captures.empty();
  if (!options.captured_only || !knows_captures) return evaluated(graph, seeds, options);
  const std::vector<Node> pages = pages_of(graph);
  std::vector<Node> places;
  for (const Node seed : seeds) {
    const auto place = std::ranges::lower_bound(pages, seed);
    places.push_back(static_cast<Node>(place - pages.begin()));
  }
  return evaluated(links_among(graph, pages), places, options);
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
