// SPDX-License-Identifier: Apache-2.0

// Both formats are written node by node and link by link, so memory does not depend on the graph.
// GEXF knows several spells per element; GraphML has only the first and last day. Texts are checked
// character by character, because XML forbids most control characters even as escapes.
// Tested by tests/graph/network_writer_test.cpp and network_writer_test.py.

#include "webstrata/graph/network_writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/utf8.h"
#include "webstrata/graph/text_output.h"

namespace webstrata {
namespace {

constexpr Time kDaySeconds = 86400;

// XML 1.0 cannot represent most control characters, nor U+FFFE and U+FFFF.
bool is_xml_character(std::uint32_t c) noexcept {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c != 0xfffe && c != 0xffff;
}

// For both texts and values in double quotes.
std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::uint32_t c = take_utf8(text);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      // Unescaped, a parser would turn them into spaces.
      case '\t':
        out += "&#9;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      default:
        append_utf8(out, is_xml_character(c) ? c : 0xfffd);
    }
  }
  return out;
}

std::string day_of(Time time) { return to_rfc3339(time).substr(0, 10); }

std::int64_t day_number(Time time) {
  return time >= 0 ? time / kDaySeconds : -((-time + kDaySeconds - 1) / kDaySeconds);
}

// In whole days, joined where they touch.
std::vector<TimeInterval> spells_of_days(std::span<const TimeInterval> spells) {
  std::vector<TimeInterval> days;
  for (const TimeInterval& spell : spells) {
    const bool touches =
        !days.empty() && day_number(spell.first) <= day_number(days.back().last) + 1;
    if (touches) {
      days.back().last = std::max(days.back().last, spell.last);
    } else {
      days.push_back(spell);
    }
  }
  return days;
}

class GraphmlWriter : public NetworkWriter {
 public:
  GraphmlWriter(const std::filesystem::path& path, std::vector<NetworkScore> wanted)
      : NetworkWriter(std::move(wanted)), out_(path) {
    out_.write(
        R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="label" for="node" attr.name="label" attr.type="string"/>
<key id="firstSeen" for="node" attr.name="firstSeen" attr.type="string"/>
<key id="nodeLastSeen" for="node" attr.name="lastSeen" attr.type="string"/>
<key id="captures" for="node" attr.name="captures" attr.type="int"/>
<key id="weight" for="edge" attr.name="weight" attr.type="double"/>
<key id="crawlDate" for="edge" attr.name="crawlDate" attr.type="string"/>
<key id="lastSeen" for="edge" attr.name="lastSeen" attr.type="string"/>
)");
    for (std::size_t i = 0; i < scores().size(); ++i) {
      out_.write(fmt::format(
          "<key id=\"score{}\" for=\"node\" attr.name=\"{}\" attr.type=\"double\"><desc>{}</desc>"
          "</key>\n",
          i, escaped(scores()[i].name), escaped(scores()[i].about)));
    }
    out_.write("<graph edgedefault=\"directed\">\n");
  }

  void node(const DatedNode& node) override {
    std::string line = fmt::format("<node id=\"{}\"><data key=\"label\">{}</data>", node.node,
                                   escaped(node.label));
    if (!node.spells.empty()) {
      line += fmt::format("<data key=\"firstSeen\">{}</data><data key=\"nodeLastSeen\">{}</data>",
                          to_timestamp14(node.spells.front().first).substr(0, 8),
                          to_timestamp14(node.spells.back().last).substr(0, 8));
    }
    if (node.captures) line += fmt::format("<data key=\"captures\">{}</data>", *node.captures);
    for (std::size_t i = 0; i < node.scores.size(); ++i) {
      if (!node.scores[i]) continue;
      line += fmt::format("<data key=\"score{}\">{}</data>", i, *node.scores[i]);
    }
    out_.write(line + "</node>\n");
  }

