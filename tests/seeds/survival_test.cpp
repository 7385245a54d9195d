// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/survival.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/seeds/named_graph.h"

namespace webstrata {
namespace {

Snapshot two_hosts() {
  return with_names(Snapshot::from_links(5, {}),
                    {"http://a.example/x/1", "http://a.example/x/2", "http://a.example/y/1",
                     "http://b.example/x/1", "not a url"});
}

// By hand: all = (alive + 1) / (tested + 2), a group = (alive + 2 * around) / (tested + 2).
TEST(GroupSurvival, LeansOnTheGroupAround) {
  const Snapshot graph = two_hosts();
  GroupSurvival survival(graph);
  EXPECT_DOUBLE_EQ(survival.probability(0), 0.5);
  survival.learn(0, false);
  const double all = 1.0 / 3;
  const double host = 2 * all / 3;
  const double directory = 2 * host / 3;
  EXPECT_DOUBLE_EQ(survival.probability(1), directory);
  EXPECT_DOUBLE_EQ(survival.probability(2), host);
  EXPECT_DOUBLE_EQ(survival.probability(3), all);
  EXPECT_DOUBLE_EQ(survival.probability(4), all);
  survival.learn(3, true);
  EXPECT_DOUBLE_EQ(survival.probability(4), 2.0 / 4);
  EXPECT_DOUBLE_EQ(survival.probability(3), (1 + 2 * ((1 + 2 * 0.5) / 3)) / 3);
}

TEST(GroupSurvival, WithoutNamesKnowsTheRunningRate) {
  const Snapshot graph = Snapshot::from_links(3, {});
  GroupSurvival survival(graph);
  survival.learn(0, true);
  survival.learn(1, true);
  EXPECT_DOUBLE_EQ(survival.probability(2), 3.0 / 4);
}

Snapshot with_facts(const Snapshot& graph, const std::vector<std::uint32_t>& captures,
                    const std::vector<Outcome>& outcomes) {
  NodeColumns columns;
  columns.captures = Column<std::uint32_t>(captures);
  columns.outcome = Column<Outcome>(outcomes);
  return graph.with_node_columns(std::move(columns));
}

TEST(Survival, OnlyCapturedPagesThatAreNotGoneArePages) {
  const Snapshot graph = with_facts(
      two_hosts(), {1, 0, 2, 1, 1},
      {Outcome::Alive, Outcome::Alive, Outcome::Gone, Outcome::Blocked, Outcome::SoftGone});
  EXPECT_EQ(pages_of(graph), (std::vector<Node>{0, 3}));
  EXPECT_EQ(pages_of(two_hosts()).size(), 5);
}

TEST(Survival, ByNameNeedsAPageThatDidNotMove) {
  const Snapshot old = two_hosts();
  const Snapshot newer = with_facts(
      with_names(Snapshot::from_links(3, {}),
                 {"http://a.example/y/1", "http://a.example/x/1", "http://b.example/x/1"}),
      {1, 0, 1}, {Outcome::Alive, Outcome::Unknown, Outcome::Moved});
  const SurvivalTest test = survival_by_name(old, newer);
  EXPECT_TRUE(test(2));
  EXPECT_EQ(survivor(old, newer, 2), Node{0});
  EXPECT_FALSE(test(0));  // linked to, never captured
  EXPECT_FALSE(test(3));  // moved
  EXPECT_FALSE(test(1));  // it is unknown
}

TEST(Survival, DrawsWithoutRepetition) {
  Random random(3);
  const std::vector<Node> nodes = {4, 5, 6, 7, 8, 9};
  const std::vector<Node> some = drawn(nodes, 4, random);
  EXPECT_EQ(std::set<Node>(some.begin(), some.end()).size(), 4);
  EXPECT_EQ(drawn(nodes, 100, random).size(), 6);
}

}  // namespace
}  // namespace webstrata
