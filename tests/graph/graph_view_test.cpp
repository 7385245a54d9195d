// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/graph_view.h"

#include <memory>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Two spellings of one page, a second page of the host, and one elsewhere.
Snapshot four_pages() {
  auto names = std::make_shared<NameList>();
  for (const char* url : {"http://a.example/", "https://a.example/", "http://a.example/x",
                          "http://b.other.example/"}) {
    names->add(url);
  }
  LinkColumns links;  // of 0 -> 3, 1 -> 3, 2 -> 0, 2 -> 1
  links.kinds = Column<LinkKinds>(std::vector<LinkKinds>{
      LinkKind::Navigation, LinkKind::Refresh, LinkKind::Navigation, LinkKind::Navigation});
  links.first_seen = Column<Time>(std::vector<Time>{5, 3, 8, 9});
  links.last_seen = Column<Time>(4);
  links.last_seen.set(0, 7);  // unknown for the others
  return Snapshot::from_links(4, {{0, 3}, {1, 3}, {2, 0}, {2, 1}})
      .with_names(std::move(names))
      .with_link_columns(std::move(links));
}

TEST(GraphView, FoldedSpellingsAreOneNodeWithJoinedColumns) {
  const Folding seen = viewed(four_pages(), {.fold = Dialect::Ia});
  ASSERT_EQ(seen.graph.node_count(), 3);
  EXPECT_EQ(seen.node_of[0], seen.node_of[1]);
  const auto link = seen.graph.find_link(seen.node_of[0], seen.node_of[3]);
  ASSERT_TRUE(link);
  const LinkColumns& columns = seen.graph.link_columns();
  EXPECT_EQ(columns.kinds[*link], LinkKind::Navigation | LinkKind::Refresh);
  EXPECT_EQ(columns.count[*link], 2);
  EXPECT_EQ(columns.first_seen[*link], 3);
  EXPECT_EQ(columns.last_seen[*link], 7);
}

TEST(GraphView, InnerLinksOfHostsAreKeptOrLeftOut) {
  const Folding kept = viewed(four_pages(), {.level = Level::Host});
  EXPECT_EQ(kept.graph.link_count(), 2);
  const Folding left = viewed(four_pages(), {.level = Level::Host, .inner_links = false});
  EXPECT_EQ(left.graph.link_count(), 1);
  const Folding pages = viewed(four_pages(), {.inner_links = false});
  EXPECT_EQ(pages.graph.node_count(), 4);
  EXPECT_EQ(pages.graph.link_count(), 2);
}

TEST(GraphView, FoldingComesBeforeTheLevel) {
  const Folding seen =
      viewed(four_pages(), {.fold = Dialect::Ia, .level = Level::Domain, .inner_links = false});
  ASSERT_EQ(seen.graph.node_count(), 2);
  ASSERT_EQ(seen.graph.link_count(), 1);
  EXPECT_EQ(seen.graph.link_columns().count[0], 1);  // the two spellings are one page
  EXPECT_EQ(seen.graph.name(seen.node_of[3]), "other.example");
  EXPECT_EQ(seen.node_of[0], seen.node_of[2]);
}

TEST(GraphView, AGraphWithoutNamesHasNoHosts) {
  EXPECT_THROW(viewed(Snapshot::from_links(2, {{0, 1}}), {.level = Level::Host}), Error);
  EXPECT_EQ(viewed(Snapshot::from_links(2, {{0, 1}}), {}).graph.link_count(), 1);
}

}  // namespace
}  // namespace webstrata