  void link(const DatedLink& link) override {
    std::string line = fmt::format("<edge source=\"{}\" target=\"{}\">", link.source, link.target);
    if (link.count) line += fmt::format("<data key=\"weight\">{}</data>", *link.count);
    if (!link.spells.empty()) {
      line += fmt::format("<data key=\"crawlDate\">{}</data><data key=\"lastSeen\">{}</data>",
                          to_timestamp14(link.spells.front().first).substr(0, 8),
                          to_timestamp14(link.spells.back().last).substr(0, 8));
    }
    line += "</edge>\n";
    out_.write(line);
  }

  void finish() override {
    out_.write("</graph>\n</graphml>\n");
    out_.finish();
  }

 private:
  TextOutput out_;
};

class GexfWriter : public NetworkWriter {
 public:
  GexfWriter(const std::filesystem::path& path, std::vector<NetworkScore> wanted)
      : NetworkWriter(std::move(wanted)), out_(path) {
    out_.write(
        R"(<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<meta><creator>webstrata</creator>)");
    std::string about;
    for (const NetworkScore& score : scores()) {
      about += fmt::format("{}{}: {}", about.empty() ? "" : "; ", score.name, score.about);
    }
    if (!about.empty()) out_.write(fmt::format("<description>{}</description>", escaped(about)));
    out_.write(
        R"(</meta>
<graph mode="dynamic" defaultedgetype="directed" timeformat="date" timerepresentation="interval">
<attributes class="node" mode="static">
<attribute id="firstSeen" title="firstSeen" type="string"/>
<attribute id="lastSeen" title="lastSeen" type="string"/>
<attribute id="captures" title="captures" type="integer"/>
)");
    for (std::size_t i = 0; i < scores().size(); ++i) {
      out_.write(fmt::format("<attribute id=\"score{}\" title=\"{}\" type=\"double\"/>\n", i,
                             escaped(scores()[i].name)));
    }
    out_.write("</attributes>\n<nodes>\n");
  }

  void node(const DatedNode& node) override {
    std::string values;
    const auto add = [&](std::string_view id, const auto& value) {
      values += fmt::format("<attvalue for=\"{}\" value=\"{}\"/>", id, value);
    };
    if (!node.spells.empty()) {
      add("firstSeen", day_of(node.spells.front().first));
      add("lastSeen", day_of(node.spells.back().last));
    }
    if (node.captures) add("captures", *node.captures);
    for (std::size_t i = 0; i < node.scores.size(); ++i) {
      if (node.scores[i]) add(fmt::format("score{}", i), *node.scores[i]);
    }
    if (!values.empty()) values = fmt::format("<attvalues>{}</attvalues>", values);
    out_.write(fmt::format("<node id=\"{}\" label=\"{}\"{}", node.node, escaped(node.label),
                           ended(node.spells, "node", values)));
  }

  void link(const DatedLink& link) override {
    begin_edges();
    std::string line = fmt::format("<edge id=\"{}\" source=\"{}\" target=\"{}\"", next_edge_++,
                                   link.source, link.target);
    if (link.count) line += fmt::format(" weight=\"{}\"", *link.count);
    out_.write(line + ended(link.spells, "edge"));
  }

  void finish() override {
    begin_edges();
    out_.write("</edges>\n</graph>\n</gexf>\n");
    out_.finish();
  }

 private:
  void begin_edges() {
    if (has_edges_) return;
    out_.write("</nodes>\n<edges>\n");
    has_edges_ = true;
  }

  // The rest of an element, after its attributes; `inner` is what it holds besides its spells.
  static std::string ended(std::span<const TimeInterval> spells, std::string_view element,
                           const std::string& inner = {}) {
    const auto days = spells_of_days(spells);
    std::string text = days.size() == 1 ? " " + interval(days[0]) : std::string();
    if (days.size() <= 1 && inner.empty()) return text + "/>\n";
    text += ">" + inner;
    if (days.size() > 1) {
      text += "<spells>";
      for (const TimeInterval& spell : days) text += fmt::format("<spell {}/>", interval(spell));
      text += "</spells>";
    }
    return text + fmt::format("</{}>\n", element);
  }

