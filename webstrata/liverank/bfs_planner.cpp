// SPDX-License-Identifier: Apache-2.0

// Breadth first along the links of live pages, one of the papers' dynamic methods. The queue begins
// with the sample; a live page puts its targets at the end; when the queue is empty, the page of
// highest PageRank is next.
// Tested by tests/liverank/dynamic_planners_test.cpp.

#include <deque>
#include <memory>

#include "webstrata/liverank/planner_makers.h"

namespace webstrata {
namespace {

class BfsPlanner : public Planner {
 public:
  BfsPlanner(const Population& pages, const PlannerOptions& options)
      : Planner(pages.size()),
        pages_(pages),
        by_pagerank_(ordered(pages.pagerank, tie_values(pages, TieRule::Number, options.seed))) {
    for (const Node page : sampled(pages, *options.sample, options.seed)) {
      queue_.push_back(page);
    }
  }

  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] std::vector<Reason> why(Node page) override {
    double live = 0;
    for (const Node source : pages_.graph.predecessors(page)) live += is_live(source) ? 1 : 0;
    return {{"links from live pages", live, 0}, {"PageRank", pages_.pagerank[page], 0}};
  }

 private:
  void take_in(Node page, bool is_live) override {
    if (!is_live) return;
    for (const Node target : pages_.graph.successors(page)) {
      if (is_open(target)) queue_.push_back(target);
    }
  }
  void propose(std::size_t count, std::vector<Node>& batch) override {
    while (batch.size() < count && !queue_.empty()) {
      const Node page = queue_.front();
      queue_.pop_front();
      if (is_open(page) && !is_taken(page, batch)) batch.push_back(page);
    }
    if (!batch.empty()) return;
    while (place_ < by_pagerank_.size() && !is_open(by_pagerank_[place_])) ++place_;
    if (place_ < by_pagerank_.size()) batch.push_back(by_pagerank_[place_]);
  }
  // The queue may contain a page twice, even within one batch.
  bool is_taken(Node page, const std::vector<Node>& taken) {
    if (last_taken_.size() != page_count()) last_taken_.assign(page_count(), 0);
    if (taken.empty()) ++batch_;
    if (last_taken_[page] == batch_) return true;
    last_taken_[page] = batch_;
    return false;
  }

  const Population& pages_;
  std::deque<Node> queue_;
  std::vector<Node> by_pagerank_;
  std::size_t place_ = 0;
  std::vector<std::uint32_t> last_taken_;  // the batch that took it
  std::uint32_t batch_ = 0;
};

}  // namespace

std::unique_ptr<Planner> make_bfs_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<BfsPlanner>(pages, options);
}

}  // namespace webstrata
