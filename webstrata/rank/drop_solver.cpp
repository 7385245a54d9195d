// SPDX-License-Identifier: Apache-2.0

// The sweeps. drop_solver.h has the equation and the proof of the bound, flow.h the layout of
// nodes and links; tests/rank/slow_pagerank.h is the same mathematics in a few lines.
//
// What is stored for a node is its share, d · score / out_weight: what it hands to each of its
// links. So the inner loop only adds: the inflow of a node is the sum of the shares of its
// predecessors, and its new share is `factor` times (inflow + jump). With Gauss-Seidel the factor
// also solves for links of a node to itself, which are not in the lists then.
//
// Several preferences are solved at once: K columns are stored next to each other, so that a link
// is followed once and K values are added with one vector instruction. K is a template argument
// (1, 2, 4 or 8), because the compiler must know it to keep the sums in registers.
//
// Determinism. The order of additions depends on the graph alone: lanes are cut by the graph, a
// lane is swept by one thread, lanes of one phase do not read what the others write (they read
// copies), and sums over lanes are added in the order of lanes. So the bits are the same for any
// number of threads.
//
// Gauss-Seidel uses new values at once and needs about half the sweeps of power iteration. After
// every fifth sweep the changes of these five are combined into a guess of the limit
// (extrapolation.h). A guess cannot spoil the result: the bound after the next sweep counts what
// that sweep changed, wherever it started. Changes are kept as short floats, because they only
// serve the guess.
//
// Dead ends take no part in the sweeps. Their scores are gathered once at the end.
//
// Literature: Arasu et al. 2002 (Gauss-Seidel for PageRank); extrapolation.h has that of the
// guess. docs/decisions/008-pagerank-kernels.md has the measurements.
// Tested by tests/rank/pagerank_test.cpp and tests/rank/ppr_test.cpp.

#include "webstrata/rank/drop_solver.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "webstrata/rank/extrapolation.h"
#include "webstrata/rank/gather.h"

namespace webstrata {
namespace {

// What a sweep over a lane found, per column.
template <std::size_t K>
struct LaneSums {
  std::array<double, K> change = {};  // of the inflow of live nodes
  std::array<double, K> inflow = {};
};

template <std::size_t K>
class DropSolver {
  using Changes = Extrapolation<4>;

 public:
  DropSolver(const Snapshot& graph, const PageRankOptions& options, const DropProblem& problem,
             Flow& flow, Team& team)
      : graph_(graph),
        options_(options),
        problem_(problem),
        flow_(flow),
        team_(team),
        uniform_(graph.node_count() == 0 ? 0 : 1.0 / graph.node_count()),
        same_jump_((1 - options.damping) * uniform_),
        shares_((std::size_t{flow.live_count()} + flow.copied().size()) * K),
        changes_(is_accelerated() ? std::size_t{flow.live_count()} * K : 0),
        sums_(flow.lanes().size()) {}

  DropSolutions run() {
    start();
    DropSolutions solved;
    std::vector<DropState> states(columns());
    for (bool is_enough = false; !is_enough && solved.iterations < options_.iterations_max;) {
      team_.tell("pagerank", solved.iterations, options_.iterations_max);
      sweep();
      ++solved.iterations;
      for (std::size_t k = 0; k < columns(); ++k) states[k] = state(k);
      is_enough = problem_.is_enough(states);
      if (!is_enough) prepare_next();
    }
    jumps_ = {};
    changes_ = Changes(0);
    flow_.release_links();
    for (std::size_t k = 0; k < columns(); ++k) {
      solved.columns.push_back({scores(k), 0, states[k].residual});
      solved.columns.back().sum = sum(solved.columns.back().scores);
    }
    return solved;
  }

 private:
  [[nodiscard]] std::size_t columns() const { return problem_.preferences.size(); }
  [[nodiscard]] double preference(Node node, std::size_t k) const {
    return problem_.preferences[k].empty() ? uniform_ : problem_.preferences[k][node];
  }
  [[nodiscard]] double jump(Node node, std::size_t k) const {
    return (1 - options_.damping) * preference(node, k);
  }
  // Power iteration is not extrapolated.
  [[nodiscard]] bool is_accelerated() const {
    return options_.method == PageRankMethod::GaussSeidel;
  }
  [[nodiscard]] bool is_uniform() const { return K == 1 && problem_.preferences[0].empty(); }

