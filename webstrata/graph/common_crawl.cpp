// SPDX-License-Identifier: Apache-2.0

// Vertices are `id <tab> reversed host`, with an optional count of hosts for domain graphs, and
// edges `id <tab> id`; both may be split into several files. Names are reversed when read and
// written, since Common Crawl's order of labels is the opposite. On writing, nodes are renumbered
// by their reversed names.
// Tested by tests/graph/graph_text_test.cpp.

#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/graph/link_pairs.h"
#include "webstrata/graph/text_output.h"
#include "webstrata/url/host.h"

namespace webstrata {
namespace {

constexpr const char* kHostCount = "n_hosts";

std::string_view take_field(std::string_view& line) {
  const std::size_t end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

std::uint64_t take_number_field(std::string_view& line, const LineReader& lines) {
  const std::string_view field = take_field(line);
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (field.empty() || problem != std::errc() || end != field.data() + field.size()) {
    lines.refuse(fmt::format("'{}' is not a number", field));
  }
  return number;
}

void tell(const LineReader& lines, const WorkOptions& work, std::string_view phase) {
  if (lines.line_number() % LineReader::kProgressLines != 0) return;
  work.check_cancelled();
  if (work.progress) work.progress({phase, lines.bytes_read(), lines.file_size(), "B"});
}

struct Vertices {
  std::shared_ptr<NameList> names = std::make_shared<NameList>();
  NodeColumns columns;
};

void read_vertices(LineReader& lines, const WorkOptions& work, Vertices& vertices) {
  while (auto line = lines.next()) {
    tell(lines, work, "reading vertices");
    const std::uint64_t node = take_number_field(*line, lines);
    if (node != vertices.names->size()) {
      lines.refuse(fmt::format("vertices must be numbered from 0 without gaps; {} follows {}", node,
                               vertices.names->size()));
    }
    vertices.names->add(take_field(*line));
    Column<double>& counts = vertices.columns.scores[kHostCount];
    counts.push_back(line->empty()
                         ? std::nullopt
                         : std::optional(static_cast<double>(take_number_field(*line, lines))));
  }
}

void drop_unknown_counts(NodeColumns& columns) {
  const auto found = columns.scores.find(kHostCount);
  if (found == columns.scores.end()) return;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    if (found->second[i]) return;
  }
  columns.scores.erase(found);
}

void read_edges(LineReader& lines, const WorkOptions& work, Node node_count, LinkPairs& links) {
  while (auto line = lines.next()) {
    tell(lines, work, "reading edges");
    const std::uint64_t source = take_number_field(*line, lines);
    const std::uint64_t target = take_number_field(*line, lines);
    if (source >= node_count || target >= node_count) {
      lines.refuse(fmt::format("there are only {} vertices", node_count));
    }
    links.add(static_cast<Node>(source), static_cast<Node>(target));
  }
}

// "www.example.org" as "org.example.www"; addresses and other text that is not a host as they are.
std::string reversed(const std::string& name) {
  if (name.find_first_of("/\t\n\r") != std::string::npos || is_ip_address(name)) {
    std::string field = name;
    for (char& byte : field) {
      if (byte == '\t' || byte == '\n' || byte == '\r') byte = ' ';
    }
    return field;
  }
  std::string out;
  std::size_t end = name.size();
  while (true) {
    const std::size_t dot = end == 0 ? std::string::npos : name.rfind('.', end - 1);
    const std::size_t start = dot == std::string::npos ? 0 : dot + 1;
    out.append(name, start, end - start);
    if (dot == std::string::npos) return out;
    out += '.';
    end = dot;
  }
}

std::vector<std::string> reversed_names(const Snapshot& graph, const WorkOptions& work) {
  std::vector<std::string> names(graph.node_count());
  constexpr std::size_t kNamesAtOnce = 1 << 14;
  run_tasks((names.size() + kNamesAtOnce - 1) / kNamesAtOnce, work, "naming",
            [&](std::size_t task) {
              const std::size_t last = std::min(names.size(), (task + 1) * kNamesAtOnce);
              for (std::size_t i = task * kNamesAtOnce; i < last; ++i) {
                names[i] = reversed(graph.name(static_cast<Node>(i)));
              }
            });
  return names;
}

}  // namespace

Snapshot read_common_crawl(const std::vector<std::filesystem::path>& vertex_files,
                           const std::vector<std::filesystem::path>& edge_files,
                           const WorkOptions& work) {
  Vertices vertices;
  for (const auto& path : vertex_files) {
    LineReader lines(path);
    read_vertices(lines, work, vertices);
  }
  drop_unknown_counts(vertices.columns);
  const Node node_count = vertices.names->size();
  LinkPairs links;
  for (const auto& path : edge_files) {
    LineReader lines(path);
    read_edges(lines, work, node_count, links);
  }
  return links.to_snapshot(node_count, work)
      .with_names(vertices.names)
      .with_node_columns(std::move(vertices.columns));
}

void write_common_crawl(const Snapshot& graph, const std::filesystem::path& vertices,
                        const std::filesystem::path& edges, const WorkOptions& work) {
  if (!graph.has_names()) {
    throw Error(ErrorKind::BadInput, "a graph of hosts needs names; give a file of URLs");
  }
  const std::vector<std::string> names = reversed_names(graph, work);
  std::vector<Node> order(graph.node_count());
  std::iota(order.begin(), order.end(), Node{0});
  std::sort(order.begin(), order.end(), [&](Node a, Node b) {
    return std::pair<const std::string&, Node>(names[a], a) <
           std::pair<const std::string&, Node>(names[b], b);
  });
  std::vector<Node> number_of(order.size());
  const auto& scores = graph.node_columns().scores;
  const auto counts = scores.find(kHostCount);
  TextOutput vertex_file(vertices);
  for (Node number = 0; number < order.size(); ++number) {
    const Node node = order[number];
    number_of[node] = number;
    vertex_file.write(fmt::format("{}\t{}", number, names[node]));
    const auto count = counts == scores.end() ? std::nullopt : counts->second[node];
    if (count) vertex_file.write(fmt::format("\t{:.0f}", *count));
    vertex_file.write("\n");
  }
  TextOutput edge_file(edges);
  std::vector<Node> targets;
  for (Node number = 0; number < order.size(); ++number) {
    if (number % 65536 == 0) work.check_cancelled();
    targets.clear();
    for (const Node target : graph.successors(order[number])) targets.push_back(number_of[target]);
    std::sort(targets.begin(), targets.end());
    for (const Node target : targets) edge_file.write(fmt::format("{}\t{}\n", number, target));
  }
  vertex_file.finish();
  edge_file.finish();
}

}  // namespace webstrata
