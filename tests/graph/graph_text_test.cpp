// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/graph_text.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "../temporary_folder.h"
#include "random_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/graph/levels.h"
#include "webstrata/graph/tsv_form.h"

namespace webstrata {
namespace {

std::string message_of(const std::function<void()>& task) {
  try {
    task();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Tsv, NumbersAreNodes) {
  const auto graph = parse_tsv("# Nodes: 9 Edges: 3\n3\t1\n0 4\n\n3\t1\tignored\n5\n");
  EXPECT_EQ(graph.node_count(), 9U);
  EXPECT_FALSE(graph.has_names());
  EXPECT_EQ(links_of(graph), (LinkList{{0, 4}, {3, 1}}));
}

TEST(Tsv, SparseNumbersAreNames) {
  const auto graph =
      parse_tsv("7\t4000000000\n12\n4000000000\t99999999999999\n7\t7\n18446744073709551615\n");
  ASSERT_EQ(graph.node_count(), 5U);
  EXPECT_EQ(graph.name(0), "7");
  EXPECT_EQ(graph.name(1), "12");
  EXPECT_EQ(graph.name(4), "18446744073709551615");
  EXPECT_EQ(graph.find("4000000000"), 2U);
  EXPECT_EQ(graph.find("4"), std::nullopt);
  EXPECT_EQ(links_of(graph), (LinkList{{0, 0}, {0, 2}, {2, 3}}));
  EXPECT_EQ(parse_tsv("0\t4000000000\n").node_count(), 2U);
  EXPECT_EQ(parse_tsv("# Nodes: 4000000000\n0\t1\n").node_count(), 2U);
}

TEST(Tsv, UrlsAreSortedByTheirKeys) {
  const auto graph = parse_tsv(
      "https://www.example.org/b\thttp://EXAMPLE.org\n"
      "http://example.org/\thttps://www.example.org:443/b#there\n"
      "http://alone.net/\n");
  ASSERT_EQ(graph.node_count(), 3U);
  EXPECT_EQ(graph.name(0), "http://alone.net/");
  EXPECT_EQ(graph.name(1), "http://example.org/");
  EXPECT_EQ(graph.name(2), "https://www.example.org/b");
  EXPECT_EQ(links_of(graph), (LinkList{{1, 2}, {2, 1}}));
  EXPECT_EQ(graph.find("http://example.org"), 1U);
}

TEST(Tsv, OtherNamesAreSortedByTheirBytes) {
  const auto graph = parse_tsv("example.org\tother word\na\texample.org\n");
  ASSERT_EQ(graph.node_count(), 3U);
  EXPECT_EQ(graph.name(2), "other word");
  EXPECT_EQ(links_of(graph), (LinkList{{0, 1}, {1, 2}}));
}

TEST(Tsv, SaysWhichLineMakesNoSense) {
  const std::string formats(graph_formats());
  EXPECT_EQ(message_of([] { parse_tsv("0\t1\n1\tx\n"); }),
            "text: not a graph: line 2: 'x' is not a number, as those before it. " + formats);
  EXPECT_EQ(message_of([] { parse_tsv("http://a/\thttp://b/\nhttp://c/\tx\n"); }),
            "text: not a graph: line 2: 'x' is not a URL, as those before it. " + formats);
  std::string late = "0\t1\n";
  while (late.size() < (1 << 17)) late += "1\t2\n";
  EXPECT_EQ(
      message_of([&] { parse_tsv(late + "x\t3\n"); }),
      fmt::format("text: line {}: 'x' is not a number, as those before it", late.size() / 4 + 1));
}

// The part of a graph that a table of links can represent: nodes up to the last that has a link.
Snapshot without_lone_end(const LinkList& links) {
  Node last = 0;
  for (const auto& [source, target] : links) last = std::max({last, source, target});
  return Snapshot::from_links(last + std::uint64_t{1}, links);
}

TEST(Tsv, WhatIsWrittenComesBack) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const LinkList links = random_links(random, static_cast<Node>(2 + random.below(300)), 6);
    const Snapshot graph = without_lone_end(links);
    for (const char* name : {"g.tsv", "g.tsv.gz"}) {
      write_tsv(graph, folder / name);
      EXPECT_TRUE(same_links(read_tsv(folder / name), graph));
    }
  }
}

TEST(Tsv, NamesThatWouldBreakTheTableAreEscaped) {
  const TemporaryFolder folder;
  auto names = std::make_shared<NameList>();
  for (const char* name : {"a\tb", "c\nd"}) names->add(name);
  write_tsv(Snapshot::from_links(2, {{0, 1}}).with_names(names), folder / "g.tsv");
  EXPECT_EQ(read_file(folder / "g.tsv"), "a%09b\tc%0Ad\n");
}

TEST(AsciiGraph, IsReadAndWritten) {
  const TemporaryFolder folder;
  const auto graph = parse_ascii_graph("4\n1 3 \n\n0\n\n");
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_EQ(links_of(graph), (LinkList{{0, 1}, {0, 3}, {2, 0}}));
  write_ascii_graph(graph, folder / "g.graph-txt");
  EXPECT_EQ(read_file(folder / "g.graph-txt"), "4\n1 3\n\n0\n\n");
  EXPECT_EQ(parse_ascii_graph("0\n").node_count(), 0U);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const Snapshot other = random_graph(random, static_cast<Node>(random.below(300)));
    write_ascii_graph(other, folder / "g.graph-txt.gz");
    EXPECT_TRUE(same_links(read_ascii_graph(folder / "g.graph-txt.gz"), other)) << seed;
  }
}

