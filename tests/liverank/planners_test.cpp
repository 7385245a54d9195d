// SPDX-License-Identifier: Apache-2.0

// What holds for every method: each page once, under any conditions, and the negative controls.

#include "webstrata/liverank/planners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/liverank/small_population.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

class EveryMethod : public testing::TestWithParam<std::string> {};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const PlannerEntry& entry : planners()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(LiveRank, EveryMethod, testing::ValuesIn(method_names()),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

bool is_permutation(const std::vector<Node>& order, Node count) {
  return order.size() == count && std::set<Node>(order.begin(), order.end()).size() == count;
}

TEST_P(EveryMethod, TestsEachPageOnceAndIsRepeatable) {
  const Population pages = population_of(made_web(10, 12, 5));
  std::vector<int> live(pages.size());
  for (Node page = 0; page < pages.size(); ++page) live[page] = page % 24 < 12 ? 1 : 0;
  const Truth truth = truth_from(live);
  const LiveRun run = run_on(GetParam(), pages, truth, {.seed = 3});
  EXPECT_TRUE(is_permutation(run.order, pages.size()));
  EXPECT_EQ(run.found, truth.live);
  EXPECT_EQ(run_on(GetParam(), pages, truth, {.seed = 3}).order, run.order);
}

TEST_P(EveryMethod, IsDefinedWhenAllAreDeadOrAllAlive) {
  const Population pages = population_of(made_web(3, 10, 7));
  for (const int value : {0, 1}) {
    const Truth truth = truth_from(std::vector<int>(pages.size(), value));
    EXPECT_TRUE(is_permutation(run_on(GetParam(), pages, truth).order, pages.size()));
  }
}

TEST_P(EveryMethod, IsDefinedForOnePageAndWithoutLinksOrNames) {
  const Population one =
      population_of(with_names(Snapshot::from_links(1, {}), {"http://a.example/"}));
  EXPECT_EQ(run_on(GetParam(), one, truth_from({1})).order, std::vector<Node>{0});
  const Population bare = population_of(Snapshot::from_links(40, {}));
  std::vector<int> live(40);
  std::fill(live.begin(), live.begin() + 15, 1);
  const LiveRun run = run_on(GetParam(), bare, truth_from(live));
  EXPECT_TRUE(is_permutation(run.order, 40));
  EXPECT_EQ(run.found, 15U);
}

TEST_P(EveryMethod, SpendsNoMoreThanItsBudget) {
  const Population pages = population_of(made_web(4, 10, 7));
  const Truth truth = truth_from(std::vector<int>(pages.size(), 1));
  for (const std::uint64_t budget : {0, 1, 7, 1000}) {
    const LiveRun run = run_on(GetParam(), pages, truth, {}, {.budget = budget});
    EXPECT_EQ(run.tests, std::min<std::uint64_t>(budget, pages.size()));
  }
}

TEST_P(EveryMethod, TakesAnswersThatComeTwiceLateOrOtherwise) {
  const Population pages = population_of(made_web(4, 10, 9));
  const auto planner = make_planner(GetParam(), pages);
  const std::vector<Node> first = planner->next(5);
  const std::vector<Node> second = planner->next(5);  // before any answer
  const Finding live{second[0], Outcome::Alive, Verdict::Live};
  const Finding dead{second[0], Outcome::Gone, Verdict::Dead};
  const Finding blocked{first[0], Outcome::Blocked, Verdict::Undecided};
  EXPECT_EQ(planner->learn(std::vector{live, live, dead, blocked}).learned, 1U);
  EXPECT_EQ(planner->verdict(second[0]), Verdict::Live);
  EXPECT_EQ(planner->verdict(first[0]), Verdict::Undecided);
  const LearnReport report =
      planner->learn(std::vector{dead, live, {first[0], Outcome::Alive, Verdict::Live}});
  EXPECT_EQ(report.contradicting, 1U);
  EXPECT_EQ(report.repeated, 1U);
  EXPECT_EQ(report.learned, 1U);
  std::set<Node> named(first.begin(), first.end());
  named.insert(second.begin(), second.end());
  while (true) {
    const auto batch = planner->next(3);
    if (batch.empty()) break;
    for (const Node page : batch) EXPECT_TRUE(named.insert(page).second) << page;
  }
  EXPECT_EQ(named.size(), pages.size());
  EXPECT_THROW(planner->learn(std::vector{Finding{pages.size(), Outcome::Alive, Verdict::Live}}),
               Error);
}

TEST_P(EveryMethod, SaysWhy) {
  const Population pages = population_of(made_web(4, 10, 9));
  const auto planner = make_planner(GetParam(), pages);
  EXPECT_FALSE(planner->why(3).empty());
  const auto batch = planner->next(4);
  for (const Node page : batch) {
    planner->learn(
        std::vector{Finding{page, Outcome::Alive, page % 2 == 0 ? Verdict::Live : Verdict::Dead}});
  }
  planner->next(4);
  EXPECT_FALSE(planner->why(3).empty());
}

// Negative control 1: with shuffled labels every method falls to n / n_a. The mean of 30 runs at
// alpha = .5 has a standard deviation near 1 %.
TEST_P(EveryMethod, IsNoBetterThanRandomOnShuffledLabels) {
  const Population pages = population_of(made_web(20, 30, 11));
  double sum = 0;
  constexpr int kRuns = 12;
  for (int run = 0; run < kRuns; ++run) {
    Random random(static_cast<std::uint64_t>(run) + 1);
    std::vector<int> live(pages.size());
    std::fill(live.begin(), live.begin() + 240, 1);
    for (std::size_t i = 0; i + 1 < live.size(); ++i) {
      std::swap(live[i], live[i + random.below(live.size() - i)]);
    }
    const Truth truth = truth_from(live);
    const PlannerOptions options{.seed = static_cast<std::uint64_t>(run) + 1};
    sum += *run_on(GetParam(), pages, truth, options).curve.cost(0.5, truth.live);
  }
  EXPECT_NEAR(sum / kRuns, 600.0 / 240, 0.15);
}

// Negative control 2: labels by degree alone, many links or few, do not make link evidence hurt.
TEST(Planners, AreNotWorseThanRandomWhenDegreeAloneDecides) {
  const Population pages = population_of(made_web(20, 30, 12));
  for (const bool many : {true, false}) {
    std::vector<int> live(pages.size());
    for (Node page = 0; page < pages.size(); ++page) {
      live[page] = (pages.graph.in_degree(page) >= 6) == many ? 1 : 0;
    }
    const Truth truth = truth_from(live);
    const double random = static_cast<double>(pages.size()) / static_cast<double>(truth.live);
    for (const char* method : {"pb", "lore", "auto"}) {
      double sum = 0;
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        sum += *run_on(method, pages, truth, {.seed = seed}).curve.area(truth.live);
      }
      EXPECT_LT(sum / 4, random * 1.02) << method << (many ? ", many links" : ", few links");
    }
  }
}

