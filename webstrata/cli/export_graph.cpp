// A form is one line in graph_forms() below.
// Tested by tests/cli/export_graph_test.py.

#include "webstrata/cli/export_graph.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/dated_network.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/network_writer.h"
#include "webstrata/graph/text_output.h"

namespace webstrata {
namespace {

constexpr Node kNamesBetweenProgress = 4096;

// Text goes to standard output if nobody names a file.
std::string text_path(const std::string& output) { return output.empty() ? "-" : output; }

std::string base_name(std::string_view form, const std::string& output) {
  if (!output.empty() && output != "-") return output;
  throw Error(ErrorKind::BadInput, fmt::format("--as {} writes several files: name OUT", form));
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

void write_bvgraph_form(GraphSource source, const std::string& output, const WorkOptions& work) {
  const std::string base = without_ending(base_name("bvgraph", output), ".graph");
  const Snapshot graph = load(source, work);
  write_names(graph, base + ".urls.gz", work);
  write_bvgraph(graph, base, {.work = work});
}

void write_tsv_form(GraphSource source, const std::string& output, const WorkOptions& work) {
  write_tsv(load(source, work), text_path(output), work);
}

void write_ascii_form(GraphSource source, const std::string& output, const WorkOptions& work) {
  const Snapshot graph = load(source, work);
  const std::string path = text_path(output);
  const std::string base = without_ending(without_ending(path, ".gz"), ".graph-txt");
  if (path != "-") write_names(graph, base + ".urls.gz", work);
  write_ascii_graph(graph, path, work);
}

void write_common_crawl_form(GraphSource source, const std::string& output,
                             const WorkOptions& work) {
  const std::string base = base_name("commoncrawl", output);
  write_common_crawl(load(source, work), base + "-vertices.txt.gz", base + "-edges.txt.gz", work);
}

void write_graphml_form(GraphSource source, const std::string& output, const WorkOptions& work) {
  source.request.link_columns = {.count = true, .seen = true};
  const Snapshot graph = load(source, work);
  write_network(graph, *open_graphml(text_path(output)), work);
}

void write_gexf_form(GraphSource source, const std::string& output, const WorkOptions& work) {
  if (!source.archive) {
    return write_network(load(source, work), *open_gexf(text_path(output)), work);
  }
  source.request.work = work;
  write_dated_network(*source.archive, source.request, *open_gexf(text_path(output)));
}

}  // namespace

const std::vector<GraphForm>& graph_forms() {
  static const std::vector<GraphForm> all = {
      {"bvgraph", "WebGraph's: OUT.graph, OUT.offsets, OUT.properties; names in OUT.urls.gz",
       write_bvgraph_form},
      {"tsv", "a line for each link: source, tab, target", write_tsv_form},
      {"ascii", "WebGraph's ASCIIGraph: a line of targets for each node; names in *.urls.gz",
       write_ascii_form},
      {"commoncrawl", "OUT-vertices.txt.gz and OUT-edges.txt.gz; with --level host or domain",
       write_common_crawl_form},
      {"graphml", "GraphML with label, weight and crawlDate, as AUT writes it", write_graphml_form},
      {"gexf", "GEXF 1.3 with the times at which each link was seen, for Gephi", write_gexf_form},
  };
  return all;
}

}  // namespace webstrata