  static std::string interval(const TimeInterval& days) {
    return fmt::format("start=\"{}\" end=\"{}\"", day_of(days.first), day_of(days.last));
  }

  TextOutput out_;
  bool has_edges_ = false;
  std::uint64_t next_edge_ = 0;
};

// The spell between two columns, if both ends are known.
std::optional<TimeInterval> spell(const Column<Time>& first, const Column<Time>& last,
                                  std::size_t position) {
  const auto from = first[position];
  const auto to = last[position];
  if (!from || !to) return std::nullopt;
  return TimeInterval{*from, *to};
}

std::span<const TimeInterval> as_span(const std::optional<TimeInterval>& spell) {
  return spell ? std::span(&*spell, 1) : std::span<const TimeInterval>();
}

}  // namespace

std::unique_ptr<NetworkWriter> open_graphml(const std::filesystem::path& path,
                                            std::vector<NetworkScore> scores) {
  return std::make_unique<GraphmlWriter>(path, std::move(scores));
}

std::unique_ptr<NetworkWriter> open_gexf(const std::filesystem::path& path,
                                         std::vector<NetworkScore> scores) {
  return std::make_unique<GexfWriter>(path, std::move(scores));
}

std::vector<std::optional<TimeInterval>> node_times(const Snapshot& graph) {
  std::vector<std::optional<TimeInterval>> times(graph.node_count());
  const auto widen = [&](Node node, std::optional<Time> first, std::optional<Time> last) {
    if (!first || !last) return;
    if (!times[node]) times[node] = {*first, *last};
    times[node] = {std::min(times[node]->first, *first), std::max(times[node]->last, *last)};
  };
  const NodeColumns& captured = graph.node_columns();
  const LinkColumns& seen = graph.link_columns();
  for (Node node = 0; node < graph.node_count(); ++node) {
    widen(node, captured.first_capture[node], captured.last_capture[node]);
    std::uint64_t position = graph.first_link(node);
    for (const Node target : graph.successors(node)) {
      for (const Node end : {node, target}) {
        widen(end, seen.first_seen[position], seen.last_seen[position]);
      }
      ++position;
    }
  }
  return times;
}

std::vector<std::optional<double>> scores_of(const Snapshot& graph, Node node,
                                             const NetworkWriter& writer) {
  const auto& columns = graph.node_columns().scores;
  std::vector<std::optional<double>> scores;
  for (const NetworkScore& wanted : writer.scores()) {
    const auto column = columns.find(wanted.name);
    scores.push_back(column == columns.end() ? std::nullopt : column->second[node]);
  }
  return scores;
}

void write_network(const Snapshot& graph, NetworkWriter& writer, const WorkOptions& work) {
  const auto tell = [&](std::string_view phase, Node node) {
    if (node % 65536 != 0) return;
    work.check_cancelled();
    if (work.progress) work.progress({phase, node, graph.node_count(), "nodes"});
  };
  const auto times = node_times(graph);
  for (Node node = 0; node < graph.node_count(); ++node) {
    tell("writing nodes", node);
    const std::string name = graph.name(node);
    const auto scores = scores_of(graph, node, writer);
    writer.node({.node = node,
                 .label = name,
                 .spells = as_span(times[node]),
                 .captures = graph.node_columns().captures[node],
                 .scores = scores});
  }
  const LinkColumns& links = graph.link_columns();
  for (Node node = 0; node < graph.node_count(); ++node) {
    tell("writing links", node);
    std::uint64_t position = graph.first_link(node);
    for (const Node target : graph.successors(node)) {
      const auto seen = spell(links.first_seen, links.last_seen, position);
      writer.link({node, target, links.count[position], as_span(seen)});
      ++position;
    }
  }
  writer.finish();
}

}  // namespace webstrata
