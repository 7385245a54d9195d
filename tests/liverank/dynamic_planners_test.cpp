// SPDX-License-Identifier: Apache-2.0

// BFS and AI, step by step against the papers' definitions written out naively; ASF by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "tests/liverank/small_population.h"

namespace webstrata {
namespace {

std::vector<int> random_life(Node count, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> live(count);
  for (int& one : live) one = random.chance(0.4) ? 1 : 0;
  return live;
}

// The untested page of highest PageRank.
Node best_by_pagerank(const Population& pages, const std::vector<std::uint8_t>& is_tested) {
  Node best = pages.size();
  for (Node page = 0; page < pages.size(); ++page) {
    if (is_tested[page] != 0) continue;
    if (best == pages.size() || pages.pagerank[page] > pages.pagerank[best]) best = page;
  }
  return best;
}

std::vector<Node> naive_bfs(const Population& pages, const std::vector<Node>& sample,
                            const std::vector<int>& live) {
  std::deque<Node> queue(sample.begin(), sample.end());
  std::vector<std::uint8_t> is_tested(pages.size());
  std::vector<Node> order;
  while (order.size() < pages.size()) {
    if (queue.empty()) queue.push_back(best_by_pagerank(pages, is_tested));
    const Node page = queue.front();
    queue.pop_front();
    if (is_tested[page] != 0) continue;
    is_tested[page] = 1;
    order.push_back(page);
    if (live[page] == 0) continue;
    for (const Node target : pages.graph.successors(page)) queue.push_back(target);
  }
  return order;
}

std::vector<Node> naive_ai(const Population& pages, const std::vector<Node>& sample,
                           const std::vector<int>& live) {
  std::vector<std::uint8_t> is_tested(pages.size());
  std::vector<Node> order = sample;
  for (const Node page : sample) is_tested[page] = 1;
  while (order.size() < pages.size()) {
    Node best = pages.size();
    std::pair<int, double> best_score;
    for (Node page = 0; page < pages.size(); ++page) {
      if (is_tested[page] != 0) continue;
      int links = 0;
      for (const Node source : pages.graph.predecessors(page)) {
        links += is_tested[source] != 0 && live[source] != 0 ? 1 : 0;
      }
      const std::pair score(links, pages.pagerank[page]);
      if (best == pages.size() || score > best_score) {
        best = page;
        best_score = score;
      }
    }
    is_tested[best] = 1;
    order.push_back(best);
  }
  return order;
}

TEST(Bfs, IsTheQueueOfThePaper) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Population pages = population_of(made_web(6, 15, seed));
    const auto live = random_life(pages.size(), seed);
    const SampleOptions sample{.kind = SampleKind::Random, .size = 7};
    EXPECT_EQ(run_on("bfs", pages, truth_from(live), {.seed = seed, .sample = sample}).order,
              naive_bfs(pages, sampled(pages, sample, seed), live));
  }
}

TEST(Ai, TakesThePageWithMostLinksFromLivePages) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Population pages = population_of(made_web(6, 15, seed));
    const auto live = random_life(pages.size(), seed);
    const SampleOptions sample{.kind = SampleKind::PageRank, .size = 7};
    EXPECT_EQ(run_on("ai", pages, truth_from(live), {.seed = seed, .sample = sample}).order,
              naive_ai(pages, sampled(pages, sample, seed), live));
  }
}

// Undirected graphs: the neighbours of a live page, whichever way the link goes.
TEST(Ai, WalksBothWaysWhereLinksHaveNoDirection) {
  const Snapshot graph = Snapshot::from_links(4, {{1, 0}, {2, 3}});
  const Population pages = population_of(graph, {.undirected = true});
  const auto planner =
      make_planner("ai", pages, {.sample = SampleOptions{.size = 0, .size_min = 0}});
  planner->learn(std::vector{Finding{0, Outcome::Alive, Verdict::Live}});
  EXPECT_EQ(planner->next(1), std::vector<Node>{1});
}

Population three_sites() {
  return population_of(with_names(
      Snapshot::from_links(8, {}),
      {"http://a.example/1", "http://a.example/2", "http://a.example/3", "http://b.example/1",
       "http://b.example/2", "http://b.example/3", "http://c.example/1", "http://c.example/2"}));
}

std::vector<Node> after(const Population& pages, const PlannerOptions& options) {
  const auto planner = make_planner("asf", pages, options);
  planner->learn(std::vector<Finding>{{0, Outcome::Alive, Verdict::Live},
                                      {1, Outcome::Gone, Verdict::Dead},
                                      {3, Outcome::Gone, Verdict::Dead},
                                      {4, Outcome::Gone, Verdict::Dead}});
  return planner->next(10);
}

// a has 1 of 2, b 0 of 2, c no page in the sample.
TEST(Asf, OrdersSitesByTheirShareOfLivePages) {
  const Population pages = three_sites();
  PlannerOptions options{.sample = SampleOptions{.size = 0, .size_min = 0},
                         .ties = TieRule::Number};
  options.site_directories = 0;
  EXPECT_EQ(after(pages, options), (std::vector<Node>{2, 5, 6, 7}));
  options.unsampled_sites = UnsampledSites::MeanRate;  // 1 of 4
  EXPECT_EQ(after(pages, options), (std::vector<Node>{2, 6, 7, 5}));
}

TEST(Asf, TakesDirectoriesForSitesWhereOneHostRules) {
  const Population pages = population_of(
      with_names(Snapshot::from_links(4, {}), {"http://a.example/x/1", "http://a.example/x/2",
                                               "http://a.example/y/1", "http://b.example/1"}));
  EXPECT_EQ(sites_of(pages, {}).group_of, (std::vector<std::uint32_t>{0, 0, 1, 2}));
  EXPECT_EQ(sites_of(pages, 0).group_of, (std::vector<std::uint32_t>{0, 0, 0, 1}));
}

}  // namespace
}  // namespace webstrata
