// SPDX-License-Identifier: Apache-2.0

// Solves z = d · z A + (1 − d) · x for several preferences x at once: PageRank whose surfer is
// lost at dead ends. Every other PageRank is composed of such solutions (pagerank.cpp).
//
// How far z is from the exact Z. Let r = d · z A + (1 − d) · x − z be the residual. Then
// Z − z = r (I − dA)⁻¹ = Σ_k r (dA)^k, and as rows of A sum to at most 1,
//
//   |Z − z| ≤ |r| / (1 − d)          (all norms L1)
//
// A sweep recomputes every node once, from values of its predecessors of either this sweep or the
// previous one. Afterwards r differs from 0 only by the predecessors that changed after they were
// read. If all changed by Δ, that is |r| ≤ d · |Δ|, in whatever order nodes were swept, by
// Gauss-Seidel, by lanes or by power iteration; dead ends pass nothing on and do not count in Δ. So
// each sweep gives its own bound at no cost, wherever it began: a guess (extrapolation.h) after
// every fifth sweep of Gauss-Seidel need not be right. The bound does not include rounding (about
// 1e-15).

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/rank/flow.h"
#include "webstrata/rank/pagerank.h"
#include "webstrata/rank/team.h"

namespace webstrata {

// What is known about one preference after a sweep.
struct DropState {
  double residual = 2;  // |r| is no larger
  double sum_min = 0;   // the scores sum to at least this
};

struct DropProblem {
  // An empty preference means uniform. At most kColumnsMax of them.
  std::vector<std::span<const double>> preferences;
  // Scores to begin with, for each preference; empty: the preference.
  std::vector<std::span<const double>> starts = {};
  double start_scale = 1;  // the starts are multiplied by this
  // Checked after each sweep.
  std::function<bool(std::span<const DropState>)> is_enough;
};

struct DropSolution {
  std::vector<double> scores;
  double sum = 0;
  double residual = 2;
};

struct DropSolutions {
  std::vector<DropSolution> columns;
  int iterations = 0;
};

inline constexpr std::size_t kColumnsMax = 8;

// Of `options` it uses damping (above 0), iterations_max, method and link_weights.
DropSolutions solve_drop(const Snapshot& graph, const PageRankOptions& options,
                         const DropProblem& problem, Flow& flow, Team& team);

}  // namespace webstrata
