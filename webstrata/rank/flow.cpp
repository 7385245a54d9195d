// SPDX-License-Identifier: Apache-2.0

// Builds the layout that flow.h describes, once per graph; many sweeps then read it in order.
//
//   1. weigh       weights come in the order of out-links; sweeps need that of in-links
//   2. cut lanes   at most 16 ranges of nodes with about equal work, by the graph alone
//   3. number      live nodes get numbers without gaps, in the order of nodes
//   4. copies      find the nodes that are read by another lane of the same phase; each gets a
// copy   5. fill        for each lane, the places of all sources of its rows, row after row
//
// Why copies. Two lanes of the same phase run at the same time. If one read what the other writes,
// the result would depend on the timing. With a copy made before the sweep it reads the value of
// the sweep before, always. Lanes of other phases are not running, so their shares are read
// directly. Because web pages link mostly to their own host, and a host is a range of nodes, few
// nodes need a copy. Power iteration is the same layout with a copy of every node that is read.
//
// Invariants: a place is below live_count() + copied().size(); `rows`, `factors` and, by their
// runs, `sources` of a lane have the same order; sources of a row keep the order of the graph, so
// sums are added in the same order in every build.
//
// Memory is 4 bytes per link between live nodes, and 8 more with weights; the solver releases it
// before it writes the scores.
// Tested by tests/rank/pagerank_test.cpp.

#include "webstrata/rank/flow.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/row_order.h"

