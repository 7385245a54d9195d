// Pull, not push: a node gathers the shares of its predecessors and writes its own score only.
// Tested by tests/rank/pagerank_test.cpp.

#include "webstrata/rank/pagerank.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/checks.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

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
  if (!options.preference.empty()) {
    check_size("preference", options.preference.size(), graph.node_count(), "nodes");
    check_distribution("preference", options.preference);
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

std::vector<double> weight_sums(const Snapshot& graph, const PageRankOptions& options) {
  std::vector<double> sums(graph.node_count());
  for (Node node = 0; node < graph.node_count(); ++node) {
    for (std::uint64_t i = 0; i < graph.out_degree(node); ++i) {
      sums[node] +=
          options.link_weights.empty() ? 1 : options.link_weights[graph.first_link(node) + i];
    }
  }
  return sums;
}

}  // namespace

PageRankResult pagerank(const Snapshot& graph, const PageRankOptions& options) {
  check(graph, options);
  PageRankResult result;
  const Node count = graph.node_count();
  const double d = options.damping;
  const auto sums = weight_sums(graph, options);
  const auto preference = [&](Node node) {
    return options.preference.empty() ? 1.0 / count : options.preference[node];
  };
  result.scores.assign(count, count == 0 ? 0 : 1.0 / count);
  if (!options.start.empty()) result.scores.assign(options.start.begin(), options.start.end());
  while (result.iterations < options.iterations_max && !result.converged) {
    options.work.check_cancelled();
    std::vector<double> next(count);
    double stuck = 0;
    for (Node node = 0; node < count; ++node) {
      if (sums[node] == 0) stuck += result.scores[node];
      for (std::uint64_t i = 0; sums[node] > 0 && i < graph.out_degree(node); ++i) {
        const double weight =
            options.link_weights.empty() ? 1 : options.link_weights[graph.first_link(node) + i];
        next[graph.successors(node)[i]] += d * result.scores[node] * weight / sums[node];
      }
    }
    double change = 0;
    for (Node node = 0; node < count; ++node) {
      next[node] += (1 - d) * preference(node);
      if (options.dead_ends == DeadEnds::Uniform) next[node] += d * stuck / count;
      if (options.dead_ends == DeadEnds::Preference) next[node] += d * stuck * preference(node);
      change += std::abs(next[node] - result.scores[node]);
    }
    result.scores.swap(next);
    ++result.iterations;
    result.error_bound = d / (1 - d) * change;
    result.converged = result.error_bound <= options.tolerance;
  }
  return result;
}

}  // namespace webstrata
