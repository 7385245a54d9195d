// SPDX-License-Identifier: Apache-2.0

// Imports graph files of known dates, such as the releases of Common Crawl's host graph: every node
// becomes a capture at the date of its graph, with the links that it has there.
//
//   take_in_graphs(writer, {{.path = "cc-main-2024-host", .time = time}}, options);

#pragma once

#include <vector>

#include "webstrata/graph/named_graph.h"
#include "webstrata/intake/take_in.h"

namespace webstrata {

// Nodes become URLs by url_of_name() and are normalised; those that are not URLs are left out, with
// their links, and counted. The captures have no status, their links are of kind navigation, and
// their crawl is options.crawl or else the name of the graph's file. Memory: the names, and a batch
// per thread. Throws if a graph cannot be read, for there is no such thing as half of a graph:
// Error(NotFound), Error(BadInput), Error(Corrupt), Error(Cancelled).
std::vector<InputSummary> take_in_graphs(RunGatherer& gatherer,
                                         const std::vector<DatedGraph>& graphs,
                                         const TakeInOptions& options);
std::vector<InputSummary> take_in_graphs(ArchiveWriter& writer,
                                         const std::vector<DatedGraph>& graphs,
                                         const TakeInOptions& options);

}  // namespace webstrata
