// SPDX-License-Identifier: Apache-2.0

// An exploration in progress: known graph, estimator and strategy, and the pages being crawled.
//
//   Explorer explorer("extra", {.estimator = {.budget = 5000}, .groups = groups.levels()});
//   explorer.begin(seeds);
//   for (Node node = 0; explorer.next(1, nodes); ...)
//     explorer.crawled(node, score, links);        // or explorer.failed(node)
//
// The driver says when pages are fetched and what they score: the simulator answers at once from a
// graph, a crawler when the page has arrived, in any order, with any number of pages in flight. The
// same seeds, options and order of answers give the same crawl.

#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/explore/estimators.h"
#include "webstrata/explore/known_graph.h"
#include "webstrata/explore/strategy.h"

namespace webstrata {

struct ExplorerOptions {
  EstimatorOptions estimator = {};
  StrategyOptions strategy = {};
  GroupLevels groups = {};  // without groups fewer features are known
};

class Explorer {
 public:
  // Throws Error(BadInput) if there is no such estimator or an option is out of range.
  Explorer(std::string_view estimator, ExplorerOptions options = {});

  // Seeds in the order in which next() returns them, before anything else. To be called once.
  void begin(std::span<const Node> seeds);
  // A page found without a link (in a sitemap, say) joins the frontier.
  void discover(Node node);

  // Appends the seeds that next() has not returned yet: they are in flight from now on.
  void next_seeds(std::vector<Node>& nodes);
  // Appends at most `count` pages to crawl next and returns their number. They are in flight from
  // now on. 0: the frontier is empty, though outstanding answers may fill it again.
  std::size_t next(std::size_t count, std::vector<Node>& nodes);
  // The same, with the reason for each choice; seeds have none.
  struct Choice {
    Node node = 0;
    Grounds grounds = {};
  };
  std::size_t next(std::size_t count, std::vector<Choice>& choices);
  // The page arrived. Each node once; it need not come from next().
  const CrawlStep& crawled(Node node, double score, std::span<const KnownLink> links);
  // The page will not arrive: nothing is learned from it, and it is not named again.
  void failed(Node node);

  [[nodiscard]] const KnownGraph& known() const noexcept { return known_; }
  [[nodiscard]] Estimator& estimator() noexcept { return *estimator_; }

 private:
  void claim(Node node);
  void name_seeds(std::size_t count, std::vector<Node>& nodes);
  std::size_t choose(std::size_t count, std::vector<Node>& nodes);

  KnownGraph known_;
  std::unique_ptr<Estimator> estimator_;
  std::unique_ptr<Strategy> strategy_;
  std::vector<Node> seeds_;
  std::size_t seeds_named_ = 0;
};

}  // namespace webstrata