TEST(AsciiGraph, RefusesWhatIsNone) {
  for (const char* text : {"", "x\n", "2 3\n", "2\n0\n", "2\n0\n1\n1\n", "2\n2\n\n", "2\n1 0\n\n",
                           "2\n1 x\n\n", "4294967296\n", "99999999999999999999\n"}) {
    EXPECT_NE(message_of([&] { parse_ascii_graph(text); }), "") << text;
  }
}

TEST(CommonCrawl, IsReadWithTheNumberOfHosts) {
  const TemporaryFolder folder;
  write_file(folder / "v", "0\tcom.example\t3\n1\torg.example\t1\n");
  write_file(folder / "v2", "2\torg.example-x\t12\n");
  write_file(folder / "e", "2\t0\n0\t1\n0\t2\n");
  const auto graph = read_common_crawl({folder / "v", folder / "v2"}, {folder / "e"});
  EXPECT_EQ(links_of(graph), (LinkList{{0, 1}, {0, 2}, {2, 0}}));
  EXPECT_EQ(graph.name(2), "org.example-x");
  EXPECT_EQ(graph.node_columns().scores.at("n_hosts")[2], 12);

  write_file(folder / "bad", "0\ta\n2\tb\n");
  EXPECT_NE(message_of([&] { read_common_crawl({folder / "bad"}, {folder / "e"}); }), "");
  write_file(folder / "bad", "0\t3\n");
  EXPECT_NE(message_of([&] { read_common_crawl({folder / "v"}, {folder / "bad"}); }), "");
}

// '-' sorts before '.', so Common Crawl's order of hosts is not that of our keys.
TEST(CommonCrawl, HostsAreWrittenReversedAndInTheirOwnOrder) {
  const TemporaryFolder folder;
  const auto pages = parse_tsv(
      "http://www.example.org/\thttp://example-x.org/\n"
      "http://www.example.org/\thttp://192.0.2.1/\n"
      "http://example-x.org/\thttp://www.example.org/a\n");
  const auto hosts = at_level(pages, Level::Host).graph;
  ASSERT_EQ(hosts.name(1), "www.example.org");
  write_common_crawl(hosts, folder / "vertices.txt.gz", folder / "edges.txt");
  EXPECT_EQ(read_file(folder / "edges.txt"), "1\t2\n2\t0\n2\t1\n");
  const auto again = read_common_crawl({folder / "vertices.txt.gz"}, {folder / "edges.txt"});
  EXPECT_EQ(again.name(0), "192.0.2.1");
  EXPECT_EQ(again.name(1), "org.example-x");
  EXPECT_EQ(again.name(2), "org.example.www");
  EXPECT_TRUE(again.node_columns().scores.empty());
  EXPECT_NE(message_of([&] {
              write_common_crawl(Snapshot::from_links(1, {}), folder / "v", folder / "e");
            }),
            "");
}

}  // namespace
}  // namespace webstrata