namespace webstrata {
namespace {

// Half as many threads can work in each phase. More lanes cost no iterations on web graphs
// (docs/decisions/008-pagerank-kernels.md).
constexpr std::uint64_t kLanesMax = 16;
constexpr std::uint64_t kLaneCostMin = std::uint64_t{1} << 14;

}  // namespace

Flow::Flow(const Snapshot& graph, const PageRankOptions& options, Team& team)
    : graph_(graph),
      damping_(options.damping),
      gauss_seidel_(options.method == PageRankMethod::GaussSeidel) {
  if (!options.link_weights.empty()) weigh(options.link_weights);
  cut_lanes();
  const std::vector<std::uint32_t> numbers = number_live();
  const std::vector<std::uint32_t> copies = number_copies(team);
  team.each(lanes_.size(), [&](std::size_t i) {
    in_weights_.empty() ? fill<false>(i, numbers, copies) : fill<true>(i, numbers, copies);
  });
  lane_of_ = {};
}

// Transposes the weights, from the order of out-links to that of in-links.
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

// Lanes of about equal work: measured, a row takes as long as kRowCost links.
void Flow::cut_lanes() {
  constexpr std::uint64_t kRowCost = 8;
  const auto cost = [&](Node node) {
    return out_weight(node) > 0 ? kRowCost + graph_.in_degree(node) : 1;
  };
  std::uint64_t total = 0, done = 0;
  for (Node node = 0; node < graph_.node_count(); ++node) total += cost(node);
  const std::uint64_t count = std::clamp<std::uint64_t>(total / kLaneCostMin, 1, kLanesMax);
  lanes_.resize(count);
  std::size_t lane = 0;
  lane_of_.resize(graph_.node_count());
  for (Node node = 0; node < graph_.node_count(); ++node) {
    done += cost(node);
    lane_of_[node] = static_cast<std::uint8_t>(lane);
    lanes_[lane].last_node = node + 1;
    if (done * count >= total * (lane + 1) && lane + 1 < count) {
      lanes_[++lane].first_node = node + 1;
      lanes_[lane].last_node = node + 1;
    }
  }
}

// The number of each live node; of the next one after a dead end.
std::vector<std::uint32_t> Flow::number_live() {
  constexpr std::uint64_t kLiveMax = std::uint64_t{1} << 31;
  std::vector<std::uint32_t> numbers(graph_.node_count());
  std::uint64_t live = 0;
  for (Lane& lane : lanes_) {
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
  return numbers;
}

// Lists are ascending: sources in other lanes are at both ends.
void Flow::mark_copied(std::size_t lane, std::vector<std::uint8_t>& is_copied) const {
  const Node first_node = lanes_[lane].first_node, last_node = lanes_[lane].last_node;
  const auto mark = [&](Node node) {
    if (reads_copy(lane, node)) {
      std::atomic_ref(is_copied[node]).store(1, std::memory_order_relaxed);
    }
  };
  for (Node node = first_node; node < last_node; ++node) {
    if (out_weight(node) == 0) continue;
    if (!gauss_seidel_) mark(node);
    const auto sources = graph_.predecessors(node);
    auto first = sources.begin(), last = sources.end();
    while (first != last && *first < first_node) mark(*first++);
    while (first != last && *(last - 1) >= last_node) mark(*--last);
  }
}

// The place of the copy of each node that has one.
std::vector<std::uint32_t> Flow::number_copies(Team& team) {
  std::vector<std::uint8_t> is_copied(graph_.node_count());
  team.each(lanes_.size(), [&](std::size_t i) { mark_copied(i, is_copied); });
  std::vector<std::uint32_t> copies(graph_.node_count());
  for (Lane& lane : lanes_) {
    lane.first_copy = static_cast<std::uint32_t>(copied_.size());
    each_live(lane, [&](Node node, std::uint32_t number) {
      if (is_copied[node] == 0) return;
      copies[node] = live_count_ + static_cast<std::uint32_t>(copied_.size());
      copied_.push_back(number);
    });
    lane.last_copy = static_cast<std::uint32_t>(copied_.size());
  }
  copied_.shrink_to_fit();
  return copies;
}

// The links into `node` that a sweep follows.
std::uint32_t Flow::source_count(Node node) const {
  const auto sources = graph_.predecessors(node);
  const auto weights = in_weights(node);
  const bool skips_itself = gauss_seidel_ && std::ranges::binary_search(sources, node);
  if (weights.empty()) return static_cast<std::uint32_t>(sources.size()) - (skips_itself ? 1 : 0);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (weights[i] > 0 && !(skips_itself && sources[i] == node)) ++count;
  }
  return count;
}

void Flow::order_rows(Lane& lane, std::span<const Node> nodes) const {
  std::vector<std::uint32_t> counts(nodes.size());
  std::ranges::transform(nodes, counts.begin(), [&](Node node) { return source_count(node); });
  const auto count_of = [&](std::uint32_t number) { return counts[number - lane.first]; };
  lane.rows.resize(nodes.size());
  order_by_length(lane.first, lane.rows, count_of);
  for (const std::uint32_t row : lane.rows) {
    if (lane.runs.empty() || lane.runs.back().sources != count_of(row)) {
      lane.runs.push_back({count_of(row), 0});
    }
    ++lane.runs.back().rows;
  }
  lane.runs.shrink_to_fit();
}

template <bool kWeighted>
void Flow::fill(std::size_t index, const std::vector<std::uint32_t>& numbers,
                const std::vector<std::uint32_t>& copies) {
  Lane& lane = lanes_[index];
  std::vector<Node> nodes;
  each_live(lane, [&](Node node, std::uint32_t) { nodes.push_back(node); });
  order_rows(lane, nodes);
  std::size_t links = 0;
  for (const RowRun& run : lane.runs) links += std::size_t{run.sources} * run.rows;
  lane.factors.reserve(lane.rows.size());
  lane.sources.resize(links);
  if (kWeighted) lane.weights.resize(links);
  std::size_t count = 0;
  for (const std::uint32_t row : lane.rows) {
    const Node node = nodes[row - lane.first];
    const double* weights = in_weights(node).data();
    double to_itself = 0;
    for (const Node source : graph_.predecessors(node)) {
      const double weight = kWeighted ? *weights++ : 1;
      if (gauss_seidel_ && source == node) {
        to_itself = weight;
        continue;
      }
      if (kWeighted && weight == 0) continue;
      const bool is_near = source - lane.first_node < lane.last_node - lane.first_node;
      const bool is_direct = (gauss_seidel_ && is_near) || !reads_copy(index, source);
      lane.sources[count] = is_direct ? numbers[source] : copies[source];
      if (kWeighted) lane.weights[count] = weight;
      ++count;
    }
    lane.factors.push_back(damping_ / (out_weight(node) - damping_ * to_itself));
  }
}

void Flow::release_links() {
  for (Lane& lane : lanes_) {
    lane.rows = {};
    lane.runs = {};
    lane.sources = {};
    lane.weights = {};
    lane.factors = {};
  }
}

}  // namespace webstrata
