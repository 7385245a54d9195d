// SPDX-License-Identifier: Apache-2.0

// Seeds in an order that is fixed beforehand: random, by PageRank, by out-degree.
// Tested by tests/seeds/seed_methods_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "webstrata/base/counted.h"
#include "webstrata/seeds/pickers.h"

namespace webstrata {
namespace {

class OrderPicker : public SeedPicker {
 public:
  using Reason = std::function<std::string(double score)>;
  OrderPicker(std::vector<SeedCandidate> order, Reason reason)
      : order_(std::move(order)), reason_(std::move(reason)) {}

  std::optional<SeedCandidate> next() override {
    if (next_ == order_.size()) return std::nullopt;
    SeedCandidate& candidate = order_[next_++];
    candidate.why = reason_(candidate.score);
    return std::move(candidate);
  }

 private:
  std::vector<SeedCandidate> order_;
  Reason reason_;
  std::size_t next_ = 0;
};

// Pages by score, the highest first, equal ones by node.
template <typename Score>
std::vector<SeedCandidate> ordered(const Snapshot& graph, Score score) {
  std::vector<SeedCandidate> order;
  for (const Node node : pages_of(graph)) order.push_back({node, score(node)});
  std::ranges::stable_sort(order, std::greater<>(), &SeedCandidate::score);
  return order;
}

}  // namespace

std::vector<double> scores_for(const Snapshot& graph, const SeedOptions& options,
                               double tolerance) {
  if (options.pagerank.empty()) return seed_scores(graph, options.work, tolerance);
  return {options.pagerank.begin(), options.pagerank.end()};
}

std::unique_ptr<SeedPicker> make_outdegree_picker(const Snapshot& graph,
                                                  const SeedOptions& /*options*/) {
  return std::make_unique<OrderPicker>(
      ordered(graph, [&](Node node) { return static_cast<double>(graph.out_degree(node)); }),
      [](double score) { return counted(static_cast<std::uint64_t>(score), "link", "links"); });
}

std::unique_ptr<SeedPicker> make_pagerank_picker(const Snapshot& graph,
                                                 const SeedOptions& options) {
  const std::vector<double> scores = scores_for(graph, options);
  return std::make_unique<OrderPicker>(
      ordered(graph, [&](Node node) { return scores[node]; }),
      [](double score) { return fmt::format("PageRank {:.3g}", score); });
}

std::unique_ptr<SeedPicker> make_random_picker(const Snapshot& graph, const SeedOptions& options) {
  std::vector<Node> pages = pages_of(graph);
  Random random(options.seed);
  std::vector<SeedCandidate> order;
  for (const Node node : drawn(std::move(pages), kNodesMax, random)) order.push_back({node, 1});
  return std::make_unique<OrderPicker>(std::move(order),
                                       [](double) { return std::string("drawn at random"); });
}

}  // namespace webstrata
