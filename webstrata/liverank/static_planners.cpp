// SPDX-License-Identifier: Apache-2.0

// Orders that depend only on the graph: random, in-degree, PageRank. Tested by
// tests/liverank/planners_test.cpp.

#include <memory>
#include <string>
#include <utility>

#include "webstrata/liverank/planner_makers.h"

namespace webstrata {
namespace {

class OrderPlanner : public Planner {
 public:
  OrderPlanner(std::string what, std::vector<double> scores, const std::vector<double>& ties)
      : Planner(static_cast<Node>(scores.size())),
        what_(std::move(what)),
        scores_(std::move(scores)),
        order_(ordered(scores_, ties)) {}

  [[nodiscard]] std::size_t batch_size() const override { return order_.size(); }
  [[nodiscard]] std::vector<Reason> why(Node page) override { return {{what_, scores_[page], 0}}; }

 private:
  void take_in(Node /*page*/, bool /*is_live*/) override {}
  void propose(std::size_t count, std::vector<Node>& batch) override {
    for (; place_ < order_.size() && batch.size() < count; ++place_) {
      if (is_open(order_[place_])) batch.push_back(order_[place_]);
    }
  }

  std::string what_;
  std::vector<double> scores_;
  std::vector<Node> order_;
  std::size_t place_ = 0;
};

}  // namespace

std::unique_ptr<Planner> make_random_planner(const Population& pages,
                                             const PlannerOptions& options) {
  const auto luck = tie_values(pages, TieRule::Random, options.seed);
  return std::make_unique<OrderPlanner>("luck", luck, luck);
}

std::unique_ptr<Planner> make_indegree_planner(const Population& pages,
                                               const PlannerOptions& options) {
  std::vector<double> degrees(pages.size());
  for (Node page = 0; page < pages.size(); ++page) degrees[page] = pages.graph.in_degree(page);
  return std::make_unique<OrderPlanner>(
      "links to it", std::move(degrees),
      tie_values(pages, options.ties.value_or(TieRule::Number), options.seed));
}

std::unique_ptr<Planner> make_pagerank_planner(const Population& pages,
                                               const PlannerOptions& options) {
  return std::make_unique<OrderPlanner>(
      "PageRank", pages.pagerank,
      tie_values(pages, options.ties.value_or(TieRule::Number), options.seed));
}

}  // namespace webstrata
