// SPDX-License-Identifier: Apache-2.0
#include "webstrata/cli/verbs/export_forms.h"

namespace webstrata {

void export_ascii(const ExportFlags& flags, ProgressLine& line);         // export_graph.cpp
void export_bvgraph(const ExportFlags& flags, ProgressLine& line);       // export_graph.cpp
void export_cdxj(const ExportFlags& flags, ProgressLine& line);          // export_lines.cpp
void export_common_crawl(const ExportFlags& flags, ProgressLine& line);  // export_graph.cpp
void export_gexf(const ExportFlags& flags, ProgressLine& line);          // export_graph.cpp
void export_graphml(const ExportFlags& flags, ProgressLine& line);       // export_graph.cpp
void export_jsonl(const ExportFlags& flags, ProgressLine& line);         // export_lines.cpp
void export_scores(const ExportFlags& flags, ProgressLine& line);        // export_lines.cpp
void export_uids(const ExportFlags& flags, ProgressLine& line);          // export_lines.cpp
void export_tsv(const ExportFlags& flags, ProgressLine& line);           // export_graph.cpp

const std::vector<ExportForm>& export_forms() {
  static const std::vector<ExportForm> all = {
      {"jsonl", "everything, as JSON lines; build makes the same archive from them", export_jsonl},
      {"cdxj", "one index line per sighting; pipe it through LC_ALL=C sort", export_cdxj},
      {"uids", "captures with numbers for names: uid, time, uids of links", export_uids},
      {"scores", "the scores saved under --name: URL, score; then source, target, score",
       export_scores},
      {"bvgraph", "WebGraph's: OUT.graph, OUT.offsets, OUT.properties; names in OUT.urls.gz",
       export_bvgraph},
      {"tsv", "one line per link: source, tab, target", export_tsv},
      {"csv", "the same as CSV, with the header source,target", export_tsv},
      {"ascii", "WebGraph's ASCIIGraph: one line of targets per node; names in *.urls.gz",
       export_ascii},
      {"commoncrawl",
       "Common Crawl's OUT-vertices.txt.gz and OUT-edges.txt.gz; needs --level host or domain",
       export_common_crawl},
      {"graphml", "GraphML with PageRank and captures, weight and crawlDate (as AUT writes it)",
       export_graphml},
      {"gexf", "GEXF 1.3 with PageRank, captures and when each link was seen, for Gephi",
       export_gexf},
  };
  return all;
}

}  // namespace webstrata
