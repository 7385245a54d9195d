// SPDX-License-Identifier: Apache-2.0

// PageRank against graphs solved by hand, against a dense slow reference, and its properties.

#include "webstrata/rank/pagerank.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"
#include "tests/rank/slow_pagerank.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

double sum(const std::vector<double>& scores) {
  return std::accumulate(scores.begin(), scores.end(), 0.0);
}

// Graphs with difficult parts: dead ends, self-links, isolated nodes.
Snapshot troubled_graph(Random& random, Node nodes) {
  LinkList links = random_links(random, nodes, 6);
  std::erase_if(links,
                [&](const auto& link) { return link.first % 7 == 3 || link.second % 11 == 5; });
  for (Node node = 0; node < nodes; node += 4) links.emplace_back(node, node);
  return Snapshot::from_links(nodes + std::uint64_t{3}, std::move(links));
}

// Solved by hand: a = (1-d)/2 + d*b/2, a + b = 1, with d = 0.5.
TEST(PageRank, MatchesTheHandSolvedPair) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const auto ranked = pagerank(graph, {.damping = 0.5});
  EXPECT_NEAR(ranked.scores[0], 0.4, 1e-9);
  EXPECT_NEAR(ranked.scores[1], 0.6, 1e-9);
  EXPECT_TRUE(ranked.converged);
}

// Dropped at the dead end: a = 1/4, b = 1/4 + a/2.
TEST(PageRank, DropsTheSurferAtADeadEnd) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const auto ranked = pagerank(graph, {.damping = 0.5, .dead_ends = DeadEnds::Drop});
  EXPECT_NEAR(ranked.scores[0], 0.25, 1e-12);
  EXPECT_NEAR(ranked.scores[1], 0.375, 1e-12);
}

// All begins at b and returns there: a = 0, b = 1. With a link to itself b = 1 as well.
TEST(PageRank, DeadEndsFollowThePreference) {
  const std::vector<double> preference = {0, 1};
  for (const LinkList& links : {LinkList{{0, 1}}, LinkList{{0, 1}, {1, 1}}}) {
    const auto ranked = pagerank(Snapshot::from_links(2, links),
                                 {.preference = preference, .dead_ends = DeadEnds::Preference});
    EXPECT_NEAR(ranked.scores[0], 0, 1e-12);
    EXPECT_NEAR(ranked.scores[1], 1, 1e-12);
  }
}

// A star of n leaves that link to node 0, which links back to all: c = (1-d)/(n+1) + d*(1-c).
TEST(PageRank, MatchesTheHandSolvedStar) {
  LinkList links;
  for (Node leaf = 1; leaf <= 9; ++leaf) links.insert(links.end(), {{0, leaf}, {leaf, 0}});
  const auto ranked = pagerank(Snapshot::from_links(10, links));
  EXPECT_NEAR(ranked.scores[0], (0.015 + 0.85) / 1.85, 1e-9);
}

TEST(PageRank, EqualsTheDenseReference) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const auto graph = troubled_graph(random, 60 + static_cast<Node>(random.below(60)));
    const auto preference = random_distribution(random, graph.node_count());
    std::vector<double> weights(graph.link_count());
    for (double& weight : weights) weight = random.chance(0.2) ? 0 : random.unit();
    for (const DeadEnds dead_ends : {DeadEnds::Uniform, DeadEnds::Preference, DeadEnds::Drop}) {
      for (const auto method : {PageRankMethod::GaussSeidel, PageRankMethod::Power}) {
        for (const bool personal : {false, true}) {
          for (const bool weighted : {false, true}) {
            PageRankOptions options;
            options.damping = 0.5 + 0.45 * random.unit();
            options.tolerance = 1e-11;
            options.iterations_max = 2000;
            options.dead_ends = dead_ends;
            options.method = method;
            if (personal) options.preference = preference;
            if (weighted) options.link_weights = weights;
            const auto ranked = pagerank(graph, options);
            ASSERT_TRUE(ranked.converged);
            ASSERT_LE(distance(ranked.scores, slow_pagerank(graph, options)), 1e-11)
                << "seed " << seed << " dead ends " << static_cast<int>(dead_ends) << " method "
                << static_cast<int>(method) << " personal " << personal << " weighted " << weighted;
          }
        }
      }
    }
  }
}

// After any number of iterations, and in every mode, the distance is within the bound.
TEST(PageRank, TheErrorBoundBounds) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    const auto graph = troubled_graph(random, 100);
    const auto preference = random_distribution(random, graph.node_count());
    for (const DeadEnds dead_ends : {DeadEnds::Uniform, DeadEnds::Preference, DeadEnds::Drop}) {
      for (const auto method : {PageRankMethod::GaussSeidel, PageRankMethod::Power}) {
        for (const bool personal : {false, true}) {
          PageRankOptions options;
          options.damping = 0.9;
          options.dead_ends = dead_ends;
          options.method = method;
          if (personal) options.preference = preference;
          const auto exact = slow_pagerank(graph, options);
          double last = 10;
          for (const int iterations : {1, 2, 3, 5, 10, 20, 40}) {
            options.iterations_max = iterations;
            const auto ranked = pagerank(graph, options);
            ASSERT_LE(distance(ranked.scores, exact), ranked.error_bound + 1e-14);
            ASSERT_EQ(ranked.converged, ranked.error_bound <= options.tolerance);
            last = ranked.error_bound;
          }
          EXPECT_LT(last, 1) << "a bound that never falls would bound as well";
        }
      }
    }
  }
}

