// SPDX-License-Identifier: Apache-2.0
#include "webstrata/rank/freshness.h"

#include <cmath>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/pagerank.h"

namespace webstrata {
namespace {

Snapshot seen_graph() {
  LinkColumns columns;
  for (const std::optional<Time> time :
       {std::optional<Time>(1000), std::optional<Time>(900), std::optional<Time>(),
        std::optional<Time>(), std::optional<Time>(5)}) {
    columns.last_seen.push_back(time);
  }
  return Snapshot::from_links(4, {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}})
      .with_link_columns(columns);
}

TEST(Freshness, FadesWithTheAgeBehindTheFreshestLinkOfThePage) {
  const auto weights = freshness_weights(seen_graph(), 100);
  EXPECT_NEAR(weights[0], 1, 1e-12);
  EXPECT_NEAR(weights[1], std::exp(-1), 1e-12);
  EXPECT_NEAR(weights[2], (1 + std::exp(-1)) / 2, 1e-12) << "unknown: the mean of its page";
  EXPECT_EQ(weights[3], 1) << "nothing is known on this page";
  EXPECT_EQ(weights[4], 1) << "old, but the freshest of its page";
}

TEST(Freshness, WithoutTimesAllLinksAreEqual) {
  const auto graph = Snapshot::from_links(3, {{0, 1}, {0, 2}});
  EXPECT_EQ(freshness_weights(graph, 1), std::vector<double>(2, 1));
  EXPECT_THROW(freshness_weights(graph, 0), Error);
  EXPECT_THROW(freshness_weights(graph, std::nan("")), Error);
}

TEST(Freshness, FreshLinksHandOnMore) {
  const auto graph = seen_graph();
  const auto weights = freshness_weights(graph, 100);
  const auto ranked = pagerank(graph, {.link_weights = weights});
  EXPECT_GT(ranked.scores[1], ranked.scores[3]);
  EXPECT_GT(ranked.scores[3], ranked.scores[2]);
}

}  // namespace
}  // namespace webstrata
