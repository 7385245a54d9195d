// SPDX-License-Identifier: Apache-2.0

// Breadth-first search from 64 nodes at once (Then et al. 2014): a node has a word with one bit for
// each of them. A level is a pull over all nodes when many are active, and otherwise a push from
// the few active ones; both find the same words, so the choice never affects the scores.
// Literature: Eppstein and Wang 2004 for the sampling. Tested by tests/rank/centrality_test.cpp.

#include "webstrata/rank/centrality.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "webstrata/base/random.h"
#include "webstrata/rank/team.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kBatch = 64;
constexpr std::uint32_t kSamplesOfLargeGraphs = 1024;
// Below this share of the links a push is faster than a pull over all.
constexpr std::uint64_t kPushShare = 16;

class HarmonicSearch {
 public:
  HarmonicSearch(const Snapshot& graph, const WorkOptions& work)
      : graph_(graph),
        team_(work, graph.link_count()),
        parts_(Parts::by_in_links(graph)),
        found_(parts_.count()),
        scores_(graph.node_count()),
        seen_(graph.node_count()),
        front_(graph.node_count()),
        next_(graph.node_count()) {}

  void search_from(std::span<const Node> sources) {
    std::fill(seen_.begin(), seen_.end(), 0);
    std::fill(front_.begin(), front_.end(), 0);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      seen_[sources[i]] = front_[sources[i]] = std::uint64_t{1} << i;
    }
    all_ = sources.size() == kBatch ? ~std::uint64_t{0} : (std::uint64_t{1} << sources.size()) - 1;
    on_front_.assign(sources.begin(), sources.end());
    for (std::uint32_t level = 1; !on_front_.empty(); ++level) {
      std::uint64_t links = 0;
      for (const Node node : on_front_) links += graph_.out_degree(node);
      if (links < graph_.link_count() / kPushShare) {
        push();
      } else {
        pull();
      }
      advance(level);
    }
  }

  std::vector<double> scores() { return std::move(scores_); }

 private:
  void push() {
    reached_.clear();
    for (const Node node : on_front_) {
      for (const Node target : graph_.successors(node)) {
        const std::uint64_t bits = front_[node] & ~seen_[target];
        if (bits == 0) continue;
        if (next_[target] == 0) reached_.push_back(target);
        next_[target] |= bits;
      }
    }
  }

  void pull() {
    team_.each(parts_.count(), [&](std::size_t part) {
      found_[part].clear();
      for (Node node = parts_.first(part); node < parts_.last(part); ++node) {
        if (seen_[node] == all_) continue;
        std::uint64_t bits = 0;
        for (const Node source : graph_.predecessors(node)) bits |= front_[source];
        bits &= ~seen_[node];
        if (bits == 0) continue;
        next_[node] = bits;
        found_[part].push_back(node);
      }
    });
    reached_.clear();
    for (const auto& nodes : found_) reached_.insert(reached_.end(), nodes.begin(), nodes.end());
  }

  // The nodes reached are `level` away from the sources of their bits, and become the next front.
  void advance(std::uint32_t level) {
    for (const Node node : on_front_) front_[node] = 0;
    for (const Node node : reached_) {
      scores_[node] += std::popcount(next_[node]) / static_cast<double>(level);
      seen_[node] |= next_[node];
      front_[node] = std::exchange(next_[node], 0);
    }
    on_front_.swap(reached_);
  }

  const Snapshot& graph_;
  Team team_;
  Parts parts_;
  std::vector<std::vector<Node>> found_;  // by part
  std::vector<double> scores_;
  std::vector<std::uint64_t> seen_, front_, next_;
  std::uint64_t all_ = 0;
  std::vector<Node> on_front_, reached_;
};

// `count` different nodes, ascending: neighbours in a batch share their searches.
std::vector<Node> draw(Node nodes, std::uint32_t count, std::uint64_t seed) {
  std::vector<Node> drawn(nodes);
  std::iota(drawn.begin(), drawn.end(), Node{0});
  if (count >= nodes) return drawn;
  Random random(seed);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::swap(drawn[i], drawn[i + random.below(nodes - i)]);
  }
  drawn.resize(count);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

std::uint32_t samples_for(Node nodes, std::uint32_t wanted) {
  if (wanted > 0) return std::min(wanted, nodes);
  return nodes <= kHarmonicExactNodes ? nodes : kSamplesOfLargeGraphs;
}

}  // namespace

std::vector<double> in_degrees(const Snapshot& graph) {
  std::vector<double> degrees(graph.node_count());
  for (Node node = 0; node < graph.node_count(); ++node) degrees[node] = graph.in_degree(node);
  return degrees;
}

std::vector<double> out_degrees(const Snapshot& graph) {
  std::vector<double> degrees(graph.node_count());
  for (Node node = 0; node < graph.node_count(); ++node) degrees[node] = graph.out_degree(node);
  return degrees;
}

HarmonicResult harmonic_centrality(const Snapshot& graph, const HarmonicOptions& options) {
  graph.prepare_predecessors(options.work);
  const Node nodes = graph.node_count();
  HarmonicResult result;
  result.samples = samples_for(nodes, options.samples);
  const std::vector<Node> sources = draw(nodes, result.samples, options.seed);
  HarmonicSearch search(graph, options.work);
  for (std::uint32_t first = 0; first < result.samples; first += kBatch) {
    options.work.check_cancelled();
    if (options.work.progress) {
      options.work.progress({"searching", first, result.samples, "nodes"});
    }
    const std::uint32_t count = std::min(kBatch, result.samples - first);
    search.search_from(std::span(sources).subspan(first, count));
  }
  result.scores = search.scores();
  if (result.samples == nodes) return result;
  const double scale = static_cast<double>(nodes) / result.samples;
  for (double& score : result.scores) score *= scale;
  result.error_bound = nodes * std::sqrt(std::log(2 / 0.05) / (2.0 * result.samples));
  return result;
}

}  // namespace webstrata
