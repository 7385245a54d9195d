// SPDX-License-Identifier: Apache-2.0

// PageRank as a dense system of equations, solved by elimination: slow, and independent of ours.

#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "webstrata/rank/pagerank.h"

namespace webstrata {

// Solves matrix · x = right, with pivots.
inline std::vector<double> solve_dense(std::vector<std::vector<double>> matrix,
                                       std::vector<double> right) {
  const std::size_t n = right.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < n; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    std::swap(matrix[column], matrix[pivot]);
    std::swap(right[column], right[pivot]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = matrix[row][column] / matrix[column][column];
      if (factor == 0) continue;
      for (std::size_t k = column; k < n; ++k) matrix[row][k] -= factor * matrix[column][k];
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) right[row] -= matrix[row][k] * right[k];
    right[row] /= matrix[row][row];
  }
  return right;
}

// The equation in the head of pagerank.h, written out.
inline std::vector<double> slow_pagerank(const Snapshot& graph, const PageRankOptions& options) {
  const Node n = graph.node_count();
  const double d = options.damping;
  const auto preference = [&](Node node) {
    return options.preference.empty() ? 1.0 / n : options.preference[node];
  };
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n));
  std::vector<double> right(n);
  for (Node node = 0; node < n; ++node) {
    matrix[node][node] += 1;
    right[node] = (1 - d) * preference(node);
    double sum = 0;
    const auto weight = [&](std::uint64_t i) {
      return options.link_weights.empty() ? 1 : options.link_weights[graph.first_link(node) + i];
    };
    for (std::uint64_t i = 0; i < graph.out_degree(node); ++i) sum += weight(i);
    for (std::uint64_t i = 0; sum > 0 && i < graph.out_degree(node); ++i) {
      matrix[graph.successors(node)[i]][node] -= d * weight(i) / sum;
    }
    if (sum > 0 || options.dead_ends == DeadEnds::Drop) continue;
    for (Node other = 0; other < n; ++other) {
      const bool is_uniform = options.dead_ends == DeadEnds::Uniform;
      matrix[other][node] -= d * (is_uniform ? 1.0 / n : preference(other));
    }
  }
  return solve_dense(std::move(matrix), std::move(right));
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

// A distribution with zeros in it.
template <typename Random>
std::vector<double> random_distribution(Random& random, std::size_t size) {
  std::vector<double> values(size);
  double sum = 0;
  for (double& value : values) sum += value = random.chance(0.5) ? random.unit() : 0;
  if (sum == 0) sum = values[0] = 1;
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace webstrata
