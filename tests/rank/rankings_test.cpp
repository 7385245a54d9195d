// SPDX-License-Identifier: Apache-2.0
#include "webstrata/rank/rankings.h"

#include <set>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Rankings, EveryOneScoresEveryNode) {
  const auto graph = Snapshot::from_links(5, {{0, 1}, {1, 2}, {2, 0}, {3, 1}});
  std::set<std::string_view> names;
  for (const Ranking& ranking : rankings()) {
    EXPECT_TRUE(names.insert(ranking.name).second) << ranking.name;
    EXPECT_EQ(&find_ranking(ranking.name), &ranking);
    EXPECT_EQ(ranking.run(graph, {}).scores.size(), 5u) << ranking.name;
    EXPECT_TRUE(ranking.run(Snapshot(), {}).scores.empty()) << ranking.name;
  }
}

TEST(Rankings, AnUnknownNameIsToldTheKnownOnes) {
  try {
    find_ranking("glory");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("harmonic"), std::string::npos);
  }
}

TEST(TopNodes, HighestFirstThenByNumber) {
  const std::vector<double> scores = {1, 3, 2, 3, 1};
  EXPECT_EQ(top_nodes(scores, 3), (std::vector<Node>{1, 3, 2}));
  EXPECT_EQ(top_nodes(scores, 99), (std::vector<Node>{1, 3, 2, 0, 4}));
  EXPECT_TRUE(top_nodes({}, 1).empty());
}

TEST(PlacesOf, AreWhereTheOrderHasTheNodes) {
  EXPECT_EQ(places_of({1, 3, 2, 3, 1}), (std::vector<std::uint32_t>{4, 1, 3, 2, 5}));
  EXPECT_TRUE(places_of({}).empty());
}

}  // namespace
}  // namespace webstrata
