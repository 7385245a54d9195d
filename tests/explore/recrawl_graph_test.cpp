#include "webstrata/explore/recrawl_graph.h"

#include <cmath>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr Time kDay = 86400;

// Pages 0, 1 and 2 were captured (in the order 1, 0, 2), 3 and 4 never. Page 0: 10 looks 3 days
// apart, 4 changes. Page 1: 10 looks, none. Page 2: once.
Snapshot small_graph() {
  NodeColumns columns;
  columns.first_capture = Column<Time>(5);
  columns.last_capture = Column<Time>(5);
  columns.captures = Column<std::uint32_t>(std::vector<std::uint32_t>{11, 11, 1, 0, 0});
  columns.changes_seen = Column<std::uint32_t>(5);
  columns.span = Column<Time>(5);
  for (const auto& [node, first, changes, span] :
       {std::tuple<Node, Time, std::uint32_t, Time>{0, 5 * kDay, 4, 30 * kDay},
        {1, 0, 0, 30 * kDay},
        {2, 9 * kDay, 0, 0}}) {
    columns.first_capture.set(node, first);
    columns.last_capture.set(node, first + span);
    columns.changes_seen.set(node, changes);
    columns.span.set(node, span);
  }
  return Snapshot::from_links(5, {{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 3}, {2, 4}})
      .with_node_columns(columns);
}

TEST(RecrawlGraph, RatesComeFromCapturesAndChanges) {
  const std::vector<double> scores = {2, 3, 1, 0, 0};
  const CapturedPages known = captured_pages(small_graph(), scores);
  EXPECT_EQ(known.nodes, (std::vector<Node>{1, 0, 2}));
  const double rate = -std::log((10 - 4 + 0.5) / (10 + 0.5)) / 3;  // Cho and Garcia-Molina
  EXPECT_EQ(known.pages[0].rate, 0);
  EXPECT_NEAR(known.pages[1].rate, rate, 1e-12);
  EXPECT_NEAR(known.mean_rate, rate / 2, 1e-12);
  EXPECT_NEAR(known.pages[2].rate, rate / 2, 1e-12);  // seen once: as the others do
  EXPECT_EQ(known.without_rate, 1U);
  EXPECT_EQ(known.pages[1].weight, 2);
}

// nh-n-sum: 3 has parents that score 2 and 1, 4 one that scores 1.
TEST(RecrawlGraph, NewPagesAreThoseThatAreLinkedAndWereNeverCaptured) {
  const SimulatedWeb web(small_graph(), {2, 3, 1, 0, 0}, {});
  const RecrawlFetches plan = plan_recrawl(web, "nh-n-sum", {}, 4, 30);
  EXPECT_EQ(plan.frontier, 2U);
  EXPECT_EQ(plan.new_fetches, 2);
  EXPECT_NEAR(plan.known_fetches, 2, 1e-9);
  ASSERT_GE(plan.fetches.size(), 3U);
  EXPECT_EQ(plan.fetches[0].node, 3U);
  EXPECT_TRUE(plan.fetches[0].is_new);
  EXPECT_EQ(plan.fetches[0].worth, 3);
  for (const RecrawlFetch& fetch : plan.fetches) EXPECT_NE(fetch.node, 1U) << "it never changes";
}

TEST(RecrawlGraph, WithoutHistoryThereIsNoPlan) {
  const SimulatedWeb plain(Snapshot::from_links(2, {{0, 1}}), {1, 1}, {});
  EXPECT_THROW(plan_recrawl(plain, "extra", {}, 4, 30), Error);
}

}  // namespace
}  // namespace webstrata