  void start() {
    if (!is_uniform()) jumps_.assign(std::size_t{flow_.live_count()} * K, 0);
    team_.each(flow_.lanes().size(), [&](std::size_t i) {
      flow_.each_live(flow_.lanes()[i], [&](Node node, std::uint32_t number) {
        const double factor = options_.damping / flow_.out_weight(node);
        for (std::size_t k = 0; k < columns(); ++k) {
          const bool is_cold = problem_.starts.empty() || problem_.starts[k].empty();
          const double score =
              is_cold ? preference(node, k) : problem_.start_scale * problem_.starts[k][node];
          shares_[std::size_t{number} * K + k] = factor * score;
          if (!jumps_.empty()) jumps_[std::size_t{number} * K + k] = jump(node, k);
        }
      });
    });
    copy_shares();
  }

  // The values that other lanes see in the next sweep.
  void copy_shares() {
    const std::uint32_t* const copied = flow_.copied().data();
    double* const copies = shares_.data() + std::size_t{flow_.live_count()} * K;
    each_lane([&](const Lane& lane) {
      for (std::size_t i = lane.first_copy; i < lane.last_copy; ++i) {
        std::copy_n(shares_.data() + std::size_t{copied[i]} * K, K, copies + i * K);
      }
    });
  }

  void sweep() {
    next_changes_ = is_accelerated() ? changes_.next() : nullptr;
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      const std::size_t count = (flow_.lanes().size() + kPhases - 1 - phase) / kPhases;
      team_.each(count, [&](std::size_t i) {
        const Lane& lane = flow_.lanes()[phase + i * kPhases];
        sums_[phase + i * kPhases] =
            lane.weights.empty() ? sweep_lane<false>(lane) : sweep_lane<true>(lane);
      });
    }
  }

  void prepare_next() {
    if (is_accelerated()) {
      changes_.advance();
      if (changes_.is_full()) extrapolate();
    }
    copy_shares();
  }

  // Scores are never negative, so clamping a guess at 0 only improves it.
  void extrapolate() {
    std::array<Changes::Weights, K> weights;
    for (std::size_t k = 0; k < K; ++k) weights[k] = Changes::weights(gram(k));
    each_lane([&](const Lane& lane) {
      for (std::size_t i = 0; i < lane.live_count(); ++i) {
        for (std::size_t k = 0; k < K; ++k) {
          const std::size_t place = std::size_t{lane.rows[i]} * K + k;
          const double ahead = lane.factors[i] * changes_.step(place, weights[k]);
          shares_[place] = std::max(0.0, shares_[place] - ahead);
        }
      }
    });
    changes_.clear();
  }

  Changes::Gram gram(std::size_t k) {
    std::vector<Changes::Gram> parts(flow_.lanes().size());
    team_.each(parts.size(), [&](std::size_t i) {
      const Lane& lane = flow_.lanes()[i];
      const std::size_t first = std::size_t{lane.first} * K;
      parts[i] = changes_.gram(first + k, first + std::size_t{lane.live_count()} * K, K);
    });
    Changes::Gram all;
    for (const auto& part : parts) all += part;
    return all;
  }

  template <bool kWeighted>
  LaneSums<K> sweep_lane(const Lane& lane) {
    LaneSums<K> sums;
    const std::uint32_t* row = lane.rows.data();
    const double* factor = lane.factors.data();
    std::size_t begin = 0;
    for (const RowRun& run : lane.runs) {
      for (std::uint32_t i = 0; i < run.rows; ++i, begin += run.sources) {
        const std::span sources(lane.sources.data() + begin, run.sources);
        if constexpr (kWeighted) {
          const double* const weights = lane.weights.data() + begin;
          take(*row++, *factor++, gather_weighted<K>(sources, weights, shares_.data()), sums);
        } else {
          take(*row++, *factor++, gather_columns<K>(sources, shares_.data()), sums);
        }
      }
    }
    return sums;
  }

