// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/seed_sets_test.cpp.

#include "webstrata/explore/seed_sets.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kSizeOfPaper = 50;

std::vector<Node> eligible_nodes(std::span<const double> node_scores, double score_above) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < node_scores.size(); ++i) {
    if (node_scores[i] > score_above) nodes.push_back(static_cast<Node>(i));
  }
  return nodes;
}

// The first `size` of a shuffle.
std::vector<Node> drawn(std::vector<Node> nodes, std::uint64_t size, Random& random) {
  for (std::size_t i = 0; i < size; ++i) {
    std::swap(nodes[i], nodes[i + random.below(nodes.size() - i)]);
  }
  nodes.resize(size);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

std::vector<std::vector<Node>> draw_seed_sets(std::span<const double> node_scores,
                                              const SeedSetOptions& options) {
  const std::vector<Node> nodes = eligible_nodes(node_scores, options.score_above);
  std::uint64_t size = options.size;
  if (size == 0) size = std::clamp<std::uint64_t>(nodes.size() / 4, 1, kSizeOfPaper);
  if (nodes.size() < size) {
    throw Error(ErrorKind::BadInput,
                fmt::format("only {} pages score more than {}: no set of {} seeds can be drawn",
                            nodes.size(), options.score_above, size));
  }
  std::vector<std::vector<Node>> sets;
  for (std::uint64_t i = 0; i < options.sets; ++i) {
    Random random(options.seed * 0x9e3779b97f4a7c15 + i);
    sets.push_back(drawn(nodes, size, random));
  }
  return sets;
}

}  // namespace webstrata
