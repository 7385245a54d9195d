// SPDX-License-Identifier: Apache-2.0

// Tested by tests/rank/rankings_test.cpp and tests/cli/rank_test.py.

#include "webstrata/rank/rankings.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

RankingResult by_pagerank(const Snapshot& graph, const RankingOptions& options) {
  PageRankResult ranked = pagerank(graph, options.pagerank);
  return {std::move(ranked.scores), ranked.converged, ranked.error_bound, ranked.iterations};
}

RankingResult by_hubs(const Snapshot& graph, const RankingOptions& options) {
  HitsResult found = hits(graph, options.hits);
  return {std::move(found.hubs), found.converged, 0, found.iterations};
}

RankingResult by_authorities(const Snapshot& graph, const RankingOptions& options) {
  HitsResult found = hits(graph, options.hits);
  return {std::move(found.authorities), found.converged, 0, found.iterations};
}

RankingResult by_in_degree(const Snapshot& graph, const RankingOptions&) {
  return {in_degrees(graph)};
}

RankingResult by_out_degree(const Snapshot& graph, const RankingOptions&) {
  return {out_degrees(graph)};
}

RankingResult by_harmonic(const Snapshot& graph, const RankingOptions& options) {
  if (options.registers > 0) {
    HyperBallResult found = hyperball(graph, {.registers = options.registers,
                                              .seed = options.harmonic.seed,
                                              .work = options.harmonic.work});
    return {std::move(found.scores), true, 0, found.passes, found.standard_error};
  }
  HarmonicResult found = harmonic_centrality(graph, options.harmonic);
  return {std::move(found.scores), true, found.error_bound, 0};
}

// Higher scores first, equal ones by number.
bool stands_before(const std::vector<double>& scores, Node a, Node b) {
  return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
}

}  // namespace

const std::vector<Ranking>& rankings() {
  static const std::vector<Ranking> all = {
      {"pagerank", "share of time of a surfer who follows links at random", by_pagerank},
      {"hubs", "links to good authorities (HITS)", by_hubs},
      {"authorities", "linked to by good hubs (HITS)", by_authorities},
      {"hits", "the same as authorities", by_authorities},
      {"indegree", "links into the node", by_in_degree},
      {"outdegree", "links out of the node", by_out_degree},
      {"harmonic", "sum of 1 / distance from all others", by_harmonic},
  };
  return all;
}

const Ranking& find_ranking(std::string_view name) {
  std::string names;
  for (const Ranking& ranking : rankings()) {
    if (ranking.name == name) return ranking;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", ranking.name);
  }
  throw Error(ErrorKind::BadInput, fmt::format("{}: no such ranking; there are {}", name, names));
}

std::vector<Node> top_nodes(const std::vector<double>& scores, std::size_t count) {
  std::vector<Node> order(scores.size());
  std::iota(order.begin(), order.end(), Node{0});
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](Node a, Node b) { return stands_before(scores, a, b); });
  order.resize(count);
  return order;
}

std::vector<std::uint32_t> places_of(const std::vector<double>& scores) {
  std::vector<Node> order(scores.size());
  std::iota(order.begin(), order.end(), Node{0});
  std::ranges::sort(order, [&](Node a, Node b) { return stands_before(scores, a, b); });
  std::vector<std::uint32_t> places(scores.size());
  std::uint32_t place = 0;
  for (const Node node : order) places[node] = ++place;
  return places;
}

}  // namespace webstrata
