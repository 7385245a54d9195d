// SPDX-License-Identifier: Apache-2.0

// Tested by tests/graph/graph_text_test.cpp.

#include <charconv>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/graph/text_output.h"

namespace webstrata {
namespace {

std::uint64_t take_number(std::string_view& text, const LineReader& lines) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc()) lines.refuse("there is something else than numbers");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  return number;
}

Snapshot read_lines(LineReader& lines, const WorkOptions& work) {
  auto line = lines.next();
  if (!line) lines.refuse("the file is empty");
  std::string_view first = trim(*line);
  const std::uint64_t nodes = take_number(first, lines);
  if (!first.empty()) lines.refuse("the first line of an ASCII graph is its number of nodes");
  SnapshotBuilder builder(nodes);
  std::vector<Node> targets;
  std::uint64_t node = 0;
  while ((line = lines.next())) {
    std::string_view rest = trim(*line);
    if (node == nodes && rest.empty()) continue;  // empty lines at the end
    if (node == nodes) lines.refuse(fmt::format("there are more lines than {} nodes", nodes));
    targets.clear();
    while (!rest.empty()) {
      const std::uint64_t target = take_number(rest, lines);
      const bool ascends = targets.empty() || target > targets.back();
      if (target >= nodes || !ascends) lines.refuse("targets are not ascending nodes");
      targets.push_back(static_cast<Node>(target));
    }
    builder.add(static_cast<Node>(node++), targets);
    if (node % 65536 != 0) continue;
    work.check_cancelled();
    if (work.progress) work.progress({"reading the graph", node, nodes, "nodes"});
  }
  if (node != nodes) lines.refuse(fmt::format("the graph ends after {} of {} nodes", node, nodes));
  return builder.finish({.threads = work.threads, .cancel = work.cancel});
}

}  // namespace

Snapshot read_ascii_graph(const std::filesystem::path& path, const WorkOptions& work) {
  LineReader lines(path);
  return read_lines(lines, work);
}

Snapshot parse_ascii_graph(std::string_view text) {
  LineReader lines(InMemoryText{text});
  return read_lines(lines, {.threads = 1});
}

void write_ascii_graph(const Snapshot& graph, const std::filesystem::path& path,
                       const WorkOptions& work) {
  TextOutput out(path);
  out.write(fmt::format("{}\n", graph.node_count()));
  std::string line;
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (node % 65536 == 0) {
      work.check_cancelled();
      if (work.progress) work.progress({"writing the graph", node, graph.node_count(), "nodes"});
    }
    line.clear();
    for (const Node target : graph.successors(node)) {
      if (!line.empty()) line += ' ';
      line += std::to_string(target);
    }
    line += '\n';
    out.write(line);
  }
  out.finish();
}

}  // namespace webstrata
