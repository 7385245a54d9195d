// SPDX-License-Identifier: Apache-2.0

// The sum of the values of some nodes: the innermost loop of every score that flows along links.
//
// The order of additions depends on the list alone.

#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "webstrata/base/ids.h"

namespace webstrata {

// Four sums at once: an addition takes four cycles, and so none waits for the previous one.
inline double gather(std::span<const Node> nodes, const double* values) noexcept {
  const Node* node = nodes.data();
  const Node* const end = node + nodes.size();
  double a = 0, b = 0, c = 0, d = 0;
  for (; end - node >= 4; node += 4) {
    a += values[node[0]];
    b += values[node[1]];
    c += values[node[2]];
    d += values[node[3]];
  }
  for (; node != end; ++node) a += values[*node];
  return (a + b) + (c + d);
}

// The same for K values per node, stored next to each other.
template <std::size_t K>
std::array<double, K> gather_columns(std::span<const Node> nodes, const double* values) noexcept {
  if constexpr (K == 1) return {gather(nodes, values)};
  std::array<double, K> sums = {};
  for (const Node node : nodes) {
    const double* const row = values + std::size_t{node} * K;
    for (std::size_t k = 0; k < K; ++k) sums[k] += row[k];
  }
  return sums;
}

// The same with a weight for each of the nodes.
template <std::size_t K>
std::array<double, K> gather_weighted(std::span<const Node> nodes, const double* weights,
                                      const double* values) noexcept {
  std::array<double, K> sums = {};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double* const row = values + std::size_t{nodes[i]} * K;
    for (std::size_t k = 0; k < K; ++k) sums[k] += weights[i] * row[k];
  }
  return sums;
}

}  // namespace webstrata