// A bound that is too large is also valid, but costs iterations. Here it is tight: on a long ring
// that is entered at one node, k iterations from nothing leave d^k of the surfer on its way. Drop
// misses exactly that; the others send it to wrong places, so they miss it twice.
TEST(PageRank, TheErrorBoundIsNoLargerThanTheErrorCanBe) {
  constexpr Node kNodes = 200;
  constexpr double kDamping = 0.1;
  constexpr int kIterations = 4;
  LinkList links;
  for (Node node = 0; node < kNodes; ++node) links.emplace_back((node + 1) % kNodes, node);
  const auto graph = Snapshot::from_links(kNodes, links);
  std::vector<double> preference(kNodes);
  preference[kNodes - 1] = 1;
  const std::vector<double> start(kNodes);
  for (const DeadEnds dead_ends : {DeadEnds::Uniform, DeadEnds::Preference, DeadEnds::Drop}) {
    PageRankOptions options;
    options.damping = kDamping;
    options.iterations_max = kIterations;
    options.preference = preference;
    options.dead_ends = dead_ends;
    options.method = PageRankMethod::Power;
    options.start = start;
    const auto ranked = pagerank(graph, options);
    const double lost = std::pow(kDamping, kIterations);
    EXPECT_NEAR(ranked.error_bound / lost, dead_ends == DeadEnds::Drop ? 1 : 2, 0.01);
    const double off = distance(ranked.scores, slow_pagerank(graph, options));
    EXPECT_NEAR(ranked.error_bound / off, 1, 0.03) << static_cast<int>(dead_ends);
  }
}

TEST(PageRank, SumsAsThePapersSay) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const auto graph = troubled_graph(random, 200);
    EXPECT_LE(sum(pagerank(graph, {.dead_ends = DeadEnds::Drop}).scores), 1 + 1e-12);
    EXPECT_NEAR(sum(pagerank(graph).scores), 1, 1e-12);
    EXPECT_NEAR(sum(pagerank(graph, {.dead_ends = DeadEnds::Preference}).scores), 1, 1e-12);
    LinkList links = links_of(graph);
    for (Node node = 0; node < graph.node_count(); ++node) {
      links.emplace_back(node, (node + 1) % graph.node_count());  // no dead ends
    }
    const auto lively = Snapshot::from_links(graph.node_count(), links);
    EXPECT_NEAR(sum(pagerank(lively, {.dead_ends = DeadEnds::Drop}).scores), 1, 1e-9);
  }
}

TEST(PageRank, IsLinearInThePreferenceWhenItDrops) {
  Random random(8);
  const auto graph = troubled_graph(random, 300);
  const auto a = random_distribution(random, graph.node_count());
  const auto b = random_distribution(random, graph.node_count());
  std::vector<double> mixed(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) mixed[i] = 0.3 * a[i] + 0.7 * b[i];
  const auto of = [&](std::span<const double> preference) {
    return pagerank(graph,
                    {.tolerance = 1e-13, .preference = preference, .dead_ends = DeadEnds::Drop})
        .scores;
  };
  const auto of_a = of(a), of_b = of(b), of_mixed = of(mixed);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(of_mixed[i], 0.3 * of_a[i] + 0.7 * of_b[i], 1e-12);
  }
}

TEST(PageRank, SameBitsForAnyNumberOfThreads) {
  Random random(9);
  const auto graph = random_graph(random, 30000);
  const auto preference = random_distribution(random, graph.node_count());
  for (const auto method : {PageRankMethod::GaussSeidel, PageRankMethod::Power}) {
    for (const bool personal : {false, true}) {
      PageRankOptions options;
      options.method = method;
      if (personal) options.preference = preference;
      options.work.threads = 1;
      const auto one = pagerank(graph, options);
      for (const unsigned threads : {2u, 3u, 8u}) {
        options.work.threads = threads;
        const auto more = pagerank(graph, options);
        EXPECT_EQ(one.scores, more.scores);
        EXPECT_EQ(one.error_bound, more.error_bound);
        EXPECT_EQ(one.iterations, more.iterations);
      }
    }
  }
}

// (1 - d) / n, whatever they link to: not one bit may tell them apart.
TEST(PageRank, PagesWithoutLinksToThemAreEqual) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const Snapshot graph = troubled_graph(random, 300);
    for (const auto method : {PageRankMethod::GaussSeidel, PageRankMethod::Power}) {
      for (const auto dead_ends : {DeadEnds::Drop, DeadEnds::Preference}) {
        const auto scores = pagerank(graph, {.dead_ends = dead_ends, .method = method}).scores;
        std::vector<double> unlinked;
        for (Node node = 0; node < graph.node_count(); ++node) {
          if (graph.in_degree(node) == 0) unlinked.push_back(scores[node]);
        }
        ASSERT_GT(unlinked.size(), 10U);
        for (const double score : unlinked) EXPECT_EQ(score, unlinked.front());
      }
    }
  }
}