  // The node with this number has a new inflow, jumps not yet counted.
  void take(std::uint32_t number, double factor, std::array<double, K> inflow, LaneSums<K>& sums) {
    double* const own = shares_.data() + std::size_t{number} * K;
    for (std::size_t k = 0; k < K; ++k) {
      const std::size_t place = std::size_t{number} * K + k;
      inflow[k] += jumps_.empty() ? same_jump_ : jumps_[place];
      const double share = factor * inflow[k];
      const double change = (share - own[k]) / factor;
      if (next_changes_ != nullptr) next_changes_[place] = ShortFloat(change);
      sums.change[k] += std::abs(change);
      sums.inflow[k] += inflow[k];
      own[k] = share;
    }
  }

  // Inflow is the score except for self-links, so both sums err on the safe side: a change of
  // inflow by c changes what the node passes to others by at most d · c, and all that is passed on
  // or jumped to is (1 − d) + d · (scores of live nodes) = sum of all scores + sum of r.
  [[nodiscard]] DropState state(std::size_t k) const {
    double change = 0, inflow = 0;
    for (const LaneSums<K>& lane : sums_) change += lane.change[k], inflow += lane.inflow[k];
    const double residual = options_.damping * change;
    return {residual, 1 - options_.damping + options_.damping * inflow - residual};
  }

  // Live nodes: score = share · out_weight / damping. Dead ends gather what is passed to them. Both
  // use one array, which first holds shares; nothing gathers from a dead end.
  std::vector<double> scores(std::size_t k) {
    std::vector<double> all(graph_.node_count());
    each_lane([&](const Lane& lane) {
      flow_.each_live(lane, [&](Node node, std::uint32_t number) {
        all[node] = shares_[std::size_t{number} * K + k];
      });
    });
    each_lane([&](const Lane& lane) {
      for (Node node = lane.first_node; node < lane.last_node; ++node) {
        if (flow_.out_weight(node) == 0) all[node] = jump(node, k) + handed_to(node, all);
      }
    });
    each_lane([&](const Lane& lane) {
      flow_.each_live(lane, [&](Node node, std::uint32_t) {
        // Pages without links to them have one score. From its share, the last bits would depend on
        // the number of its own links, and equal pages would no longer be in the order of nodes.
        const bool is_linked_to = graph_.in_degree(node) > 0;
        all[node] =
            is_linked_to ? all[node] * (flow_.out_weight(node) / options_.damping) : jump(node, k);
      });
    });
    return all;
  }

  // A predecessor that is a dead end has only weights of 0.
  double handed_to(Node node, const std::vector<double>& shares) const {
    const auto weights = flow_.in_weights(node);
    if (weights.empty()) return gather(graph_.predecessors(node), shares.data());
    double sum = 0;
    std::size_t place = 0;
    for (const Node source : graph_.predecessors(node)) {
      const double weight = weights[place++];
      if (weight > 0) sum += weight * shares[source];
    }
    return sum;
  }

  template <typename Task>
  void each_lane(const Task& task) {
    team_.each(flow_.lanes().size(), [&](std::size_t i) { task(flow_.lanes()[i]); });
  }

  double sum(const std::vector<double>& all) {
    return team_.sum(Parts::by_in_links(graph_), [&](Node first, Node last) {
      double part = 0;
      for (Node node = first; node < last; ++node) part += all[node];
      return part;
    });
  }

  const Snapshot& graph_;
  const PageRankOptions& options_;
  const DropProblem& problem_;
  Flow& flow_;
  Team& team_;
  double uniform_;
  double same_jump_;                    // where preferences are uniform
  std::vector<double> shares_;          // K per live node, then K per copy
  Changes changes_;                     // of the inflow, K per live node
  ShortFloat* next_changes_ = nullptr;  // of this sweep; null: not needed
  std::vector<double> jumps_;  // K per live node; empty if there is one column and it is uniform
  std::vector<LaneSums<K>> sums_;
};

}  // namespace

DropSolutions solve_drop(const Snapshot& graph, const PageRankOptions& options,
                         const DropProblem& problem, Flow& flow, Team& team) {
  const std::size_t columns = problem.preferences.size();
  assert(columns >= 1 && columns <= kColumnsMax && options.damping > 0);
  if (columns == 1) return DropSolver<1>(graph, options, problem, flow, team).run();
  if (columns == 2) return DropSolver<2>(graph, options, problem, flow, team).run();
  if (columns <= 4) return DropSolver<4>(graph, options, problem, flow, team).run();
  return DropSolver<8>(graph, options, problem, flow, team).run();
}

}  // namespace webstrata
