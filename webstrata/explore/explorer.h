// An exploration under way: known graph, estimator and strategy, and who is being crawled.
//
//   Explorer explorer("extra", {.estimator = {.budget = 5000}, .groups = groups.levels()});
//   explorer.begin(seeds);
//   for (Node node = 0; explorer.next(1, nodes); ...)
//     explorer.crawled(node, score, links);        // or explorer.failed(node)
//
// The driver says when pages are fetched and what they score: the simulator answers at once from a
// graph, a crawler when the page has come, in any order, with as many under way as it likes.
// Same seeds, answers in the same order, same options: same crawl.

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

  // Seeds in the order in which next() hands them out, before anything else. Once only.
  void begin(std::span<const Node> seeds);
  // A page that turned up without a link (in a sitemap, say) joins the frontier.
  void discover(Node node);

  // Appends the seeds that next() has not named yet: they are under way from now on.
  void next_seeds(std::vector<Node>& nodes);
  // Appends at most `count` pages to crawl next; how many. They are under way from now on. 0: the
  // frontier is empty, though answers still under way may fill it again.
  std::size_t next(std::size_t count, std::vector<Node>& nodes);
  // The same, with what each was chosen by; of seeds that is nothing.
  struct Choice {
    Node node = 0;
    Grounds grounds = {};
  };
  std::size_t next(std::size_t count, std::vector<Choice>& choices);
  // The page came. Each node once; one that next() never named is fine.
  const CrawlStep& crawled(Node node, double score, std::span<const KnownLink> links);
  // The page will not come: it teaches nothing and is not named again.
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
