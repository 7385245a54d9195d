// SPDX-License-Identifier: Apache-2.0

// Vertices are `id <tab> reversed host`, with an optional count of hosts for domain graphs, and
// edges `id <tab> id`; both may be split into several files. Names are reversed when read and
// written, since Common Crawl's order of labels is the opposite. On writing, nodes are renumbered
// by their reversed names.
// Tested by tests/graph/graph_text_test.cpp and tests/graph/named_graph_test.cpp.

#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/common_crawl.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/graph/link_pairs.h"
#include "webstrata/graph/text_output.h"
#include "webstrata/url/host.h"

namespace webstrata {
namespace {

constexpr const char* kHostCount = "n_hosts";
// How much a part of the edges holds.
constexpr std::size_t kNodesInPart = std::size_t{1} << 15;
constexpr std::size_t kEdgesInPart = std::size_t{1} << 20;

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

using Edge = std::pair<Node, Node>;

std::optional<Edge> next_edge(LineReader& lines, const WorkOptions& work, Node node_count) {
  auto line = lines.next();
  if (!line) return std::nullopt;
  tell(lines, work, "reading edges");
  const std::uint64_t source = take_number_field(*line, lines);
  const std::uint64_t target = take_number_field(*line, lines);
  if (source >= node_count || target >= node_count) {
    lines.refuse(fmt::format("there are only {} vertices", node_count));
  }
  return Edge(static_cast<Node>(source), static_cast<Node>(target));
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

Vertices read_vertices(const std::vector<std::filesystem::path>& files, const WorkOptions& work) {
  Vertices vertices;
  for (const auto& path : files) {
    LineReader lines(path);
    read_vertices(lines, work, vertices);
  }
  drop_unknown_counts(vertices.columns);
  return vertices;
}

// ---- edges in parts -----------------------------------------------------------------------------

struct EdgeParts::State {
  std::vector<std::filesystem::path> files;
  Node node_count = 0;
  WorkOptions work;
  std::size_t next_file = 0;
  std::unique_ptr<LineReader> lines;
  std::optional<Edge> waiting;  // read, and not yet in a part
  std::optional<Edge> last;
  Node next_node = 0;

  void advance() {
    waiting.reset();
    while (!waiting) {
      if (!lines && next_file == files.size()) return;
      if (!lines) lines = std::make_unique<LineReader>(files[next_file++]);
      waiting = next_edge(*lines, work, node_count);
      if (!waiting) lines.reset();
    }
    if (last && *waiting < *last) {
      lines->refuse(
          fmt::format("edges must be sorted by both numbers, and {} {} follows {} {}; sort them "
                      "with: LC_ALL=C sort -k1,1n -k2,2n",
                      waiting->first, waiting->second, last->first, last->second));
    }
    last = waiting;
  }
};

EdgeParts::EdgeParts(std::vector<std::filesystem::path> files, Node node_count, WorkOptions work)
    : state_(std::make_unique<State>()) {
  state_->files = std::move(files);
  state_->node_count = node_count;
  state_->work = std::move(work);
  state_->advance();
}

EdgeParts::~EdgeParts() = default;

std::optional<SnapshotPart> EdgeParts::next() {
  State& state = *state_;
  if (state.next_node == state.node_count) return std::nullopt;
  SnapshotPart part;
  part.first = state.next_node;
  while (state.next_node < state.node_count && part.ends.size() < kNodesInPart &&
         part.targets.size() < kEdgesInPart) {
    const std::size_t start = part.targets.size();
    for (; state.waiting && state.waiting->first == state.next_node; state.advance()) {
      const bool is_again =
          part.targets.size() > start && part.targets.back() == state.waiting->second;
      if (!is_again) part.targets.push_back(state.waiting->second);
    }
    part.end_list();
    ++state.next_node;
  }
  return part;
}

Snapshot read_common_crawl(const std::vector<std::filesystem::path>& vertex_files,
                           const std::vector<std::filesystem::path>& edge_files,
                           const WorkOptions& work) {
  Vertices vertices = read_vertices(vertex_files, work);
  const Node node_count = vertices.names->size();
  LinkPairs links;
  for (const auto& path : edge_files) {
    LineReader lines(path);
    while (const auto edge = next_edge(lines, work, node_count)) {
      links.add(edge->first, edge->second);
    }
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
