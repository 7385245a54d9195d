// SPDX-License-Identifier: Apache-2.0

// P_a and P±, by hand on small graphs and by linearity.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/liverank/small_population.h"
#include "webstrata/rank/pagerank.h"

namespace webstrata {
namespace {

double score_of(Planner& planner, Node page) { return planner.why(page).front().value; }

// Plans the sample, answers it, and plans again.
std::vector<Node> rest_of(Planner& planner, const std::vector<Finding>& findings) {
  planner.learn(findings);
  std::vector<Node> order;
  for (auto batch = planner.next(100); !batch.empty(); batch = planner.next(100)) {
    order.insert(order.end(), batch.begin(), batch.end());
  }
  return order;
}

Finding live(Node page) { return {page, Outcome::Alive, Verdict::Live}; }
Finding dead(Node page) { return {page, Outcome::Gone, Verdict::Dead}; }

// 0 -> 2 -> 3, 1 -> 4. From 0 alone: Y(0) = .15, Y(2) = .85·.15, Y(3) = .85²·.15, others 0.
TEST(Pa, FollowsLinksFromLivePages) {
  const Population pages = population_of(Snapshot::from_links(5, {{0, 2}, {2, 3}, {1, 4}}));
  const PlannerOptions options{.sample = SampleOptions{.size = 0, .size_min = 0}};
  const auto planner = make_planner("pa", pages, options);
  planner->learn(std::vector{live(0), dead(1)});
  EXPECT_NEAR(score_of(*planner, 2), 0.85 * 0.15, 1e-9);
  EXPECT_NEAR(score_of(*planner, 3), 0.85 * 0.85 * 0.15, 1e-9);
  EXPECT_EQ(score_of(*planner, 4), 0);
  EXPECT_EQ(rest_of(*planner, {}), (std::vector<Node>{2, 3, 4}));
}

// Both live and dead pages lead to 2, only live ones to 3, only dead ones to 4; none leads to 5.
// live 0 -> 2, 3; dead 1 -> 2, 4. Y+(2) = Y+(3) = Y−(2) = Y−(4) = .85·.15/2: scores 1, 1, 0;
// the zero of Y−(3) becomes the least other value, that of 2 and 4.
TEST(PaRatio, ReplacesZerosBelowTheBar) {
  const Population pages = population_of(Snapshot::from_links(6, {{0, 2}, {0, 3}, {1, 2}, {1, 4}}));
  const PlannerOptions options{.sample = SampleOptions{.size = 0, .size_min = 0}};
  const auto planner = make_planner("pa-ratio", pages, options);
  planner->learn(std::vector{live(0), dead(1)});
  EXPECT_NEAR(score_of(*planner, 2), 1, 1e-9);
  EXPECT_NEAR(score_of(*planner, 3), 1, 1e-9);
  EXPECT_EQ(score_of(*planner, 4), 0);
  EXPECT_EQ(score_of(*planner, 5), 0);
}

TEST(PaRatio, WithoutDeadPagesIsPaAndWithoutLiveOnesItsInverse) {
  const Population pages = population_of(made_web(3, 8, 2));
  const PlannerOptions options{.sample = SampleOptions{.size = 0, .size_min = 0}};
  const auto pa = make_planner("pa", pages, options);
  const auto ratio = make_planner("pa-ratio", pages, options);
  for (const auto& planner : {pa.get(), ratio.get()}) planner->learn(std::vector{live(0), live(9)});
  EXPECT_EQ(rest_of(*pa, {}), rest_of(*ratio, {}));
  const auto anti = make_planner("pa-ratio", pages, options);
  const auto mirror = make_planner("pa", pages, options);
  anti->learn(std::vector{dead(0)});
  mirror->learn(std::vector{live(0)});
  for (Node page = 1; page < pages.size(); ++page) {
    const double there = score_of(*mirror, page);
    if (there == 0) continue;
    EXPECT_NEAR(score_of(*anti, page) * there, 1, 1e-9) << page;
  }
}

// A property stated in the papers: on a full sample PageRank is the mix of P_a and anti-P_a.
TEST(Pa, IsLinearInTheSample) {
  const Population pages = population_of(made_web(4, 10, 3));
  std::vector<double> uniform(pages.size());
  for (const bool wants_live : {true, false}) {
    std::vector<double> preference(pages.size());
    double count = 0;
    for (Node page = 0; page < pages.size(); ++page) {
      if ((page % 3 == 0) == wants_live) count += 1;
    }
    for (Node page = 0; page < pages.size(); ++page) {
      preference[page] = (page % 3 == 0) == wants_live ? 1 / count : 0;
    }
    const auto part =
        pagerank(pages.graph, {.preference = preference, .dead_ends = DeadEnds::Drop}).scores;
    for (Node page = 0; page < pages.size(); ++page)
      uniform[page] += part[page] * count / pages.size();
  }
  for (Node page = 0; page < pages.size(); ++page) {
    EXPECT_NEAR(uniform[page], pages.pagerank[page], 1e-8);
  }
}

// Dynamic by push: the scores are those of two rounds on the same answers, up to a factor.
TEST(Pa, PushedOnIsTheSameAsComputedAnew) {
  const Population pages = population_of(made_web(4, 10, 4));
  PlannerOptions options{.sample = SampleOptions{.size = 0, .size_min = 0}};
  const auto exact = make_planner("pa-ratio", pages, options);
  options.round = 1;
  options.push_epsilon = 1e-10;
  const auto pushed = make_planner("pa-ratio", pages, options);
  for (Node page = 0; page < 12; ++page) {
    const Finding finding = page % 2 == 0 ? live(page) : dead(page);
    exact->learn(std::vector{finding});
    pushed->learn(std::vector{finding});
  }
  for (Node page = 12; page < pages.size(); ++page) {
    const double there = score_of(*exact, page);
    EXPECT_NEAR(score_of(*pushed, page), there, 1e-4 * std::max(1.0, there)) << page;
  }
}

// It does not leave what the live sample leads to.
TEST(Recursive, StaysAroundItsSample) {
  const Population pages =
      population_of(Snapshot::from_links(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
  const auto planner =
      make_planner("recursive", pages, {.sample = SampleOptions{.size = 0, .size_min = 0}});
  const auto order = rest_of(*planner, {live(0), dead(3)});
  EXPECT_EQ(std::set<Node>(order.begin(), order.begin() + 2), (std::set<Node>{1, 2}));
}

}  // namespace
}  // namespace webstrata
