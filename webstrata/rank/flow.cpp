// Tested by tests/rank/pagerank_test.cpp.

#include "webstrata/rank/flow.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// A border between lanes that cuts a tight cycle costs iterations: cnr-2000 takes 60 with one lane,
// 61 with four, 79 with eight (docs/decisions/008-pagerank-kernels.md).
constexpr std::uint64_t kLanesMax = 4;

}  // namespace

Flow::Flow(const Snapshot& graph, const PageRankOptions& options, Team& team)
    : graph_(graph),
      damping_(options.damping),
      gauss_seidel_(options.method == PageRankMethod::GaussSeidel) {
  if (!options.link_weights.empty()) weigh(options.link_weights);
  number_lanes(team);
}

// Turns the weights round, from the order of out-links to that of in-links.
void Flow::weigh(std::span<const double> link_weights) {
  const Node count = graph_.node_count();
  in_starts_.assign(count + std::size_t{1}, 0);
  for (Node node = 0; node < count; ++node) {
    in_starts_[node + std::size_t{1}] = in_starts_[node] + graph_.in_degree(node);
  }
  std::vector<std::uint64_t> next(in_starts_.begin(), in_starts_.end() - 1);
  in_weights_.resize(link_weights.size());
  out_weights_.assign(count, 0);
  for (Node node = 0; node < count; ++node) {
    const double* weight = link_weights.data() + graph_.first_link(node);
    for (const Node target : graph_.successors(node)) {
      out_weights_[node] += *weight;
      in_weights_[next[target]++] = *weight++;
    }
  }
}

std::span<const double> Flow::in_weights(Node node) const noexcept {
  if (in_weights_.empty()) return {};
  return std::span(in_weights_).subspan(in_starts_[node], graph_.in_degree(node));
}

void Flow::number_lanes(Team& team) {
  constexpr std::uint64_t kLiveMax = std::uint64_t{1} << 31;
  const Parts parts = Parts::by_in_links(graph_, kLanesMax);
  std::vector<std::uint32_t> numbers(graph_.node_count());
  std::uint64_t live = 0;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Lane& lane = lanes_.emplace_back();
    lane.first_node = parts.first(part);
    lane.last_node = parts.last(part);
    lane.first = static_cast<std::uint32_t>(live);
    for (Node node = lane.first_node; node < lane.last_node; ++node) {
      numbers[node] = static_cast<std::uint32_t>(live);
      if (out_weight(node) > 0) ++live;
    }
  }
  if (live >= kLiveMax) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} nodes have links; PageRank takes fewer than {}: rank hosts or "
                            "domains instead",
                            live, kLiveMax));
  }
  live_count_ = static_cast<std::uint32_t>(live);
  team.each(lanes_.size(), [&](std::size_t i) { fill(lanes_[i], numbers); });
}

void Flow::fill(Lane& lane, const std::vector<std::uint32_t>& numbers) const {
  std::size_t links = 0, live = 0;
  each_live(lane, [&](Node node, std::uint32_t) { links += graph_.in_degree(node), ++live; });
  lane.ends.reserve(live);
  lane.factors.reserve(live);
  lane.sources.reserve(links);
  if (!in_weights_.empty()) lane.weights.reserve(links);
  each_live(lane, [&](Node node, std::uint32_t) {
    const auto weights = in_weights(node);
    double to_itself = 0;
    std::size_t place = 0;
    for (const Node source : graph_.predecessors(node)) {
      const double weight = weights.empty() ? 1 : weights[place++];
      if (gauss_seidel_ && source == node) {
        to_itself = weight;
        continue;
      }
      if (weight == 0) continue;
      const bool is_new = gauss_seidel_ && source >= lane.first_node && source < lane.last_node;
      lane.sources.push_back(numbers[source] + (is_new ? 0 : live_count_));
      if (!weights.empty()) lane.weights.push_back(weight);
    }
    lane.ends.push_back(static_cast<std::uint32_t>(lane.sources.size()));
    lane.factors.push_back(damping_ / (out_weight(node) - damping_ * to_itself));
  });
}

void Flow::release_links() {
  for (Lane& lane : lanes_) {
    lane.ends = {};
    lane.sources = {};
    lane.weights = {};
    lane.factors = {};
  }
}

}  // namespace webstrata
