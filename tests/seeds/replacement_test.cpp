// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/replacement.h"

#include <gtest/gtest.h>

#include "tests/seeds/named_graph.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// The old site: a page that lists 1 to 5, and an index of all.
Snapshot old_site() {
  return with_names(
      Snapshot::from_links(7, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {6, 0}, {6, 5}}),
      {"http://a.example/list", "http://a.example/1", "http://a.example/2", "http://a.example/3",
       "http://a.example/4", "http://a.example/5", "http://a.example/"});
}

TEST(Replacement, FindsThePageWithTheMostSimilarLinks) {
  // 0 lists 1, 2, 3, 5 (3 of 5 shared); 6 lists 1 alone (1 of 4).
  const Snapshot newer = with_names(
      Snapshot::from_links(7, {{0, 1}, {0, 2}, {0, 3}, {0, 5}, {6, 1}}),
      {"http://b.example/catalogue", "http://a.example/1", "http://a.example/2",
       "http://a.example/3", "http://a.example/4", "http://a.example/5", "http://a.example/"});
  const std::vector<Node> vanished = {0};
  const auto found = replace_vanished(old_site(), newer, vanished);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].node, Node{0});
  EXPECT_EQ(found[0].reason, ReplacedBy::Links);
  EXPECT_DOUBLE_EQ(found[0].similarity, 3.0 / 5);
  const std::vector<Node> taken = {0};
  EXPECT_FALSE(replace_vanished(old_site(), newer, vanished, taken)[0].node);
  EXPECT_FALSE(replace_vanished(old_site(), newer, vanished, {}, {.similarity_min = 0.7})[0].node);
  EXPECT_FALSE(replace_vanished(old_site(), newer, vanished, {}, {.sources_max = 0})[0].node);
}

Snapshot newer_with(std::vector<std::uint64_t> digests, std::vector<std::uint64_t> titles,
                    std::vector<Outcome> outcomes, LinkPairs links) {
  const auto count = static_cast<Node>(digests.size());
  std::vector<std::string> names = {"http://a.example/list"};
  for (Node node = 1; node < count; ++node) {
    names.push_back("http://new.example/" + std::to_string(node));
  }
  NodeColumns columns;
  columns.digest = Column<std::uint64_t>(std::move(digests));
  columns.title = Column<std::uint64_t>(std::move(titles));
  columns.outcome = Column<Outcome>(std::move(outcomes));
  return with_names(Snapshot::from_links(count, std::move(links)), names)
      .with_node_columns(columns);
}

Snapshot old_with_content() {
  NodeColumns columns;
  columns.digest = Column<std::uint64_t>(std::vector<std::uint64_t>(7, 77));
  columns.title = Column<std::uint64_t>(std::vector<std::uint64_t>(7, 88));
  return old_site().with_node_columns(columns);
}

constexpr auto kAlive = Outcome::Alive;

TEST(Replacement, ARedirectComesFirst) {
  const Snapshot newer =
      newer_with({1, 77, 2, 3}, {1, 88, 2, 3}, {Outcome::Moved, kAlive, Outcome::Moved, kAlive},
                 {{0, 2}, {2, 3}});
  const std::vector<Node> vanished = {0};
  const auto found = replace_vanished(old_with_content(), newer, vanished);
  EXPECT_EQ(found[0].reason, ReplacedBy::Redirect);
  EXPECT_EQ(found[0].node, Node{3});  // two redirects further
}

// The page had links before it moved; kinds tell which one is the redirect.
TEST(Replacement, KindsTellTheRedirectAmongOtherLinks) {
  LinkColumns links;
  links.kinds = Column<LinkKinds>(std::vector<LinkKinds>{LinkKind::Navigation, LinkKind::Redirect});
  const Snapshot unknown =
      newer_with({1, 2, 3}, {1, 2, 3}, {Outcome::Moved, kAlive, kAlive}, {{0, 1}, {0, 2}});
  const std::vector<Node> vanished = {0};
  EXPECT_FALSE(replace_vanished(old_with_content(), unknown, vanished)[0].node);
  const Snapshot newer = unknown.with_link_columns(links);
  EXPECT_EQ(replace_vanished(old_with_content(), newer, vanished)[0].node, Node{2});
}

TEST(Replacement, ARedirectInACircleLeadsNowhere) {
  const Snapshot newer =
      newer_with({1, 2}, {1, 2}, {Outcome::Moved, Outcome::Moved}, {{0, 1}, {1, 0}});
  const std::vector<Node> vanished = {0};
  EXPECT_EQ(replace_vanished(old_with_content(), newer, vanished)[0].reason, ReplacedBy::Nothing);
}

// METHODS: at most five hops.
TEST(Replacement, FiveRedirectsAreFollowedAndNoSixth) {
  for (Node hops = 1; hops <= 8; ++hops) {
    std::vector<Outcome> outcomes(hops, Outcome::Moved);
    outcomes.push_back(kAlive);
    std::vector<std::uint64_t> different(hops + 1);
    LinkPairs links;
    for (Node node = 0; node < hops; ++node) links.emplace_back(node, node + 1);
    const Snapshot newer = newer_with(different, different, outcomes, links);
    const std::vector<Node> vanished = {0};
    const auto found = replace_vanished(old_site(), newer, vanished);
    EXPECT_EQ(found[0].reason, hops <= 5 ? ReplacedBy::Redirect : ReplacedBy::Nothing) << hops;
  }
}

TEST(Replacement, OfEquallySimilarPagesTheFirstIsTaken) {
  const Snapshot newer =
      newer_with({1, 77, 77, 77}, {1, 2, 3, 4}, {Outcome::Gone, kAlive, kAlive, kAlive}, {});
  const std::vector<Node> vanished = {0};
  EXPECT_EQ(replace_vanished(old_with_content(), newer, vanished)[0].node, Node{1});
}

TEST(Replacement, ThenContentThenTitle) {
  const std::vector<Node> vanished = {0, 6};
  const Snapshot newer =
      newer_with({1, 2, 77, 3}, {1, 88, 2, 3}, {Outcome::Gone, kAlive, kAlive, kAlive}, {});
  const auto found = replace_vanished(old_with_content(), newer, vanished);
  EXPECT_EQ(found[0].reason, ReplacedBy::Content);
  EXPECT_EQ(found[0].node, Node{2});
  EXPECT_EQ(found[1].reason, ReplacedBy::Title);  // the twin by content is taken
  EXPECT_EQ(found[1].node, Node{1});
}

TEST(Replacement, WhatManyPagesShareIsATemplate) {
  const std::size_t count = 40;
  const Snapshot newer =
      newer_with(std::vector<std::uint64_t>(count, 77), std::vector<std::uint64_t>(count, 88),
                 std::vector<Outcome>(count, kAlive), {});
  const std::vector<Node> vanished = {0};
  EXPECT_EQ(replace_vanished(old_with_content(), newer, vanished)[0].reason, ReplacedBy::Nothing);
}

TEST(Replacement, RefusesWhatMakesNoSense) {
  const std::vector<Node> vanished = {0};
  const Snapshot nameless = Snapshot::from_links(1, {});
  EXPECT_THROW(replace_vanished(old_site(), nameless, vanished), Error);
  EXPECT_THROW(replace_vanished(nameless, old_site(), vanished), Error);
  EXPECT_THROW(replace_vanished(old_site(), old_site(), vanished, {}, {.similarity_min = 0}),
               Error);
}

}  // namespace
}  // namespace webstrata
