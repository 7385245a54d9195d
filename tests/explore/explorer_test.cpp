// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/explorer.h"

#include <gtest/gtest.h>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Explorer, HandsOutSeedsFirstAndNothingTwice) {
  Explorer explorer("nh-n-sum");
  explorer.begin(std::vector<Node>{5, 3, 5});
  std::vector<Node> nodes;
  EXPECT_EQ(explorer.next(10, nodes), 2u);
  EXPECT_EQ(nodes, (std::vector<Node>{5, 3}));
  EXPECT_EQ(explorer.next(10, nodes), 0u);  // both are in flight, nothing else is known
  const KnownLink links[] = {{8, 0}, {9, 0}};
  explorer.crawled(3, 1, links);
  nodes.clear();
  EXPECT_EQ(explorer.next(1, nodes), 1u);
  EXPECT_EQ(explorer.next(5, nodes), 1u);
  EXPECT_EQ(nodes, (std::vector<Node>{8, 9}));
  EXPECT_THROW(explorer.begin(std::vector<Node>{1}), Error);
}

TEST(Explorer, SaysByWhatANodeWasChosen) {
  Explorer explorer("nh-n-sum");
  explorer.begin(std::vector<Node>{0, 1});
  std::vector<Explorer::Choice> choices;
  EXPECT_EQ(explorer.next(5, choices), 2u);
  EXPECT_EQ(choices[0].grounds.score, 0);
  explorer.crawled(0, 1, std::vector<KnownLink>{{2, 0}, {3, 0}});
  explorer.crawled(1, 0.5, std::vector<KnownLink>{{3, 0}});
  choices.clear();
  EXPECT_EQ(explorer.next(5, choices), 2u);
  EXPECT_EQ(choices[0].node, 3u);  // from both
  EXPECT_EQ(choices[0].grounds.score, 1.5);
  EXPECT_EQ(choices[1].node, 2u);
  EXPECT_EQ(choices[1].grounds.score, 1);
}

// Asking for the reasons does not change the crawl, and EXTRA's choices have an expert.
TEST(Explorer, ChoosesTheSameWhoeverWantsTheGrounds) {
  const SimulatedWeb web = scored_web(8, 200, true);
  for (const EstimatorEntry& entry : estimators()) {
    SCOPED_TRACE(entry.name);
    const EstimatorOptions options{.budget = 100, .truth = web.node_scores()};
    Explorer plain(entry.name, {options, {}, web.groups()});
    Explorer telling(entry.name, {options, {}, web.groups()});
    plain.begin(std::vector<Node>{1, 60, 120});
    telling.begin(std::vector<Node>{1, 60, 120});
    std::vector<KnownLink> buffer;
    std::set<std::string_view> experts;
    for (int step = 0; step < 100; ++step) {
      std::vector<Node> nodes;
      std::vector<Explorer::Choice> choices;
      ASSERT_EQ(plain.next(1, nodes), telling.next(1, choices));
      if (nodes.empty()) break;
      ASSERT_EQ(nodes[0], choices[0].node);
      if (step >= 3) experts.insert(choices[0].grounds.expert);
      const CrawledPage page = web.crawl(nodes[0], buffer);
      plain.crawled(nodes[0], page.score, page.links);
      telling.crawled(nodes[0], page.score, page.links);
    }
    if (entry.name == "extra") {
      EXPECT_EQ(experts, (std::set<std::string_view>{"cash", "learner", "siblings"}));
    } else if (entry.name == "bandit") {
      EXPECT_EQ(experts.size(), EstimatorOptions().experts.size());
      EXPECT_FALSE(experts.contains(""));
    } else {
      EXPECT_EQ(experts, std::set<std::string_view>{""});
    }
  }
}

// Like a crawler: several pages in flight, answers in another order, some never, some not
// requested.
TEST(Explorer, TakesAnswersInAnyOrderForEveryEstimator) {
  const SimulatedWeb web = scored_web(8, 200, true);
  for (const EstimatorEntry& entry : estimators()) {
    SCOPED_TRACE(entry.name);
    EstimatorOptions options{.truth = web.node_scores()};
    Explorer explorer(entry.name, {options, {}, web.groups()});
    explorer.begin(std::vector<Node>{1, 60, 120});
    Random random(5);
    std::vector<Node> under_way;
    std::vector<KnownLink> buffer;
    std::set<Node> named;
    for (int step = 0; step < 150; ++step) {
      std::vector<Node> nodes;
      explorer.next(random.below(4), nodes);
      for (const Node node : nodes) EXPECT_TRUE(named.insert(node).second) << node;
      under_way.insert(under_way.end(), nodes.begin(), nodes.end());
      if (under_way.empty()) continue;
      const std::size_t place = random.below(under_way.size());
      const Node node = under_way[place];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(place));
      if (random.chance(0.2)) {
        explorer.failed(node);
        continue;
      }
      const CrawledPage page = web.crawl(node, buffer);
      explorer.crawled(node, page.score, page.links);
    }
    const auto frontier = explorer.known().frontier();
    for (const Node node : frontier) EXPECT_FALSE(named.contains(node));
    if (!frontier.empty()) {  // fetched by another crawler
      const Node node = frontier.front();
      explorer.crawled(node, 1, {});
      EXPECT_TRUE(explorer.known().is_crawled(node));
    }
  }
}

}  // namespace
}  // namespace webstrata
