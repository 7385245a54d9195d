// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/crawl_profile.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/graph/random_graph.h"
#include "tests/seeds/named_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/seeds/evaluation.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {
namespace {

// 0 -> 1 -> {2, 3}, 3 -> 0; 4 is apart.
Snapshot small() { return Snapshot::from_links(5, {{0, 1}, {1, 2}, {1, 3}, {3, 0}}); }
const std::vector<double> kScores = {0.1, 0.2, 0.3, 0.25, 0.15};

TEST(CrawlProfile, CountsByDepth) {
  const std::vector<Node> seeds = {0, 0};  // twice is once
  const auto depths = crawl_profile(small(), seeds, kScores, 3).depths;
  ASSERT_EQ(depths.size(), 4);
  EXPECT_EQ(depths[0].pages, 1);
  EXPECT_EQ(depths[1].pages, 1);
  EXPECT_EQ(depths[2].pages, 2);
  EXPECT_EQ(depths[3].pages, 0);
  EXPECT_DOUBLE_EQ(depths[2].score, 0.55);
  EXPECT_DOUBLE_EQ(depths[2].average(), 0.275);
  EXPECT_EQ(depths[3].average(), 0);
  EXPECT_EQ(depths[3].pages_so_far, 4);
  EXPECT_NEAR(depths[3].score_so_far, 0.85, 1e-12);
}

TEST(CrawlProfile, OfAllPagesFindsAllAtOnce) {
  RandomCrawls crawls;
  crawls.count = 5;
  crawls.repetitions = 3;
  const auto depths = mean_of(random_crawl_profiles(small(), kScores, crawls)).depths;
  EXPECT_NEAR(depths[0].pages, 5, 1e-12);
  EXPECT_NEAR(depths[0].score, 1, 1e-12);
  EXPECT_NEAR(depths[1].pages, 0, 1e-12);
}

// From one random seed of the five: the mean over many draws nears the mean over the nodes.
TEST(CrawlProfile, RandomCrawlsDrawEveryPage) {
  RandomCrawls crawls;
  crawls.count = 1;
  crawls.repetitions = 4000;
  const auto depths = mean_of(random_crawl_profiles(small(), kScores, crawls)).depths;
  EXPECT_NEAR(depths[0].score, 0.2, 0.01);
  EXPECT_NEAR(depths[1].pages, 4.0 / 5, 0.03);
}

TEST(CrawlProfile, RefusesWhatMakesNoSense) {
  const std::vector<Node> outside = {5};
  EXPECT_THROW(crawl_profile(small(), outside, kScores, 3), Error);
  EXPECT_THROW(crawl_profile(small(), {}, std::vector<double>{1}, 3), Error);
  RandomCrawls crawls;
  crawls.count = 6;
  EXPECT_THROW(random_crawl_profiles(small(), kScores, crawls), Error);
}

TEST(ConnectedDistance, EqualsFloydWarshallWithAllSources) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    const Snapshot graph = random_graph(random, 50, 2);
    std::vector<std::vector<double>> d(50, std::vector<double>(50, 1e9));
    for (Node i = 0; i < 50; ++i) {
      for (const Node j : graph.successors(i)) d[i][j] = 1;
    }
    for (Node k = 0; k < 50; ++k) {
      for (Node i = 0; i < 50; ++i) {
        for (Node j = 0; j < 50; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
      }
    }
    double total = 0;
    double farthest = 0;
    std::uint64_t pairs = 0;
    for (Node i = 0; i < 50; ++i) {
      for (Node j = 0; j < 50; ++j) {
        if (i == j || d[i][j] > 1e8) continue;
        total += d[i][j];
        farthest = std::max(farthest, d[i][j]);
        ++pairs;
      }
    }
    const ConnectedDistance found = mean_connected_distance(graph);
    EXPECT_EQ(found.pairs, pairs);
    EXPECT_EQ(found.sources, 50);
    EXPECT_EQ(found.farthest, farthest);
    if (pairs > 0) {
      EXPECT_NEAR(*found.mean, total / static_cast<double>(pairs), 1e-12);
    }
  }
}

TEST(ConnectedDistance, OfGraphsWithoutWays) {
  EXPECT_FALSE(mean_connected_distance(Snapshot()).mean);
  EXPECT_FALSE(mean_connected_distance(Snapshot::from_links(3, {})).mean);
}

TEST(SeedEvaluation, PutsChosenBesideRandom) {
  Random random(7);
  const Snapshot graph = random_graph(random, 300, 4);
  const std::vector<Node> seeds = {1, 2, 3};
  const SeedEvaluation found = evaluate_seeds(graph, seeds, {.depth_max = 4});
  EXPECT_EQ(found.seed_count, 3);
  const auto scores = seed_scores(graph);
  EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), 1, 1e-9);
  EXPECT_EQ(found.chosen.depths.size(), 5);
  EXPECT_DOUBLE_EQ(found.chosen.depths[0].score, scores[1] + scores[2] + scores[3]);
  EXPECT_NEAR(found.random.depths[0].pages, 3, 1e-9);
  ASSERT_EQ(found.random_crawls.size(), 20);
  double pages = 0;
  for (const CrawlProfile& crawl : found.random_crawls) pages += crawl.depths[1].pages;
  EXPECT_NEAR(found.random.depths[1].pages, pages / 20, 1e-9);
  EXPECT_TRUE(evaluate_seeds(graph, {}).chosen.depths.empty());
}

// Three of four pages survive, one of them under another number.
TEST(SeedSurvival, IsToldBesideAllPages) {
  const Snapshot old = with_names(Snapshot::from_links(4, {}), {"a", "b", "c", "d"});
  const Snapshot newer = with_names(Snapshot::from_links(4, {}), {"x", "d", "a", "b"});
  const std::vector<Node> candidates = {3, 2, 0};
  const SeedSurvival found = seed_survival(old, newer, candidates);
  EXPECT_EQ(found.is_alive, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(found.pages, 4);
  EXPECT_DOUBLE_EQ(found.page_rate, 0.75);
  EXPECT_EQ(seed_survival(old, newer, {}, {.pages_max = 2}).pages, 2);
  EXPECT_EQ(seed_survival(Snapshot(), newer, {}).page_rate, 0);
}

}  // namespace
}  // namespace webstrata
