// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/network_writer.h"

#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

Time at(const char* text) { return parse_time(text).value(); }

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Two links: one with a gap in its history, one without any known times.
void tell(NetworkWriter& writer) {
  const TimeInterval captured[] = {{at("20150601120000"), at("20160101000000")}};
  const TimeInterval seen[] = {{at("20150601120000"), at("20150602000000")},
                               {at("20150602100000"), at("20150603090000")},
                               {at("20151224180000"), at("20151224180000")}};
  writer.node({.node = 0, .label = "http://a.org/?x=\"1\"&y=<2>'", .spells = captured});
  writer.node({.node = 1, .label = "b"});
  writer.link({.source = 0, .target = 1, .count = 3, .spells = seen});
  writer.link({.source = 1, .target = 0});
  writer.finish();
}

TEST(Gexf, SpellsAreClosedDaysJoinedWhereTheyTouch) {
  const TemporaryFolder folder;
  tell(*open_gexf(folder / "g.gexf"));
  const std::string text = read_file(folder / "g.gexf");
  EXPECT_TRUE(holds(text, R"(version="1.3")"));
  EXPECT_TRUE(holds(text, R"(mode="dynamic")"));
  EXPECT_TRUE(holds(text, R"(timeformat="date")"));
  EXPECT_TRUE(holds(text,
                    R"(<node id="0" label="http://a.org/?x=&quot;1&quot;&amp;y=&lt;2&gt;&apos;")"
                    R"( start="2015-06-01" end="2016-01-01"><attvalues>)"
                    R"(<attvalue for="firstSeen" value="2015-06-01"/>)"
                    R"(<attvalue for="lastSeen" value="2016-01-01"/></attvalues></node>)"));
  EXPECT_TRUE(holds(text, R"(<edge id="0" source="0" target="1" weight="3"><spells>)"
                          R"(<spell start="2015-06-01" end="2015-06-03"/>)"
                          R"(<spell start="2015-12-24" end="2015-12-24"/></spells></edge>)"));
  EXPECT_TRUE(holds(text, R"(<edge id="1" source="1" target="0"/>)"));
}

TEST(Graphml, HasTheKeysThatUsersKnow) {
  const TemporaryFolder folder;
  tell(*open_graphml(folder / "g.graphml"));
  const std::string text = read_file(folder / "g.graphml");
  EXPECT_TRUE(holds(text, R"(<key id="label" for="node")"));
  EXPECT_TRUE(holds(text, R"(<node id="1"><data key="label">b</data></node>)"));
  EXPECT_TRUE(holds(text, R"(<edge source="0" target="1"><data key="weight">3</data>)"
                          R"(<data key="crawlDate">20150601</data>)"
                          R"(<data key="lastSeen">20151224</data></edge>)"));
  EXPECT_TRUE(holds(text, R"(<edge source="1" target="0"></edge>)"));
}

TEST(WriteNetwork, TakesTimesAndCountsFromTheColumns) {
  const TemporaryFolder folder;
  NodeColumns nodes;
  nodes.first_capture = nodes.last_capture = Column<Time>(2);
  nodes.first_capture.set(0, 0);
  nodes.last_capture.set(0, 86400);
  nodes.first_capture.set(1, 0);  // its end is missing: no spell
  LinkColumns links;
  links.count = Column(std::vector<std::uint32_t>{7});
  links.first_seen = Column(std::vector<Time>{-86401});
  links.last_seen = Column(std::vector<Time>{-1});
  const auto graph =
      Snapshot::from_links(2, {{0, 1}}).with_node_columns(nodes).with_link_columns(links);
  const auto writer = open_gexf(folder / "g.gexf");
  write_network(graph, *writer);
  const std::string text = read_file(folder / "g.gexf");
  // Nodes exist while they were captured, or at the end of a link.
  EXPECT_TRUE(holds(text, R"(<node id="0" label="0" start="1969-12-30" end="1970-01-02">)"));
  EXPECT_TRUE(holds(text, R"(<node id="1" label="1" start="1969-12-30" end="1969-12-31">)"));
  EXPECT_TRUE(holds(text, R"(weight="7" start="1969-12-30" end="1969-12-31"/>)"));
}

// Scores and counts of nodes, in both formats, and where the scores come from.
TEST(WriteNetwork, NodesHaveScoresAndCaptures) {
  const TemporaryFolder folder;
  NodeColumns nodes;
  nodes.captures = Column(std::vector<std::uint32_t>{3, 0});
  nodes.scores["rank<1>"] = Column<double>(2);
  nodes.scores["rank<1>"].set(1, 0.125);
  const auto graph = Snapshot::from_links(2, {{0, 1}}).with_node_columns(nodes);
  const std::vector<NetworkScore> scores = {{"rank<1>", "saved & kept"}, {"other", ""}};
  write_network(graph, *open_gexf(folder / "g.gexf", scores));
  const std::string gexf = read_file(folder / "g.gexf");
  EXPECT_TRUE(holds(gexf, "<description>rank&lt;1&gt;: saved &amp; kept; other: </description>"));
  EXPECT_TRUE(holds(gexf, R"(<attribute id="score0" title="rank&lt;1&gt;" type="double"/>)"));
  EXPECT_TRUE(holds(gexf, R"(<node id="0" label="0"><attvalues>)"
                          R"(<attvalue for="captures" value="3"/></attvalues></node>)"));
  EXPECT_TRUE(holds(gexf, R"(<attvalue for="captures" value="0"/>)"
                          R"(<attvalue for="score0" value="0.125"/></attvalues>)"));
  write_network(graph, *open_graphml(folder / "g.graphml", scores));
  const std::string graphml = read_file(folder / "g.graphml");
  EXPECT_TRUE(holds(graphml, R"(<key id="score0" for="node" attr.name="rank&lt;1&gt;")"
                             R"( attr.type="double"><desc>saved &amp; kept</desc></key>)"));
  EXPECT_TRUE(holds(graphml, R"(<data key="captures">0</data><data key="score0">0.125</data>)"));
}

TEST(NetworkWriter, LeavesNothingBehindWhenItIsNotFinished) {
  const TemporaryFolder folder;
  open_gexf(folder / "g.gexf")->node({.node = 0, .label = "a"});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace webstrata
