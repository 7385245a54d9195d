// SPDX-License-Identifier: Apache-2.0

// A graph as a file of other tools.
//
//   write_graph_file(graph, "tsv", "links.tsv.gz", work);

#pragma once

#include <string>
#include <string_view>

#include "webstrata/graph/snapshot.h"
#include "webstrata/base/work.h"

namespace webstrata {

// `form` is tsv, ascii, bvgraph, commoncrawl, graphml or gexf (docs/export.md). Files appear only
// when complete. bvgraph and commoncrawl write several, whose names begin with `path`; the others
// take "-" for standard output. Throws Error(BadInput) for another form, Error(Io).
void write_graph_file(const Snapshot& graph, std::string_view form, const std::string& path,
                      const WorkOptions& work);

}  // namespace webstrata
