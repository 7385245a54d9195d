// SPDX-License-Identifier: Apache-2.0

// Targets come from systematic sampling: one random offset, then equal steps through the scores
// added up in the order of nodes. Every node is drawn in proportion to its score, give or take one
// draw, and so is every host, whose nodes are adjacent: less variance than with independent draws.
//
// Tested by tests/seeds/coverage_sets_test.cpp.

#include "webstrata/seeds/coverage_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kDepthMax = 15;  // four bits
constexpr std::uint32_t kSetsMax = (std::uint32_t{1} << 28) - 1;
constexpr std::size_t kTargetsPerTask = 64;

double checked_sum(const Snapshot& graph, std::span<const double> scores) {
  if (scores.size() != graph.node_count()) {
    refuse(fmt::format("coverage: {} scores for {} nodes", scores.size(), graph.node_count()));
  }
  double sum = 0;
  for (const double score : scores) {
    if (!(score >= 0) || !std::isfinite(score))
      refuse("coverage: a score is negative or no number");
    sum += score;
  }
  if (!(sum > 0) || !std::isfinite(sum)) refuse("coverage: the graph has no score to cover");
  return sum;
}

struct Reached {
  Node node;
  std::uint32_t distance;
};

// Walks back along links. Its memory is reused for every target.
class ReverseWalk {
 public:
  explicit ReverseWalk(const Snapshot& graph) : graph_(graph), seen_(graph.node_count(), 0) {}

  // Appends the nodes that reach `target` within `depth_max` links, itself first.
  void collect(Node target, std::uint32_t depth_max, std::size_t nodes_max,
               std::vector<Reached>& out) {
    const std::size_t first = out.size();
    visit(target, 0, out);
    std::size_t level = first;
    for (std::uint32_t depth = 1; depth <= depth_max && out.size() - first <= nodes_max; ++depth) {
      const std::size_t level_end = out.size();
      for (; level < level_end; ++level) {
        for (const Node source : graph_.predecessors(out[level].node)) visit(source, depth, out);
      }
    }
    for (std::size_t i = first; i < out.size(); ++i) seen_[out[i].node] = 0;
  }

 private:
  void visit(Node node, std::uint32_t distance, std::vector<Reached>& out) {
    if (seen_[node] != 0) return;
    seen_[node] = 1;
    out.push_back({node, distance});
  }

  const Snapshot& graph_;
  std::vector<std::uint8_t> seen_;
};

// As many walks as there are active threads.
class WalkPool {
 public:
  explicit WalkPool(const Snapshot& graph) : graph_(graph) {}

  std::unique_ptr<ReverseWalk> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!walks_.empty()) {
        auto walk = std::move(walks_.back());
        walks_.pop_back();
        return walk;
      }
    }
    return std::make_unique<ReverseWalk>(graph_);
  }
  void give(std::unique_ptr<ReverseWalk> walk) {
    const std::scoped_lock lock(mutex_);
    walks_.push_back(std::move(walk));
  }

 private:
  const Snapshot& graph_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ReverseWalk>> walks_;
};

// The concatenated lists of consecutive targets.
struct TaskLists {
  std::vector<Reached> reached;
  std::vector<std::size_t> ends;  // of each target's list
};

}  // namespace

void check(const CoverageOptions& options) {
  const auto is_depth = [](std::uint32_t depth) { return depth >= 1 && depth <= kDepthMax; };
  if (options.depths.empty() || !std::ranges::all_of(options.depths, is_depth)) {
    refuse(fmt::format("coverage: depths are 1 to {}", kDepthMax));
  }
  if (options.set_count < options.depths.size() || options.set_count > kSetsMax) {
    refuse(fmt::format("coverage: {} sets; at least one for each depth, at most {}",
                       options.set_count, kSetsMax));
  }
}

class CoverageDraw {
 public:
  CoverageDraw(const Snapshot& graph, const CoverageOptions& options)
      : graph_(graph), options_(options) {}

  CoverageSets draw(std::span<const double> scores) {
    count_depths();
    draw_targets(scores, checked_sum(graph_, scores));
    graph_.prepare_predecessors(options_.work);
    walk_back();
    turn_round();
    return std::move(sets_);
  }

