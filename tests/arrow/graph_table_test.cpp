// SPDX-License-Identifier: Apache-2.0

// A graph's tables: its own memory, by number or by name.

#include "webstrata/arrow/graph_table.h"

#include <gtest/gtest.h>

namespace webstrata::arrow {
namespace {

TEST(GraphTable, TargetsAreTheGraphsOwnMemory) {
  const auto graph = Snapshot::from_links(3, {{0, 1}, {0, 2}, {2, 0}});
  const Table table = link_table(graph);
  EXPECT_EQ(table.find("target")->buffers[1].get(), graph.targets().data());
  const auto sources = table.find("source")->values<Node>();
  EXPECT_EQ(std::vector<Node>(sources.begin(), sources.end()), (std::vector<Node>{0, 0, 2}));
  EXPECT_EQ(start_column(graph).buffers[1].get(), graph.starts().data());
  EXPECT_EQ(start_column(graph).length, 4);
}

TEST(GraphTable, NamesAreADictionary) {
  const auto graph = Snapshot::from_links(2, {{1, 0}});
  const auto names = name_column(graph);
  const Table table = link_table(graph, names);
  EXPECT_EQ(table.find("source")->dictionary->text(1), "1");
  EXPECT_EQ(table.find("target")->buffers[1].get(), graph.targets().data());
  EXPECT_EQ(node_table(graph, names).find("name")->text(0), "0");
}

TEST(GraphTable, AnEmptyGraphHasEmptyTables) {
  const Snapshot graph;
  EXPECT_EQ(link_table(graph, name_column(graph)).row_count(), 0);
  EXPECT_NE(target_column(graph).buffers[1], nullptr);
}

TEST(GraphTable, MissingValuesOfColumnsAreNull) {
  LinkColumns columns;
  columns.kinds = webstrata::Column<LinkKinds>(2);
  columns.kinds.set(1, LinkKind::Redirect);
  const auto graph = Snapshot::from_links(2, {{0, 1}, {1, 0}}).with_link_columns(columns);
  const Column kinds = *link_table(graph).find("kinds");
  EXPECT_EQ(kinds.null_count, 1);
  EXPECT_TRUE(kinds.is_null(0));
  EXPECT_EQ(kinds.dictionary->text(kinds.values<std::uint8_t>()[1]), "redirect");
}

TEST(GraphTable, EveryColumnOfLinksHasItsOwnValues) {
  LinkColumns columns;
  columns.count = webstrata::Column<std::uint32_t>(std::vector<std::uint32_t>{3, 4});
  columns.first_seen = webstrata::Column<Time>(std::vector<Time>{100, 200});
  columns.last_seen = webstrata::Column<Time>(std::vector<Time>{500, 600});
  const auto graph = Snapshot::from_links(2, {{0, 1}, {1, 0}}).with_link_columns(columns);
  const Table table = link_table(graph);
  EXPECT_EQ(table.find("count")->values<std::uint32_t>()[0], 3U);
  EXPECT_EQ(table.find("first_seen")->values<Time>()[1], 200);
  EXPECT_EQ(table.find("last_seen")->values<Time>()[1], 600);
}

}  // namespace
}  // namespace webstrata::arrow
