// SPDX-License-Identifier: Apache-2.0

// A graph as a file of other tools.
//
//   write_graph_file(graph, "tsv", "links.tsv.gz", work);

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/graph/network_writer.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

// `form` is tsv, ascii, bvgraph, commoncrawl, graphml or gexf (docs/export.md). Files appear only
// when complete. bvgraph and commoncrawl write several, whose names begin with `path`; the others
// take "-" for standard output. Throws Error(BadInput) for another form, Error(Io).
// In graphml and gexf nodes have the columns of the graph, and PageRank, which is computed unless
// there is a column of that name or `saved` names another one to take.
void write_graph_file(const Snapshot& graph, std::string_view form, const std::string& path,
                      const WorkOptions& work, const std::string& saved = {});

// The scores of nodes that a file of a graph contains: `saved`, or else PageRank.
std::vector<NetworkScore> network_scores(const std::string& saved);
// The graph with a column `pagerank`, unless it has one.
Snapshot with_pagerank(const Snapshot& graph, const WorkOptions& work);

}  // namespace webstrata
