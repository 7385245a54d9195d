// SPDX-License-Identifier: Apache-2.0

// The forms in which a graph, of an archive or out of a file, is handed over.
// Tested by tests/cli/export_graph_test.py.

#include "webstrata/cli/verbs/export_forms.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/graph/dated_network.h"
#include "webstrata/graph/network_writer.h"
#include "webstrata/jobs/saved_scores.h"
#include "webstrata/show/graph_files.h"

namespace webstrata {
namespace {

// Text goes to standard output if no file is named.
std::string text_path(const ExportFlags& flags) {
  return flags.output.empty() ? "-" : flags.output;
}

std::string base_name(const ExportFlags& flags) {
  if (!flags.output.empty() && flags.output != "-") return flags.output;
  throw Error(ErrorKind::BadInput,
              fmt::format("--as {} writes several files: OUT is missing", flags.form));
}

void load_and_write(const ExportFlags& flags, const std::string& path, ProgressLine& line) {
  const WorkOptions work = work_on(line, flags.graph.threads);
  write_graph_file(load(graph_of(flags.graph), work), flags.form, path, work);
}

// With what is known about nodes and links.
GraphSource described_graph(const ExportFlags& flags) {
  GraphSource source = graph_of(flags.graph);
  source.request.node_columns.captures = true;
  source.request.link_columns = {.count = true, .seen = true};
  if (!flags.name.empty()) {
    require_archive_nodes(source, "--name");
    source.request.scores = {flags.name};
  }
  return source;
}

}  // namespace

void export_bvgraph(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, base_name(flags), line);
}

void export_tsv(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, text_path(flags), line);
}

void export_ascii(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, text_path(flags), line);
}

void export_common_crawl(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, base_name(flags), line);
}

void export_graphml(const ExportFlags& flags, ProgressLine& line) {
  const WorkOptions work = work_on(line, flags.graph.threads);
  write_graph_file(load(described_graph(flags), work), flags.form, text_path(flags), work,
                   flags.name);
}

void export_gexf(const ExportFlags& flags, ProgressLine& line) {
  GraphSource source = described_graph(flags);
  const WorkOptions work = work_on(line, flags.graph.threads);
  source.request.work = work;
  if (!source.archive) {
    write_graph_file(load(source, work), flags.form, text_path(flags), work);
    return;
  }
  const auto scored = [&](const Snapshot& graph) {
    return flags.name.empty() ? with_pagerank(graph, work) : graph;
  };
  write_dated_network(*source.archive, source.request,
                      *open_gexf(text_path(flags), network_scores(flags.name)), scored);
}

}  // namespace webstrata
