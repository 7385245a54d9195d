// SPDX-License-Identifier: Apache-2.0

// An exploration of a fully known web, which is shown to the explorer page by page.
//
//   const SimulatedWeb web(graph, node_scores, link_scores);
//   const ExploreRun run = explore(web, "nh-ne-sum", seeds, {.budget = 5000});
//   run.values.back();     // what the crawl is worth, seeds included

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/explore/explorer.h"
#include "webstrata/explore/set_function.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

// What a page shows when it is crawled.
struct CrawledPage {
  double score = 0;
  std::span<const KnownLink> links = {};  // lives until the next page is requested
};

// The hidden web: the only access to scores and links.
class Web {
 public:
  virtual ~Web() = default;
  virtual CrawledPage crawl(Node node, std::vector<KnownLink>& buffer) const = 0;
};

// A graph with scores. Copies share it; threads may share one.
class SimulatedWeb : public Web {
 public:
  // A score for each node and each link (in the order of the graph's columns of links; empty: all
  // 0). Throws Error(BadInput) if a size is wrong or a score is negative or not a number.
  SimulatedWeb(Snapshot graph, std::vector<double> node_scores, std::vector<double> link_scores);

  CrawledPage crawl(Node node, std::vector<KnownLink>& buffer) const override;

  [[nodiscard]] const Snapshot& graph() const noexcept { return graph_; }
  [[nodiscard]] std::span<const double> node_scores() const noexcept { return node_scores_; }
  [[nodiscard]] std::span<const double> link_scores() const noexcept { return link_scores_; }
  // Groups by URL, of all nodes; no levels if the graph has no names.
  [[nodiscard]] GroupLevels groups() const;

 private:
  Snapshot graph_;
  std::vector<double> node_scores_;
  std::vector<double> link_scores_;
  std::size_t level_count_ = 0;
  std::shared_ptr<const std::vector<Group>> groups_;
};

struct ExploreOptions {
  std::uint64_t budget = 1000;      // pages, not counting seeds
  std::uint64_t refresh = 1;        // pages chosen at a time: the paper's r
  EstimatorOptions estimator = {};  // its budget and truth are filled in
  StrategyOptions strategy = {};
  SetFunctionMaker value = sum_of_scores;
  WorkOptions work = {};
};

enum class ExploreEnd : std::uint8_t { Budget, EmptyFrontier };
std::string_view to_string(ExploreEnd end) noexcept;

struct ExploreRun {
  std::vector<Node> order;     // pages crawled after the seeds
  std::vector<double> scores;  // parallel to `order`
  std::vector<double> values;  // of the set of all pages so far, seeds included; after each step
  double seeds_value = 0;
  std::uint64_t frontier_end = 0;  // nodes still on the frontier
  ExploreEnd ended = ExploreEnd::Budget;

  // The value after this number of steps; the last value beyond the end.
  [[nodiscard]] double value_at(std::uint64_t step) const noexcept;
};

// Crawls the seeds, which costs nothing, and then as many pages as the budget allows. Seeds named
// twice count once. Throws Error(BadInput) if there are no seeds or one is not in the graph, or if
// an option is out of range; Error(Cancelled).
ExploreRun explore(const SimulatedWeb& web, std::string_view estimator, std::span<const Node> seeds,
                   const ExploreOptions& options = {});

}  // namespace webstrata
