// SPDX-License-Identifier: Apache-2.0

// The links along which scores flow, laid out for many sweeps.
//
// Only live nodes take part: those with links of positive weight. A dead end passes nothing on, so
// its score is computed at the end. Live nodes are renumbered without gaps, and a sweep works on
// their *shares*: what a node passes to each of its links, per unit of weight. Self-links are left
// out and solved for exactly: they alone would double the iterations.
//
// The nodes are cut into lanes by the graph alone, and a sweep has kPhases phases: lane i is swept
// in phase i mod kPhases. A node sees the new shares of the nodes before it in its own lane and of
// all that were swept in earlier phases (Gauss-Seidel), and of all others those of the previous
// sweep. So the lanes of a phase can be swept at the same time, by any number of threads, with
// bit-identical results. Shares are in one array: first those of all live nodes, then copies, made
// before each sweep, of those that other lanes of the same phase read. Such a source has the place
// of its copy, so the inner loop has no branch. Inside a lane the nodes are swept in the order of
// row_order.h.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/graph/snapshot.h"
#include "webstrata/rank/pagerank.h"
#include "webstrata/rank/team.h"

namespace webstrata {

inline constexpr std::size_t kPhases = 2;

// Consecutive rows with the same number of sources.
struct RowRun {
  std::uint32_t sources = 0;  // of each row
  std::uint32_t rows = 0;
};

struct Lane {
  Node first_node = 0, last_node = 0;           // all nodes of the graph in [first_node, last_node)
  std::uint32_t first = 0;                      // number of its first live node
  std::uint32_t first_copy = 0, last_copy = 0;  // its part of Flow::copied()
  std::vector<std::uint32_t> rows;              // numbers of its live nodes, as they are swept
  std::vector<RowRun> runs;                     // how many sources each row has
  std::vector<std::uint32_t> sources;           // places in the array of shares
  std::vector<double> weights;                  // one per source; empty: 1 each
  std::vector<double> factors;                  // one per row: share = factor · inflow

  [[nodiscard]] std::uint32_t live_count() const noexcept {
    return static_cast<std::uint32_t>(rows.size());
  }
};

class Flow {
 public:
  // Throws Error(BadInput) above 2^31 live nodes.
  Flow(const Snapshot& graph, const PageRankOptions& options, Team& team);

  [[nodiscard]] std::uint32_t live_count() const noexcept { return live_count_; }
  [[nodiscard]] const std::vector<Lane>& lanes() const noexcept { return lanes_; }
  // Numbers of the live nodes that have copies, ascending: copy i is at live_count() + i.
  [[nodiscard]] const std::vector<std::uint32_t>& copied() const noexcept { return copied_; }
  // The weight of all links of `node`; 0 for dead ends.
  [[nodiscard]] double out_weight(Node node) const noexcept {
    return out_weights_.empty() ? graph_.out_degree(node) : out_weights_[node];
  }
  // Weights of the links into `node`, in the order of its predecessors; empty: 1 each.
  [[nodiscard]] std::span<const double> in_weights(Node node) const noexcept;

  // Calls visit(node, number) for the live nodes of a lane, in order.
  template <typename Visit>
  void each_live(const Lane& lane, Visit visit) const {
    std::uint32_t number = lane.first;
    for (Node node = lane.first_node; node < lane.last_node; ++node) {
      if (out_weight(node) > 0) visit(node, number++);
    }
  }
  // Releases the memory of the links; out_weight, in_weights and the borders of lanes stay.
  void release_links();

 private:
  void weigh(std::span<const double> link_weights);
  void cut_lanes();
  std::vector<std::uint32_t> number_live();
  std::vector<std::uint32_t> number_copies(Team& team);
  void mark_copied(std::size_t lane, std::vector<std::uint8_t>& is_copied) const;
  void order_rows(Lane& lane, std::span<const Node> nodes) const;
  template <bool kWeighted>
  void fill(std::size_t index, const std::vector<std::uint32_t>& numbers,
            const std::vector<std::uint32_t>& copies);
  [[nodiscard]] std::uint32_t source_count(Node node) const;
  // Whether nodes of `lane` see `source` as it was before the sweep.
  [[nodiscard]] bool reads_copy(std::size_t lane, Node source) const noexcept {
    const std::size_t other = lane_of_[source];
    return !gauss_seidel_ || (other != lane && other % kPhases == lane % kPhases);
  }

  const Snapshot& graph_;
  double damping_;
  bool gauss_seidel_;
  std::uint32_t live_count_ = 0;
  std::vector<Lane> lanes_;
  std::vector<std::uint8_t> lane_of_;  // one per node, while the links are laid out
  std::vector<std::uint32_t> copied_;
  std::vector<double> out_weights_;       // one per node; empty without weights
  std::vector<std::uint64_t> in_starts_;  // with weights only: where the in-links of a node begin
  std::vector<double> in_weights_;        // with weights only: in the order of in-links
};

}  // namespace webstrata
