// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/offline_optimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

using Links = std::vector<std::pair<Node, Node>>;

SimulatedWeb web_of(Node count, const Links& links, std::vector<double> scores) {
  return {Snapshot::from_links(count, links), std::move(scores), {}};
}

double score_of(const SimulatedWeb& web, Node node, CrawlValue value) {
  const double score = web.node_scores()[node];
  return value == CrawlValue::Count ? (score > 0 ? 1 : 0) : score;
}

// Definition 6 of the paper, word by word: the best of all crawl sequences. A sequence is extended
// by every node of its frontier in turn.
double best_of_all_crawls(const SimulatedWeb& web, std::set<Node>& crawled, std::uint64_t budget,
                          CrawlValue value) {
  if (budget == 0) return 0;
  std::set<Node> frontier;
  for (const Node node : crawled) {
    for (const Node target : web.graph().successors(node)) {
      if (!crawled.contains(target)) frontier.insert(target);
    }
  }
  double best = 0;
  for (const Node node : frontier) {
    crawled.insert(node);
    best = std::max(
        best, score_of(web, node, value) + best_of_all_crawls(web, crawled, budget - 1, value));
    crawled.erase(node);
  }
  return best;
}

double by_brute_force(const SimulatedWeb& web, const std::vector<Node>& seeds, std::uint64_t budget,
                      CrawlValue value) {
  std::set<Node> crawled(seeds.begin(), seeds.end());
  return best_of_all_crawls(web, crawled, budget, value);
}

// A crawl that is possible, of at most the budget, and worth what is said.
void expect_possible(const SimulatedWeb& web, const std::vector<Node>& seeds,
                     const OptimumOptions& options, const OfflineOptimum& optimum) {
  std::set<Node> crawled(seeds.begin(), seeds.end());
  double value = 0;
  for (const Node node : optimum.crawl) {
    const bool is_linked = std::ranges::any_of(crawled, [&](Node from) {
      return std::ranges::count(web.graph().successors(from), node) > 0;
    });
    EXPECT_TRUE(is_linked) << node;
    EXPECT_TRUE(crawled.insert(node).second) << node;
    value += score_of(web, node, options.value);
  }
  EXPECT_LE(optimum.crawl.size(), options.budget);
  EXPECT_NEAR(value, optimum.value, 1e-9);
}

// Greedy takes c (1) and then e (0); b (0.5) leads to d (3).
TEST(OfflineOptimum, LooksBehindAPoorPage) {
  const SimulatedWeb web = web_of(5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}}, {1, 0.5, 1, 3, 0});
  const std::vector<Node> seeds = {0};
  const OfflineOptimum two = offline_optimum(web, seeds, {.budget = 2});
  EXPECT_EQ(two.value, 3.5);
  EXPECT_TRUE(two.is_exact);
  EXPECT_EQ(two.crawl, (std::vector<Node>{1, 3}));
  EXPECT_EQ(offline_optimum(web, seeds, {.budget = 1}).value, 1);
  EXPECT_EQ(offline_optimum(web, seeds, {.budget = 2, .value = CrawlValue::Count}).value, 2);
  EXPECT_EQ(offline_optimum(web, seeds, {.budget = 99}).value, 4.5);
}

TEST(OfflineOptimum, IsTheBestOfAllCrawls) {
  int beaten = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto count = static_cast<Node>(4 + random.below(5));
    const SimulatedWeb drawn = scored_web(seed, count);
    // Fewer links than scored_web draws: otherwise everything is linked from the seed.
    Links links;
    for (Node node = 0; node < count; ++node) {
      for (const Node target : drawn.graph().successors(node)) {
        if (random.chance(0.4)) links.emplace_back(node, target);
      }
    }
    const SimulatedWeb web =
        web_of(count, links, {drawn.node_scores().begin(), drawn.node_scores().end()});
    const std::vector<Node> seeds = {static_cast<Node>(random.below(count))};
    for (const CrawlValue value : {CrawlValue::Sum, CrawlValue::Count}) {
      for (std::uint64_t budget = 1; budget <= 5; ++budget) {
        const OptimumOptions options{.budget = budget, .value = value};
        const OfflineOptimum optimum = offline_optimum(web, seeds, options);
        const double wanted = by_brute_force(web, seeds, budget, value);
        EXPECT_TRUE(optimum.is_exact);
        EXPECT_NEAR(optimum.value, wanted, 1e-9);
        EXPECT_NEAR(optimum.bound, wanted, 1e-9);
        expect_possible(web, seeds, options, optimum);
        const ExploreRun greedy = explore(web, "oracle", seeds, {.budget = budget});
        if (value == CrawlValue::Sum &&
            greedy.value_at(budget) - greedy.seeds_value < wanted - 1e-9) {
          ++beaten;
        }
      }
    }
  }
  EXPECT_GT(beaten, 5);  // otherwise this shows nothing
}

