// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/export_graph_test.py, tests/python/export_test.py.

#include "webstrata/show/graph_files.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/text_output.h"
#include "webstrata/rank/pagerank.h"
#include "webstrata/show/text_table.h"

namespace webstrata {
namespace {

constexpr Node kNamesBetweenProgress = 4096;
constexpr std::string_view kPageRank = "pagerank";

std::string without_ending(std::string name, std::string_view ending) {
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

// One name per line in the order of nodes, as LAW publishes them next to its graphs.
void write_names(const Snapshot& graph, const std::string& path, const WorkOptions& work) {
  if (!graph.has_names()) return;
  TextOutput out(path);
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (node % kNamesBetweenProgress == 0) {
      work.check_cancelled();
      if (work.progress) work.progress({"writing names", node, graph.node_count(), "nodes"});
    }
    out.write(graph.name(node) + "\n");
  }
  out.finish();
}

void write_bvgraph_files(const Snapshot& graph, const std::string& path, const WorkOptions& work) {
  const std::string base = without_ending(path, ".graph");
  write_names(graph, base + ".urls.gz", work);
  write_bvgraph(graph, base, {.work = work});
}

void write_ascii_files(const Snapshot& graph, const std::string& path, const WorkOptions& work) {
  const std::string base = without_ending(without_ending(path, ".gz"), ".graph-txt");
  if (path != "-") write_names(graph, base + ".urls.gz", work);
  write_ascii_graph(graph, path, work);
}

void write_csv_links(const Snapshot& graph, const std::string& path, const WorkOptions& work) {
  const TableWriter writer({"source", "target"}, {TableForm::Csv, true});
  TextOutput out(path);
  std::string lines;
  writer.append_header(lines);
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (node % kNamesBetweenProgress == 0) {
      work.check_cancelled();
      if (work.progress) work.progress({"writing links", node, graph.node_count(), "nodes"});
    }
    for (const Node target : graph.successors(node)) {
      writer.append_row(lines, {graph.name(node), graph.name(target)});
    }
    out.write(lines);
    lines.clear();
  }
  out.finish();
}

}  // namespace

std::vector<NetworkScore> network_scores(const std::string& saved) {
  if (!saved.empty()) return {{saved, "scores that were saved in the archive"}};
  return {{std::string(kPageRank), "PageRank of this graph, computed with damping 0.85"}};
}

Snapshot with_pagerank(const Snapshot& graph, const WorkOptions& work) {
  NodeColumns columns = graph.node_columns();
  if (columns.scores.contains(std::string(kPageRank))) return graph;
  columns.scores[std::string(kPageRank)] =
      Column<double>(pagerank(graph, {.damping = 0.85, .work = work}).scores);
  return graph.with_node_columns(std::move(columns));
}

void write_graph_file(const Snapshot& graph, std::string_view form, const std::string& path,
                      const WorkOptions& work, const std::string& saved) {
  if (form == "tsv") {
    write_tsv(graph, path, work);
  } else if (form == "csv") {
    write_csv_links(graph, path, work);
  } else if (form == "ascii") {
    write_ascii_files(graph, path, work);
  } else if (form == "bvgraph") {
    write_bvgraph_files(graph, path, work);
  } else if (form == "commoncrawl") {
    write_common_crawl(graph, path + "-vertices.txt.gz", path + "-edges.txt.gz", work);
  } else if (form == "graphml") {
    const Snapshot scored = saved.empty() ? with_pagerank(graph, work) : graph;
    write_network(scored, *open_graphml(path, network_scores(saved)), work);
  } else if (form == "gexf") {
    const Snapshot scored = saved.empty() ? with_pagerank(graph, work) : graph;
    write_network(scored, *open_gexf(path, network_scores(saved)), work);
  } else {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: not a form of a graph: tsv, csv, ascii, bvgraph, commoncrawl, graphml "
                    "or gexf",
                    form));
  }
}

}  // namespace webstrata
