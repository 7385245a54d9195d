// The forms in which a graph, of an archive or out of a file, is handed over.
// Tested by tests/cli/export_graph_test.py.

#include "webstrata/cli/verbs/export_forms.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/dated_network.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/network_writer.h"
#include "webstrata/graph/text_output.h"

namespace webstrata {
namespace {

constexpr Node kNamesBetweenProgress = 4096;

// Text goes to standard output if nobody names a file.
std::string text_path(const ExportFlags& flags) {
  return flags.output.empty() ? "-" : flags.output;
}

std::string base_name(const ExportFlags& flags) {
  if (!flags.output.empty() && flags.output != "-") return flags.output;
  throw Error(ErrorKind::BadInput,
              fmt::format("--as {} writes several files: OUT is missing", flags.form));
}

std::string without_ending(std::string name, std::string_view ending) {
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

// A name a line in the order of nodes, as LAW publishes them beside its graphs.
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

Snapshot graph_to_export(const ExportFlags& flags, const WorkOptions& work) {
  return load(graph_of(flags.graph), work);
}

}  // namespace

void export_bvgraph(const ExportFlags& flags, ProgressLine& line) {
  const std::string base = without_ending(base_name(flags), ".graph");
  const WorkOptions work = work_on(line, flags.graph.threads);
  const Snapshot graph = graph_to_export(flags, work);
  write_names(graph, base + ".urls.gz", work);
  write_bvgraph(graph, base, {.work = work});
}

void export_tsv(const ExportFlags& flags, ProgressLine& line) {
  const WorkOptions work = work_on(line, flags.graph.threads);
  write_tsv(graph_to_export(flags, work), text_path(flags), work);
}

void export_ascii(const ExportFlags& flags, ProgressLine& line) {
  const WorkOptions work = work_on(line, flags.graph.threads);
  const Snapshot graph = graph_to_export(flags, work);
  const std::string path = text_path(flags);
  const std::string base = without_ending(without_ending(path, ".gz"), ".graph-txt");
  if (path != "-") write_names(graph, base + ".urls.gz", work);
  write_ascii_graph(graph, path, work);
}

void export_common_crawl(const ExportFlags& flags, ProgressLine& line) {
  const std::string base = base_name(flags);
  const WorkOptions work = work_on(line, flags.graph.threads);
  write_common_crawl(graph_to_export(flags, work), base + "-vertices.txt.gz",
                     base + "-edges.txt.gz", work);
}

void export_graphml(const ExportFlags& flags, ProgressLine& line) {
  const WorkOptions work = work_on(line, flags.graph.threads);
  GraphSource source = graph_of(flags.graph);
  source.request.link_columns = {.count = true, .seen = true};
  const Snapshot graph = load(source, work);
  write_network(graph, *open_graphml(text_path(flags)), work);
}

void export_gexf(const ExportFlags& flags, ProgressLine& line) {
  GraphSource source = graph_of(flags.graph);
  source.request.work = work_on(line, flags.graph.threads);
  if (source.archive) {
    write_dated_network(*source.archive, source.request, *open_gexf(text_path(flags)));
  } else {
    const Snapshot graph = load(source, source.request.work);
    write_network(graph, *open_gexf(text_path(flags)), source.request.work);
  }
}

}  // namespace webstrata
