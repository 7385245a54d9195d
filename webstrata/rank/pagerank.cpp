// SPDX-License-Identifier: Apache-2.0

// The mathematics in a few lines is tests/rank/slow_pagerank.h: the same scores as a dense system
// of equations. Read that first; this file and those that it uses are fast, and bound their error.
//
// Every PageRank is put together from solutions of the system in which the surfer is lost at dead
// ends (drop_solver.h). With Z(v) that solution for preference v, u uniform, and sums |·|:
//
//   Drop         y = Z(x)
//   Preference   y = Z(x) / |Z(x)|
//   Uniform      y = Z(x) + c · Z(u),  c = (1 − |Z(x)|) / |Z(u)|;  for x = u the line above
//
// because what dead ends hand on enters the equation just as a preference does, only its amount is
// not known; and that follows from the sum, which must be 1.
//
// The error. Put approximations z for Z, with residuals r (drop_solver.h). In the full equation y
// then has the residual R = r(x) + c · r(u) + e · w for some number e; y sums to 1 and the full
// equation keeps sums, so R sums to 0 and |e| ≤ |r(x) + c · r(u)|. Hence |R| ≤ 2 |r(x) + c · r(u)|,
// for Preference 2 |r(x)| / |z(x)|; and rows of the full matrix sum to 1, so the distance to the
// exact scores is at most |R| / (1 − d).
//
// Literature: Arasu et al. 2002 (Gauss-Seidel), Del Corso et al. 2005 and Boldi et al. 2007 (dead
// ends as a sparse system). Tested by tests/rank/pagerank_test.cpp, tests/rank/peers_test.py.

#include "webstrata/rank/pagerank.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/checks.h"
#include "webstrata/rank/drop_solver.h"
#include "webstrata/rank/ppr.h"