// The bounds alone: the search may look at one set only.
TEST(OfflineOptimum, NoCrawlIsAboveTheBound) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedWeb web = scored_web(seed, 40);
    const std::vector<Node> seeds = {0, 7};
    for (const std::uint64_t budget : {3, 8, 15}) {
      const OfflineOptimum best = offline_optimum(web, seeds, {.budget = budget});
      const OptimumOptions weak{.budget = budget, .sets_max = 1};
      const OfflineOptimum bounded = offline_optimum(web, seeds, weak);
      expect_possible(web, seeds, weak, bounded);
      EXPECT_GE(bounded.bound, best.value - 1e-9);
      EXPECT_LE(bounded.value, best.value + 1e-9);
      EXPECT_GE(best.bound, best.value);
      for (const char* name : {"extra", "nh-ne-sum", "bf", "random", "oracle"}) {
        const ExploreRun run = explore(web, name, seeds, {.budget = budget});
        EXPECT_LE(run.value_at(budget) - run.seeds_value, bounded.bound + 1e-9) << name;
      }
    }
  }
}

// Long tails of poor pages before each rich one. Five chains of five
// pages; only the last of each scores 1. Twelve pages reach the end of two chains.
TEST(OfflineOptimum, FindsTheEndsOfLongChains) {
  Links links;
  std::vector<double> scores(26);
  for (Node chain = 0; chain < 5; ++chain) {
    for (Node i = 0; i < 5; ++i) {
      const Node node = 1 + chain * 5 + i;
      links.emplace_back(i == 0 ? 0 : node - 1, node);
    }
    scores[5 + chain * 5] = 1;
  }
  const SimulatedWeb web = web_of(26, links, scores);
  const std::vector<Node> seeds = {0};
  const OfflineOptimum optimum = offline_optimum(web, seeds, {.budget = 12});
  EXPECT_EQ(optimum.value, 2);
  EXPECT_TRUE(optimum.is_exact);
  // Without the search the levels give 5: one page of each, and the ends of the other chains. But
  // each end comes with its whole chain.
  EXPECT_EQ(offline_optimum(web, seeds, {.budget = 12, .sets_max = 1}).bound, 2);
}

// Sparse graphs of 25 pages beside the seed, where greedy is often wrong.
TEST(OfflineOptimum, IsExactForTwentyFivePages) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Links links;
    std::vector<double> scores(26);
    for (Node node = 1; node < 26; ++node) {
      links.emplace_back(static_cast<Node>(random.below(node)), node);
      if (random.chance(0.5)) links.emplace_back(static_cast<Node>(random.below(26)), node);
      scores[node] = random.chance(0.4) ? 1 + 3 * random.unit() : 0;
    }
    const SimulatedWeb web = web_of(26, links, scores);
    const std::vector<Node> seeds = {0};
    for (const std::uint64_t budget : {5, 10, 15}) {
      const OptimumOptions options{.budget = budget};
      const OfflineOptimum optimum = offline_optimum(web, seeds, options);
      EXPECT_TRUE(optimum.is_exact) << budget;
      expect_possible(web, seeds, options, optimum);
    }
  }
}

TEST(OfflineOptimum, EmptyAndImpossibleProblems) {
  const SimulatedWeb web = web_of(3, {{0, 1}}, {1, 0, 5});
  const std::vector<Node> seeds = {0};
  const OfflineOptimum nothing = offline_optimum(web, seeds, {.budget = 4});
  EXPECT_EQ(nothing.bound, 0);
  EXPECT_TRUE(nothing.is_exact);
  EXPECT_THROW(offline_optimum(web, {}, {.budget = 4}), Error);
  EXPECT_THROW(offline_optimum(web, std::vector<Node>{9}, {.budget = 4}), Error);
}

}  // namespace
}  // namespace webstrata
