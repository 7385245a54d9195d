// SPDX-License-Identifier: Apache-2.0

// Active indegree, one of the papers' dynamic methods: the page with most links from live pages,
// ties by PageRank. A heap holds an entry for each score that a page ever had; outdated ones are
// skipped.
// Tested by tests/liverank/dynamic_planners_test.cpp.

#include <memory>
#include <queue>
#include <tuple>

#include "webstrata/liverank/planner_makers.h"

namespace webstrata {
namespace {

class AiPlanner : public Planner {
 public:
  AiPlanner(const Population& pages, const PlannerOptions& options)
      : Planner(pages.size()),
        pages_(pages),
        sample_(sampled(pages, *options.sample, options.seed)),
        by_pagerank_(ordered(pages.pagerank, tie_values(pages, TieRule::Number, options.seed))),
        live_links_(pages.size()) {}

  [[nodiscard]] std::size_t batch_size() const override {
    return sample_place_ < sample_.size() ? sample_.size() - sample_place_ : 1;
  }
  [[nodiscard]] std::vector<Reason> why(Node page) override {
    return {{"links from live pages", static_cast<double>(live_links_[page]), 0},
            {"PageRank", pages_.pagerank[page], 0}};
  }

 private:
  struct Entry {
    std::uint32_t live_links;
    double pagerank;
    Node page;
    bool operator<(const Entry& other) const {  // the largest is on top: the smallest number wins
      return std::tie(live_links, pagerank, other.page) <
             std::tie(other.live_links, other.pagerank, page);
    }
  };

  void take_in(Node page, bool is_live) override {
    if (!is_live) return;
    for (const Node target : pages_.graph.successors(page)) {
      ++live_links_[target];
      if (is_open(target)) heap_.push({live_links_[target], pages_.pagerank[target], target});
    }
  }
  void propose(std::size_t count, std::vector<Node>& batch) override {
    for (; sample_place_ < sample_.size() && batch.size() < count; ++sample_place_) {
      if (is_open(sample_[sample_place_])) batch.push_back(sample_[sample_place_]);
    }
    if (!batch.empty()) return;
    while (!heap_.empty() && batch.size() < count) {
      const Entry top = heap_.top();
      heap_.pop();
      if (is_open(top.page) && top.live_links == live_links_[top.page]) batch.push_back(top.page);
    }
    if (!batch.empty()) return;
    while (place_ < by_pagerank_.size() && !is_open(by_pagerank_[place_])) ++place_;
    if (place_ < by_pagerank_.size()) batch.push_back(by_pagerank_[place_]);
  }

  const Population& pages_;
  std::vector<Node> sample_;
  std::size_t sample_place_ = 0;
  std::vector<Node> by_pagerank_;
  std::size_t place_ = 0;
  std::vector<std::uint32_t> live_links_;
  std::priority_queue<Entry> heap_;
};

}  // namespace

std::unique_ptr<Planner> make_ai_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<AiPlanner>(pages, options);
}

}  // namespace webstrata
