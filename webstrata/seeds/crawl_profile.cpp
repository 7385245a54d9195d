// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/crawl_profile_test.cpp.

#include "webstrata/seeds/crawl_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/seeds/breadth_first.h"
#include "webstrata/seeds/survival.h"

namespace webstrata {
namespace {

void check(const Snapshot& graph, std::span<const Node> seeds, std::span<const double> scores) {
  if (scores.size() != graph.node_count()) {
    throw Error(ErrorKind::BadInput, fmt::format("crawl profile: {} scores for {} nodes",
                                                 scores.size(), graph.node_count()));
  }
  for (const Node seed : seeds) {
    if (seed < graph.node_count()) continue;
    throw Error(ErrorKind::BadInput, fmt::format("crawl profile: seed {} of a graph of {} nodes",
                                                 seed, graph.node_count()));
  }
}

void add_so_far(CrawlProfile& profile) {
  double pages = 0;
  double score = 0;
  for (CrawlDepth& depth : profile.depths) {
    depth.pages_so_far = pages += depth.pages;
    depth.score_so_far = score += depth.score;
  }
}

struct FromOneSource {
  std::uint64_t pairs = 0;
  std::uint64_t length = 0;
  std::uint32_t farthest = 0;
};

FromOneSource distances_from(const Snapshot& graph, Node source) {
  FromOneSource found;
  BreadthFirst walk(graph, {&source, 1});
  walk.advance();
  for (std::uint32_t depth = 1; !walk.level().empty(); ++depth, walk.advance()) {
    found.pairs += walk.level().size();
    found.length += walk.level().size() * depth;
    found.farthest = depth;
  }
  return found;
}

}  // namespace

CrawlProfile crawl_profile(const Snapshot& graph, std::span<const Node> seeds,
                           std::span<const double> scores, std::uint32_t depth_max) {
  check(graph, seeds, scores);
  CrawlProfile profile;
  profile.depths.resize(depth_max + std::size_t{1});
  BreadthFirst walk(graph, seeds);
  for (CrawlDepth& depth : profile.depths) {
    depth.pages = static_cast<double>(walk.level().size());
    for (const Node node : walk.level()) depth.score += scores[node];
    walk.advance();
  }
  add_so_far(profile);
  return profile;
}

std::vector<CrawlProfile> random_crawl_profiles(const Snapshot& graph,
                                                std::span<const double> scores,
                                                const RandomCrawls& crawls) {
  const std::vector<Node> pages = pages_of(graph);
  if (crawls.count > pages.size() || crawls.repetitions == 0) {
    throw Error(ErrorKind::BadInput, fmt::format("{} crawls from {} random seeds: the graph has {} "
                                                 "pages",
                                                 crawls.repetitions, crawls.count, pages.size()));
  }
  std::vector<CrawlProfile> profiles(crawls.repetitions);
  run_tasks(profiles.size(), crawls.work, "crawling from random seeds", [&](std::size_t i) {
    Random random(crawls.seed + i);
    const std::vector<Node> seeds = drawn(pages, crawls.count, random);
    profiles[i] = crawl_profile(graph, seeds, scores, crawls.depth_max);
  });
  return profiles;
}

CrawlProfile mean_of(std::span<const CrawlProfile> profiles) {
  CrawlProfile mean;
  if (profiles.empty()) return mean;
  mean.depths.resize(profiles.front().depths.size());
  const auto count = static_cast<double>(profiles.size());
  for (const CrawlProfile& profile : profiles) {
    assert(profile.depths.size() == mean.depths.size());
    for (std::size_t depth = 0; depth < mean.depths.size(); ++depth) {
      mean.depths[depth].pages += profile.depths[depth].pages / count;
      mean.depths[depth].score += profile.depths[depth].score / count;
    }
  }
  add_so_far(mean);
  return mean;
}

ConnectedDistance mean_connected_distance(const Snapshot& graph, const DistanceSampling& sampling) {
  std::vector<Node> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  Random random(sampling.seed);
  nodes = drawn(std::move(nodes), sampling.sources, random);
  std::vector<FromOneSource> found(nodes.size());
  run_tasks(nodes.size(), sampling.work, "measuring distances",
            [&](std::size_t i) { found[i] = distances_from(graph, nodes[i]); });
  ConnectedDistance result;
  result.sources = static_cast<std::uint32_t>(nodes.size());
  std::uint64_t length = 0;
  for (const FromOneSource& one : found) {
    result.pairs += one.pairs;
    length += one.length;
    result.farthest = std::max(result.farthest, one.farthest);
  }
  if (result.pairs > 0) {
    result.mean = static_cast<double>(length) / static_cast<double>(result.pairs);
  }
  return result;
}

}  // namespace webstrata