 private:
  void count_depths() {
    const std::uint32_t deepest = std::ranges::max(options_.depths);
    sets_.depths_within_.resize(deepest + std::size_t{1});
    for (std::uint32_t distance = 0; distance <= deepest; ++distance) {
      sets_.depths_within_[distance] = static_cast<std::uint32_t>(
          std::ranges::count_if(options_.depths, [&](auto depth) { return depth >= distance; }));
    }
  }

  void draw_targets(std::span<const double> scores, double sum) {
    const auto draws = static_cast<std::uint32_t>(options_.set_count / options_.depths.size());
    const double step = sum / draws;
    double next = Random(options_.seed).unit() * step;
    double so_far = 0;
    std::uint32_t drawn = 0;
    for (Node node = 0; node < graph_.node_count() && drawn < draws; ++node) {
      so_far += scores[node];
      std::uint32_t hits = 0;
      for (; next < so_far && drawn < draws; ++hits, ++drawn) next += step;
      if (hits == 0) continue;
      nodes_.push_back(node);
      sets_.targets_.push_back({hits, 0});
    }
    sets_.total_ = std::uint64_t{drawn} * options_.depths.size();
  }

  void walk_back() {
    const auto deepest = static_cast<std::uint32_t>(sets_.depths_within_.size() - 1);
    WalkPool pool(graph_);
    lists_.resize((nodes_.size() + kTargetsPerTask - 1) / kTargetsPerTask);
    run_tasks(lists_.size(), options_.work, "walking back from targets", [&](std::size_t task) {
      auto walk = pool.take();
      const std::size_t end = std::min(nodes_.size(), (task + 1) * kTargetsPerTask);
      for (std::size_t i = task * kTargetsPerTask; i < end; ++i) {
        walk->collect(nodes_[i], deepest, options_.set_nodes_max, lists_[task].reached);
        lists_[task].ends.push_back(lists_[task].reached.size());
      }
      pool.give(std::move(walk));
    });
  }

  // From lists of targets to lists of nodes: a counting sort.
  void turn_round() {
    std::vector<std::uint64_t> places(graph_.node_count() + std::size_t{1}, 0);
    for (const TaskLists& lists : lists_) {
      for (const Reached& reached : lists.reached) ++places[reached.node + std::size_t{1}];
    }
    std::partial_sum(places.begin(), places.end(), places.begin());
    sets_.starts_ = places;
    sets_.reaches_.resize(places.back());
    std::uint32_t target = 0;
    for (TaskLists& lists : lists_) {
      std::size_t i = 0;
      for (const std::size_t end : lists.ends) {
        for (; i < end; ++i) {
          const Reached& reached = lists.reached[i];
          sets_.reaches_[places[reached.node]++] = {target & kSetsMax,
                                                    reached.distance & kDepthMax};
        }
        ++target;
      }
      lists = {};
    }
  }

  const Snapshot& graph_;
  const CoverageOptions& options_;
  std::vector<Node> nodes_;  // of the targets
  std::vector<TaskLists> lists_;
  CoverageSets sets_;
};

CoverageSets CoverageSets::draw(const Snapshot& graph, std::span<const double> scores,
                                const CoverageOptions& options) {
  check(options);
  return CoverageDraw(graph, options).draw(scores);
}

std::uint64_t CoverageSets::gain(Node node) const noexcept {
  std::uint64_t gain = 0;
  for (const Reach reach : reaches(node)) {
    const Target& target = targets_[reach.target];
    const std::uint32_t depths = depths_within_[reach.distance];
    if (depths > target.depths_covered) {
      gain += std::uint64_t{depths - target.depths_covered} * target.draws;
    }
  }
  return gain;
}

std::uint64_t CoverageSets::cover(Node node) noexcept {
  const std::uint64_t before = gain(node);
  for (const Reach reach : reaches(node)) {
    Target& target = targets_[reach.target];
    target.depths_covered = std::max(target.depths_covered, depths_within_[reach.distance]);
  }
  covered_ += before;
  return before;
}

}  // namespace webstrata
