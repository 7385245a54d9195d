// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/named_graph.h"

#include <gtest/gtest.h>

#include <functional>

#include "../temporary_folder.h"
#include "random_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/graph_text.h"

namespace webstrata {
namespace {

std::string refusal_of(const std::function<void()>& task) {
  try {
    task();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

// All lists, put together again.
LinkList read_all(NamedGraph& graph) {
  LinkList links;
  Node next = 0;
  while (const auto part = graph.next()) {
    EXPECT_EQ(part->first, next);
    for (std::size_t i = 0; i < part->ends.size(); ++i) {
      for (std::uint64_t at = i == 0 ? 0 : part->ends[i - 1]; at < part->ends[i]; ++at) {
        links.emplace_back(next, part->targets[at]);
      }
      ++next;
    }
  }
  EXPECT_EQ(next, graph.node_count());
  return links;
}

std::string numbered_names(Node count) {
  std::string text;
  for (Node i = 0; i < count; ++i) text += "host-" + std::to_string(i) + ".org\n";
  return text;
}

TEST(NamedGraph, PartsOfABvGraphAreItsLists) {
  TemporaryFolder folder;
  Random random(7);
  const Snapshot graph = random_graph(random, 70'000, 4);  // more than two parts
  write_bvgraph(graph, folder.path() / "g");
  write_file(folder.path() / "g.urls", numbered_names(graph.node_count()));
  NamedGraph named(folder.path() / "g");
  EXPECT_EQ(named.format(), GraphFormat::BvGraph);
  EXPECT_FALSE(named.has_reversed_names());
  EXPECT_EQ(named.name(69'999), "host-69999.org");
  EXPECT_EQ(read_all(named), links_of(graph));
}

TEST(NamedGraph, PartsOfCommonCrawlsFilesAreTheirEdges) {
  TemporaryFolder folder;
  Random random(8);
  const Snapshot graph = random_graph(random, 70'000, 4);
  std::string vertices;
  std::string edges;
  for (Node i = 0; i < graph.node_count(); ++i) vertices += std::to_string(i) + "\torg.x\n";
  for (const auto& [source, target] : links_of(graph)) {
    const std::string line = std::to_string(source) + "\t" + std::to_string(target) + "\n";
    edges += line;
    if (target % 7 == 0) edges += line;  // once is enough
  }
  write_file(folder.path() / "cc-vertices.txt", vertices);
  write_file(folder.path() / "cc-edges.txt", edges);
  for (const char* name : {"cc", "cc-vertices.txt", "cc-edges.txt", ""}) {
    NamedGraph named(folder.path() / name);
    EXPECT_EQ(named.format(), GraphFormat::CommonCrawl);
    EXPECT_TRUE(named.has_reversed_names());
    EXPECT_EQ(read_all(named), links_of(graph)) << name;
  }
}

TEST(NamedGraph, VerticesNameTheNodesOfABvGraph) {
  TemporaryFolder folder;
  write_bvgraph(Snapshot::from_links(2, {{0, 1}}), folder.path() / "cc");
  EXPECT_NE(refusal_of([&] { NamedGraph(folder.path() / "cc"); }).find("cc.urls.gz"),
            std::string::npos);
  std::filesystem::create_directory(folder.path() / "vertices");
  write_file(folder.path() / "vertices" / "part-00000.txt", "0\torg.a\n");
  write_file(folder.path() / "vertices" / "part-00001.txt", "1\torg.b\n");
  NamedGraph named(folder.path() / "cc.graph");
  EXPECT_TRUE(named.has_reversed_names());
  EXPECT_EQ(named.name(1), "org.b");
  write_file(folder.path() / "names", "http://c.org/\nhttp://d.org/\n");
  const NamedGraph other(folder.path() / "cc", folder.path() / "names");
  EXPECT_FALSE(other.has_reversed_names());
  EXPECT_EQ(other.name(0), "http://c.org/");
}

TEST(NamedGraph, CountsMustAgree) {
  TemporaryFolder folder;
  write_bvgraph(Snapshot::from_links(2, {{0, 1}}), folder.path() / "cc");
  write_file(folder.path() / "cc.urls", "a.org\nb.org\nc.org\n");
  EXPECT_NE(refusal_of([&] { NamedGraph(folder.path() / "cc"); }).find("only 2 nodes"),
            std::string::npos);
  write_file(folder.path() / "cc.urls", "a.org\n");
  EXPECT_NE(refusal_of([&] { NamedGraph(folder.path() / "cc"); }).find("1 names for 2 nodes"),
            std::string::npos);
  write_file(folder.path() / "v.txt", "0\torg.a\n1\torg.b\n2\torg.c\n");
  EXPECT_NE(refusal_of([&] {
              NamedGraph(folder.path() / "cc", folder.path() / "v.txt");
            }).find("3 vertices for 2 nodes"),
            std::string::npos);
}

TEST(NamedGraph, EdgesMustBeSortedAndLeadToVertices) {
  TemporaryFolder folder;
  write_file(folder.path() / "cc-vertices.txt", "0\torg.a\n1\torg.b\n2\torg.c\n");
  const auto problem = [&](const std::string& edges) {
    write_file(folder.path() / "cc-edges.txt", edges);
    return refusal_of([&] {
      NamedGraph graph(folder.path() / "cc");
      read_all(graph);
    });
  };
  EXPECT_NE(problem("0\t1\n2\t0\n1\t0\n").find("cc-edges.txt: line 3: edges must be sorted"),
            std::string::npos)
      << problem("0\t1\n2\t0\n1\t0\n");
  EXPECT_NE(problem("0\t2\n0\t1\n").find("line 2"), std::string::npos);
  EXPECT_NE(problem("0\t3\n").find("only 3 vertices"), std::string::npos);
}

TEST(NamedGraph, HostsBecomeUrls) {
  EXPECT_EQ(url_of_name("org.example.www", true), "http://www.example.org/");
  EXPECT_EQ(url_of_name("org", true), "http://org/");
  EXPECT_EQ(url_of_name("www.example.org", false), "http://www.example.org/");
  EXPECT_EQ(url_of_name("192.0.2.1", true), "http://192.0.2.1/");
  EXPECT_EQ(url_of_name("[2001:db8::1]", true), "http://[2001:db8::1]/");
  EXPECT_EQ(url_of_name("https://a.org/b", true), "https://a.org/b");
}

}  // namespace
}  // namespace webstrata
