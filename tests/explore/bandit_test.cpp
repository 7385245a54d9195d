// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

const std::vector<std::string> kExperts = {"nh-n-sum", "lnh-max", "bf"};

// Every choice is what the expert that it names would take after the same pages.
TEST(Bandit, FollowsTheExpertsByName) {
  const SimulatedWeb web = scored_web(4, 200);
  const EstimatorOptions options{.seed = 3, .budget = 80, .experts = kExperts};
  Explorer bandit("bandit", {.estimator = options});
  std::map<std::string, std::unique_ptr<Explorer>, std::less<>> alone;
  for (const std::string& name : kExperts) {
    alone[name] = std::make_unique<Explorer>(name, ExplorerOptions{.estimator = options});
  }
  const std::vector<Node> seeds = {1, 2, 3};
  bandit.begin(seeds);
  for (const auto& [name, explorer] : alone) explorer->begin(seeds);
  std::set<std::string> followed;
  std::vector<KnownLink> buffer;
  std::vector<Explorer::Choice> choices;
  for (std::size_t step = 0; step < 80 && bandit.next(1, choices) > 0; ++step) {
    const Node node = choices.back().node;
    const std::string_view expert = choices.back().grounds.expert;
    if (step >= seeds.size()) {
      const auto one = alone.find(expert);
      ASSERT_NE(one, alone.end()) << expert;
      std::vector<Node> best;
      one->second->estimator().best(1, best);
      EXPECT_EQ(best, std::vector<Node>{node}) << expert << " at step " << step;
      followed.emplace(expert);
    }
    const CrawledPage page = web.crawl(node, buffer);
    bandit.crawled(node, page.score, page.links);
    for (const auto& [name, explorer] : alone) explorer->crawled(node, page.score, page.links);
  }
  EXPECT_EQ(followed.size(), kExperts.size());
}

// One rich chain that only scores of links lead to, among pages that score nothing.
TEST(Bandit, ComesCloseToTheBestOfItsExperts) {
  std::vector<std::pair<Node, Node>> links;
  const Node length = 150;
  const Node count = 1 + length + length * 10;
  for (Node i = 0; i < length; ++i) {
    links.emplace_back(i, i + 1);
    for (Node j = 0; j < 10; ++j) links.emplace_back(i, 1 + length + i * 10 + j);
  }
  const Snapshot graph = Snapshot::from_links(count, links);
  std::vector<double> nodes(count);
  std::vector<double> scores(graph.link_count());
  for (Node i = 0; i < length; ++i) {
    nodes[i] = 2;
    scores[*graph.find_link(i, i + 1)] = 1;
  }
  const SimulatedWeb web(graph, nodes, scores);
  const std::vector<Node> seeds = {0};
  const auto found = [&](const char* name) {
    ExploreOptions options{.budget = 140};
    options.estimator.experts = {"random", "nh-e-sum", "bf"};
    return explore(web, name, seeds, options).values.back();
  };
  EXPECT_GT(found("bandit"), 0.6 * found("nh-e-sum"));
  EXPECT_GT(found("bandit"), 3 * found("random"));
}

TEST(Bandit, TheUnitOfScoresDoesNotMatter) {
  const SimulatedWeb web = scored_web(9, 150);
  std::vector<double> nodes(web.node_scores().begin(), web.node_scores().end());
  for (double& score : nodes) score *= 32;
  const SimulatedWeb larger(web.graph(), nodes,
                            {web.link_scores().begin(), web.link_scores().end()});
  const std::vector<Node> seeds = {0, 5};
  ExploreOptions options{.budget = 60};
  options.estimator.experts = {"nh-n-sum", "nh-ne-max", "opic"};
  EXPECT_EQ(explore(web, "bandit", seeds, options).order,
            explore(larger, "bandit", seeds, options).order);
}

TEST(Bandit, RefusesExpertsThatMeanNothing) {
  const SimulatedWeb web = scored_web(9, 30);
  const std::vector<Node> seeds = {0};
  for (const std::vector<std::string>& experts : {std::vector<std::string>{},
                                                  {"bf"},
                                                  {"bf", "bf"},
                                                  {"bf", "oracle"},
                                                  {"bf", "bandit"},
                                                  {"bf", "extra"},
                                                  {"bf", "best"}}) {
    ExploreOptions options;
    options.estimator.experts = experts;
    EXPECT_THROW(explore(web, "bandit", seeds, options), Error);
  }
}

}  // namespace
}  // namespace webstrata