namespace webstrata {
namespace {

void check(const Snapshot& graph, const PageRankOptions& options) {
  if (!(options.damping >= 0 && options.damping < 1)) {
    refuse(fmt::format("damping {}: it must be at least 0 and below 1", options.damping));
  }
  if (!(options.tolerance > 0)) {
    refuse(fmt::format("tolerance {}: it must be above 0", options.tolerance));
  }
  if (options.iterations_max < 1) {
    refuse(fmt::format("iterations_max {}: it must be at least 1", options.iterations_max));
  }
  if (!options.link_weights.empty()) {
    check_size("link_weights", options.link_weights.size(), graph.link_count(), "links");
    check_values("link_weights", options.link_weights);
  }
  if (!options.start.empty()) {
    check_size("start", options.start.size(), graph.node_count(), "nodes");
    check_values("start", options.start);
  }
}

void check_preference(const Snapshot& graph, std::span<const double> preference) {
  check_size("preference", preference.size(), graph.node_count(), "nodes");
  check_distribution("preference", preference);
}

bool joins_uniform(const PageRankOptions& options, bool is_personal) {
  return options.dead_ends == DeadEnds::Uniform && is_personal;
}

// The bound on one column's scores, with the uniform column's state where there is one.
double bound(const PageRankOptions& options, const DropState& own, const DropState* uniform) {
  const double reach = 1 / (1 - options.damping);
  if (options.dead_ends == DeadEnds::Drop) return reach * own.residual;
  if (uniform == nullptr) {
    return own.sum_min > 0 ? 2 * reach * own.residual / own.sum_min : 2;
  }
  if (!(uniform->sum_min > 0)) return 2;
  const double missing = std::max(0.0, 1 - own.sum_min) / uniform->sum_min;
  return 2 * reach * (own.residual + missing * uniform->residual);
}

// The surfer that is lost in the drop system begins anew: y = z + c · other, or z / |z|.
void finish(const PageRankOptions& options, DropSolution& own, const DropSolution* uniform) {
  if (options.dead_ends == DeadEnds::Drop || own.scores.empty()) return;
  if (uniform == nullptr) {
    for (double& score : own.scores) score /= own.sum;
    return;
  }
  const double missing = (1 - own.sum) / uniform->sum;
  for (std::size_t i = 0; i < own.scores.size(); ++i) {
    own.scores[i] = std::max(0.0, own.scores[i] + missing * uniform->scores[i]);
  }
}

// Scores that sum to 1 become scores of the drop system: the sum S of those follows from what
// dead ends hold, d · dead = (1 − d)(1/S − 1).
double start_scale(const Snapshot& graph, const PageRankOptions& options, const Flow& flow) {
  if (options.start.empty() || options.dead_ends == DeadEnds::Drop) return 1;
  double all = 0, dead = 0;
  for (Node node = 0; node < graph.node_count(); ++node) {
    all += options.start[node];
    if (flow.out_weight(node) == 0) dead += options.start[node];
  }
  if (all == 0) return 1;
  const double d = options.damping;
  return (1 - d) / (1 - d + d * dead / all) / all;
}

// Without links to follow the surfer is where it jumped to; dead ends jump from there again.
PageRankResult only_jumps(const Snapshot& graph, std::span<const double> preference) {
  PageRankResult result;
  result.scores.assign(graph.node_count(), 1.0 / std::max<Node>(1, graph.node_count()));
  if (!preference.empty()) result.scores.assign(preference.begin(), preference.end());
  result.error_bound = 0;
  result.converged = true;
  return result;
}

// At most kColumnsMax − 1 preferences; an empty one means uniform.
std::vector<PageRankResult> rank_batch(const Snapshot& graph, const PageRankOptions& options,
                                       std::vector<std::span<const double>> preferences) {
  std::vector<PageRankResult> results;
  if (graph.node_count() == 0 || options.damping == 0) {
    for (const auto& preference : preferences) results.push_back(only_jumps(graph, preference));
    return results;
  }
  graph.prepare_predecessors(options.work);
  Team team(options.work, graph.link_count());
  Flow flow(graph, options, team);
  const std::size_t wanted = preferences.size();
  const bool has_uniform = joins_uniform(options, !preferences[0].empty());
  if (has_uniform) preferences.emplace_back();
  const auto bounds = [&](std::span<const DropState> states) {
    std::vector<double> found;
    for (std::size_t k = 0; k < wanted; ++k) {
      found.push_back(bound(options, states[k], has_uniform ? &states[wanted] : nullptr));
    }
    return found;
  };
  DropProblem problem;
  problem.preferences = preferences;
  problem.starts = {options.start};
  problem.starts.resize(preferences.size());
  problem.start_scale = start_scale(graph, options, flow);
  problem.is_enough = [&](std::span<const DropState> states) {
    const auto found = bounds(states);
    return *std::max_element(found.begin(), found.end()) <= options.tolerance;
  };
  DropSolutions solved = solve_drop(graph, options, problem, flow, team);
  std::vector<DropState> states;
  for (const DropSolution& column : solved.columns) states.push_back({column.residual, column.sum});
  const auto found = bounds(states);
  for (std::size_t k = 0; k < wanted; ++k) {
    finish(options, solved.columns[k], has_uniform ? &solved.columns[wanted] : nullptr);
    results.push_back({std::move(solved.columns[k].scores), found[k], solved.iterations,
                       found[k] <= options.tolerance});
  }
  return results;
}

}  // namespace

PageRankResult pagerank(const Snapshot& graph, const PageRankOptions& options) {
  check(graph, options);
  if (!options.preference.empty()) check_preference(graph, options.preference);
  return std::move(rank_batch(graph, options, {options.preference})[0]);
}

std::vector<std::vector<double>> personalised_pageranks(
    const Snapshot& graph, const std::vector<std::vector<double>>& preferences,
    const PageRankOptions& options) {
  check(graph, options);
  if (!options.preference.empty() || !options.start.empty()) {
    refuse(
        "personalised_pageranks takes its preferences as an argument, and no start: leave "
        "options.preference and options.start empty");
  }
  for (const auto& preference : preferences) check_preference(graph, preference);
  std::vector<std::vector<double>> all;
  const std::size_t batch = kColumnsMax - (options.dead_ends == DeadEnds::Uniform ? 1 : 0);
  for (std::size_t first = 0; first < preferences.size(); first += batch) {
    const std::size_t last = std::min(preferences.size(), first + batch);
    for (PageRankResult& result :
         rank_batch(graph, options,
                    {preferences.begin() + static_cast<std::ptrdiff_t>(first),
                     preferences.begin() + static_cast<std::ptrdiff_t>(last)})) {
      all.push_back(std::move(result.scores));
    }
  }
  return all;
}

}  // namespace webstrata
