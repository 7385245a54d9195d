// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/pages.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

// 0 and 2 were captured, 1 and 3 are only linked to; nothing is known about 4.
Snapshot partly_captured() {
  NodeColumns columns;
  columns.captures = Column<std::uint32_t>(5);
  columns.captures.set(0, 2);
  columns.captures.set(1, 0);
  columns.captures.set(2, 1);
  columns.captures.set(3, 0);
  return Snapshot::from_links(5, {{0, 1}, {0, 2}, {2, 0}, {2, 3}, {2, 4}})
      .with_node_columns(columns);
}

TEST(Pages, LinksToWhatWasNeverCapturedAreOutOfScope) {
  const Snapshot graph = partly_captured();
  const Snapshot captured = within_scope(graph, Scope::Captured);
  EXPECT_TRUE(same_links(captured, Snapshot::from_links(5, {{0, 2}, {2, 0}, {2, 4}})));
  EXPECT_EQ(captured.node_columns(), graph.node_columns());
  EXPECT_TRUE(same_links(within_scope(graph, Scope::All), graph));
}

TEST(Pages, AGraphWithoutCapturesStays) {
  const Snapshot graph = Snapshot::from_links(3, {{0, 1}, {1, 2}});
  EXPECT_TRUE(same_links(within_scope(graph, Scope::Captured), graph));
}

}  // namespace
}  // namespace webstrata