TEST(Planners, LearnWhichHostsLive) {
  const Population pages = population_of(made_web(20, 30, 13));
  std::vector<int> live(pages.size());
  for (Node page = 0; page < pages.size(); ++page) live[page] = page / 30 % 3 == 0 ? 1 : 0;
  const Truth truth = truth_from(live);
  for (const char* method : {"asf", "pb", "lore", "auto"}) {
    PlannerOptions options{.sample = SampleOptions{.kind = SampleKind::Systematic, .size = 40}};
    options.site_directories = 0;
    EXPECT_LT(*run_on(method, pages, truth, options).curve.cost(0.8, truth.live), 1.4) << method;
  }
}

TEST(Planners, AreOneListWithoutDoublets) {
  std::set<std::string_view> names;
  for (const PlannerEntry& entry : planners()) EXPECT_TRUE(names.insert(entry.name).second);
  EXPECT_EQ(names.size(), 12U);
  EXPECT_THROW(planner_entry("luck"), Error);
  const Population pages = population_of(made_web(2, 2, 1));
  EXPECT_THROW(make_planner("pa", pages, {.damping = 1}), Error);
  EXPECT_THROW(make_planner("pa", pages, {.round = -1}), Error);
}

// In-degree and PageRank by hand: 0 -> 2, 1 -> 2, 2 -> 1.
TEST(StaticPlanners, FollowTheGraphAlone) {
  const Population pages = population_of(Snapshot::from_links(4, {{0, 2}, {1, 2}, {2, 1}}));
  const Truth truth = truth_from({1, 1, 1, 1});
  EXPECT_EQ(run_on("indegree", pages, truth).order, (std::vector<Node>{2, 1, 0, 3}));
  const auto by_pagerank = run_on("pagerank", pages, truth).order;
  EXPECT_EQ(by_pagerank[0], 2U);
  EXPECT_EQ(by_pagerank[1], 1U);
  PlannerOptions by_luck{.ties = TieRule::Random};
  std::set<std::vector<Node>> orders;
  for (by_luck.seed = 1; by_luck.seed < 20; ++by_luck.seed) {
    orders.insert(run_on("indegree", pages, truth, by_luck).order);
  }
  EXPECT_EQ(orders.size(), 2U);
}

// A random order costs n / n_a.
TEST(StaticPlanners, RandomCostsTheRatio) {
  const Population pages = population_of(Snapshot::from_links(2000, {}));
  std::vector<int> live(2000);
  std::fill(live.begin(), live.begin() + 500, 1);
  const Truth truth = truth_from(live);
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    sum += *run_on("random", pages, truth, {.seed = seed}).curve.cost(0.5, 500);
  }
  EXPECT_NEAR(sum / 50, 4, 0.05);
}

}  // namespace
}  // namespace webstrata
