// SPDX-License-Identifier: Apache-2.0

// Tested by tests/rank/freshness_test.cpp.

#include "webstrata/rank/freshness.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::optional<Time> freshest(const Column<Time>& seen, std::uint64_t first, std::uint64_t last) {
  std::optional<Time> newest;
  for (std::uint64_t link = first; link < last; ++link) {
    if (seen[link] && (!newest || *seen[link] > *newest)) newest = seen[link];
  }
  return newest;
}

}  // namespace

std::vector<double> freshness_weights(const Snapshot& graph, double tau_seconds) {
  if (!(tau_seconds > 0)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("freshness of {} seconds: it must be above 0", tau_seconds));
  }
  std::vector<double> weights(graph.link_count(), 1);
  const Column<Time>& seen = graph.link_columns().last_seen;
  for (Node node = 0; node < graph.node_count(); ++node) {
    const std::uint64_t first = graph.first_link(node);
    const std::uint64_t last = first + graph.out_degree(node);
    const std::optional<Time> newest = freshest(seen, first, last);
    if (!newest) continue;
    double sum = 0;
    std::uint64_t known = 0;
    for (std::uint64_t link = first; link < last; ++link) {
      if (!seen[link]) continue;
      weights[link] = std::exp(-static_cast<double>(*newest - *seen[link]) / tau_seconds);
      sum += weights[link];
      ++known;
    }
    for (std::uint64_t link = first; link < last; ++link) {
      if (!seen[link]) weights[link] = sum / static_cast<double>(known);
    }
  }
  return weights;
}

}  // namespace webstrata
