// SPDX-License-Identifier: Apache-2.0

// Personalised PageRank for several preferences at once, and for one that grows.
//
//   const auto scores =
//       personalised_pageranks(graph, {alive, dead}, {.dead_ends = DeadEnds::Drop});
//
//   PushPageRank around(graph);
//   around.add(home);                    // and later, for next to nothing:
//   around.add(another);
//   around.scores()[node];               // within around.residual() of the exact ones in all

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "webstrata/graph/snapshot.h"
#include "webstrata/rank/pagerank.h"

namespace webstrata {

// pagerank() for each of `preferences`; a pass over the graph serves seven or eight of them.
// options.preference and options.start must be empty; options.tolerance holds for each. Memory:
// four to five doubles per node and preference of a pass. Throws Error(BadInput).
std::vector<std::vector<double>> personalised_pageranks(
    const Snapshot& graph, const std::vector<std::vector<double>>& preferences,
    const PageRankOptions& options = {});

struct PushOptions {
  double damping = 0.85;  // in [0, 1)
  // A node passes on what it holds once that is above epsilon times the number of its links, or
  // epsilon if it has none. A smaller value is more accurate and more work, about 1 / (epsilon · (1
  // − damping)) link visits per unit added, whatever the size of the graph.
  double epsilon = 1e-7;
  std::span<const double> link_weights = {};  // as in PageRankOptions; must outlive the object
};

// Personalised PageRank of a growing set of sources (Andersen, Chung and Lang 2006), with dead ends
// that drop the surfer: scores are the sum, over all sources added, of amount · Z(source).
//
// A source first *holds* its amount. A node that holds something keeps the share 1 − damping of it
// as score and passes the rest to its links. What is still held is what the scores lack: by
// linearity the exact scores are scores + Σ held(v) · Z(v), and no Z sums to more than 1.
class PushPageRank {
 public:
  // Keeps a reference only to options.link_weights; the graph is shared. Throws Error(BadInput) if
  // an option is out of range.
  explicit PushPageRank(Snapshot graph, const PushOptions& options = {});

  // Throws Error(BadInput) if `source` is not a node, or `amount` not a positive number.
  void add(Node source, double amount = 1);

  // One per node, never above the exact ones.
  [[nodiscard]] const std::vector<double>& scores() const noexcept { return scores_; }
  // The L1 distance to the exact scores is no larger.
  [[nodiscard]] double residual() const;
  // Links visited so far.
  [[nodiscard]] std::uint64_t link_visits() const noexcept { return link_visits_; }

 private:
  void hold(Node node, double amount);
  void push(Node node);
  [[nodiscard]] double out_weight(Node node) const;

  Snapshot graph_;
  PushOptions options_;
  std::vector<double> scores_;
  std::vector<double> held_;
  std::vector<std::uint8_t> is_waiting_;
  std::deque<Node> waiting_;
  std::uint64_t link_visits_ = 0;
};

}  // namespace webstrata