TEST(PageRank, AWarmStartSavesIterations) {
  Random random(10);
  const auto graph = troubled_graph(random, 2000);
  for (const DeadEnds dead_ends : {DeadEnds::Uniform, DeadEnds::Drop}) {
    const auto cold = pagerank(graph, {.dead_ends = dead_ends});
    const auto warm = pagerank(graph, {.dead_ends = dead_ends, .start = cold.scores});
    EXPECT_LE(warm.iterations, 2) << "cold " << cold.iterations;
    EXPECT_LE(distance(warm.scores, cold.scores), 2e-9);
  }
  // Whatever it starts from, it ends at the same place.
  const std::vector<double> nonsense(graph.node_count(), 1000), zeros(graph.node_count(), 0);
  const auto cold = pagerank(graph);
  EXPECT_LE(distance(pagerank(graph, {.start = nonsense}).scores, cold.scores), 2e-9);
  EXPECT_LE(distance(pagerank(graph, {.start = zeros}).scores, cold.scores), 2e-9);
}

TEST(PageRank, NothingToFollowIsNoError) {
  EXPECT_TRUE(pagerank(Snapshot()).scores.empty());
  EXPECT_TRUE(pagerank(Snapshot()).converged);
  const auto alone = Snapshot::from_links(4, {});
  EXPECT_LE(distance(pagerank(alone).scores, std::vector<double>(4, 0.25)), 1e-12);
  const auto lost = pagerank(alone, {.dead_ends = DeadEnds::Drop}).scores;
  EXPECT_LE(distance(lost, std::vector<double>(4, 0.15 / 4)), 1e-12);
  const std::vector<double> preference = {0, 1, 0, 0};
  EXPECT_LE(distance(pagerank(alone, {.preference = preference}).scores,
                     {0.2125, 0.3625, 0.2125, 0.2125}),
            1e-9);  // y = 0.85/4 + 0.15 x
  const auto self = Snapshot::from_links(1, {{0, 0}});
  EXPECT_NEAR(pagerank(self).scores[0], 1, 1e-12);
  EXPECT_NEAR(pagerank(self, {.dead_ends = DeadEnds::Drop}).scores[0], 1, 1e-12);
}

TEST(PageRank, WithoutDampingAllIsPreference) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const std::vector<double> preference = {0.25, 0.75};
  EXPECT_EQ(pagerank(graph, {.damping = 0, .preference = preference}).scores, preference);
}

TEST(PageRank, TellsWhenItStoppedEarly) {
  Random random(11);
  const auto ranked = pagerank(random_graph(random, 500), {.iterations_max = 3});
  EXPECT_FALSE(ranked.converged);
  EXPECT_EQ(ranked.iterations, 3);
  EXPECT_GT(ranked.error_bound, 1e-9);
}

TEST(PageRank, RefusesWhatMakesNoSense) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const double nan = std::nan("");
  const std::vector<double> broken = {nan, 1}, heavy = {1, 1}, negative = {2, -1}, three(3, 1);
  const std::vector<double> infinite = {std::numeric_limits<double>::infinity()};
  EXPECT_THROW(pagerank(graph, {.damping = -0.1}), Error);
  EXPECT_THROW(pagerank(graph, {.damping = 1}), Error);
  EXPECT_THROW(pagerank(graph, {.damping = nan}), Error);
  EXPECT_THROW(pagerank(graph, {.tolerance = 0}), Error);
  EXPECT_THROW(pagerank(graph, {.tolerance = nan}), Error);
  EXPECT_THROW(pagerank(graph, {.iterations_max = 0}), Error);
  for (const auto& preference : {broken, heavy, negative, three}) {
    EXPECT_THROW(pagerank(graph, {.preference = preference}), Error);
  }
  EXPECT_THROW(pagerank(graph, {.link_weights = three}), Error);
  EXPECT_THROW(pagerank(graph, {.link_weights = infinite}), Error);
  EXPECT_THROW(pagerank(graph, {.start = three}), Error);
  EXPECT_THROW(pagerank(graph, {.start = broken}), Error);
}

TEST(PageRank, CanBeWatchedAndStopped) {
  Random random(12);
  const auto graph = random_graph(random, 100);
  CancelToken cancel;
  std::uint64_t told = 0;
  PageRankOptions options;
  options.work.cancel = &cancel;
  options.work.progress = [&](const Progress& progress) {
    told = progress.done;
    if (progress.unit == "iterations" && progress.done == 5) cancel.cancel();
  };
  EXPECT_THROW(pagerank(graph, options), Error);
  EXPECT_EQ(told, 5u);
}

}  // namespace
}  // namespace webstrata
