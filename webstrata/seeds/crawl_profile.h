// SPDX-License-Identifier: Apache-2.0

// What a breadth-first crawl finds from a set of seeds, depth by depth: the paper's second and
// third metrics, and the mean distance on the graph for comparison.
//
//   const CrawlProfile profile = crawl_profile(graph, seeds, ranked.scores, 6);
//   profile.depths[2].pages;            // first seen two links away from a seed
//   profile.depths[2].average();        // their PageRank, on average
//   profile.depths[2].score_so_far;     // of all seen up to there
//
// A crawler follows navigation too, so all links of the graph count.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct CrawlDepth {
  double pages = 0;  // first seen at this depth; a mean over several crawls need not be whole
  double score = 0;  // the sum of their scores
  double pages_so_far = 0;
  double score_so_far = 0;

  // 0 without pages.
  [[nodiscard]] double average() const noexcept { return pages > 0 ? score / pages : 0; }
};

struct CrawlProfile {
  std::vector<CrawlDepth> depths;  // [0] are the seeds; `depth_max` more
};

// `scores` one per node. Throws Error(BadInput) if the sizes differ or a seed is not a node.
CrawlProfile crawl_profile(const Snapshot& graph, std::span<const Node> seeds,
                           std::span<const double> scores, std::uint32_t depth_max);

struct RandomCrawls {
  std::uint64_t count = 10;  // seeds of each crawl
  std::uint32_t repetitions = 20;
  std::uint64_t seed = 1;
  std::uint32_t depth_max = 6;
  WorkOptions work = {};
};

// One profile for each crawl from as many random pages of the graph. Throws Error(BadInput) if it
// has fewer pages.
std::vector<CrawlProfile> random_crawl_profiles(const Snapshot& graph,
                                                std::span<const double> scores,
                                                const RandomCrawls& crawls);
// The mean, depth by depth; all must have the same depth. Without profiles it is empty.
CrawlProfile mean_of(std::span<const CrawlProfile> profiles);

// The mean length of shortest paths over connected ordered pairs of different nodes, which the
// paper calls the diameter.
struct ConnectedDistance {
  std::optional<double> mean;  // empty if no pair is connected
  std::uint32_t farthest = 0;
  std::uint64_t pairs = 0;
  std::uint32_t sources = 0;  // nodes from which all others were measured
};

struct DistanceSampling {
  std::uint32_t sources = 200;  // drawn without repetition; all nodes if there are fewer
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

// Time O(sources * (nodes + links)) on all threads.
ConnectedDistance mean_connected_distance(const Snapshot& graph,
                                          const DistanceSampling& sampling = {});

}  // namespace webstrata
