// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/levels.h"

#include <gtest/gtest.h>

#include <map>

#include "random_graph.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

Snapshot named(const Snapshot& graph, const std::vector<std::string>& urls) {
  auto names = std::make_shared<NameList>();
  for (const auto& url : urls) names->add(url);
  return graph.with_names(names);
}

// Pages of four hosts of two domains, and one that is not a web page.
Snapshot small_web() {
  return named(Snapshot::from_links(6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 3}, {4, 5}}),
               {"http://example.org/a", "http://example.org/b", "https://www.example.org/",
                "http://other.co.uk/", "http://192.0.2.1:8080/x", "mailto:a@b"});
}

TEST(AtLevel, HostsAreSortedByReversedNameAndCountTheirLinks) {
  const Folding hosts = at_level(small_web(), Level::Host);
  ASSERT_EQ(hosts.graph.node_count(), 4U);
  EXPECT_EQ(hosts.graph.name(0), "192.0.2.1");
  EXPECT_EQ(hosts.graph.name(1), "example.org");
  EXPECT_EQ(hosts.graph.name(2), "www.example.org");
  EXPECT_EQ(hosts.graph.name(3), "other.co.uk");
  EXPECT_EQ(hosts.graph.find("other.co.uk"), 3U);
  EXPECT_EQ(hosts.node_of, (std::vector<Node>{1, 1, 2, 3, 0, kNoNode}));
  EXPECT_EQ(links_of(hosts.graph), (LinkList{{1, 0}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(hosts.graph.link_columns().count[1], 2U);
  EXPECT_EQ(hosts.graph.link_columns().count[2], 1U);
}

TEST(AtLevel, DomainsJoinTheirHosts) {
  const Folding domains = at_level(small_web(), Level::Domain, {.keep_links_inside = true});
  ASSERT_EQ(domains.graph.node_count(), 3U);
  EXPECT_EQ(domains.graph.name(1), "example.org");
  EXPECT_EQ(domains.graph.name(2), "other.co.uk");
  EXPECT_EQ(links_of(domains.graph), (LinkList{{1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(domains.graph.link_columns().count[1], 3U);
}

TEST(AtLevel, PagesStayAsTheyAre) {
  const Folding pages = at_level(small_web(), Level::Page);
  EXPECT_TRUE(same_links(pages.graph, small_web()));
  EXPECT_EQ(pages.node_of.back(), 5U);
}

TEST(AtLevel, NeedsNames) {
  EXPECT_THROW(at_level(Snapshot::from_links(1, {}), Level::Host), Error);
}

TEST(FoldedBy, SpellingsOfOnePageAreOneNode) {
  const auto graph =
      named(Snapshot::from_links(3, {{0, 1}, {0, 2}, {2, 0}}),
            {"http://example.org/a", "http://www.example.org/b?y&x", "https://example.org/B?x&y"});
  const Folding pages = folded_by(graph, Dialect::Ia);
  ASSERT_EQ(pages.graph.node_count(), 2U);
  EXPECT_EQ(links_of(pages.graph), (LinkList{{0, 1}, {1, 0}}));
  EXPECT_EQ(pages.graph.link_columns().count[0], 2U);
  EXPECT_EQ(pages.graph.name(1), "http://www.example.org/b?y&x");
  EXPECT_EQ(pages.graph.find("https://example.org/B?x&y"), 1U);
}

TEST(Folded, AgreesWithPlainMapsWhateverTheThreads) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph = random_graph(random, static_cast<Node>(random.below(40000)), 4);
    const std::uint64_t groups = 1 + random.below(50);
    const auto key = [&](Node node) {
      const auto group = node * std::uint64_t{2654435761} % groups;
      return group == 0 ? std::string() : std::to_string(group);
    };
    std::map<std::pair<std::string, std::string>, std::uint32_t> expected;
    for (const auto& [source, target] : links_of(graph)) {
      if (key(source).empty() || key(target).empty()) continue;
      ++expected[{key(source), key(target)}];
    }
    for (const unsigned threads : {1U, 3U}) {
      const Folding got =
          folded(graph, key, {.keep_links_inside = true, .work = {.threads = threads}});
      std::map<std::pair<std::string, std::string>, std::uint32_t> counts;
      std::uint64_t link = 0;
      for (const auto& [source, target] : links_of(got.graph)) {
        counts[{got.graph.name(source), got.graph.name(target)}] =
            got.graph.link_columns().count[link++].value();
      }
      ASSERT_EQ(counts, expected);
      for (Node node = 0; node < graph.node_count(); ++node) {
        if (got.node_of[node] == kNoNode) {
          ASSERT_EQ(key(node), "");
        } else {
          ASSERT_EQ(got.graph.name(got.node_of[node]), key(node));
        }
      }
    }
  }
}

TEST(WithoutLinksInsideHosts, KeepsNodesNamesAndTheColumnsOfWhatIsLeft) {
  LinkColumns columns;
  columns.count = Column(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7});
  const auto graph = without_links_inside_hosts(small_web().with_link_columns(columns));
  EXPECT_EQ(links_of(graph), (LinkList{{0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 3}, {4, 5}}));
  EXPECT_EQ(graph.link_columns().count[0], 2U);
  EXPECT_EQ(graph.link_columns().count[5], 7U);
  EXPECT_EQ(graph.name(2), "https://www.example.org/");
}

TEST(Level, NamesRoundTrip) {
  for (const Level level : {Level::Page, Level::Host, Level::Domain}) {
    EXPECT_EQ(parse_level(to_string(level)), level);
  }
  EXPECT_EQ(parse_level("site"), std::nullopt);
}

}  // namespace
}  // namespace webstrata
