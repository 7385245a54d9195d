// SPDX-License-Identifier: Apache-2.0

// Scores of a graph's nodes as columns of its archive, and back.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "webstrata/graph/snapshot.h"
#include "webstrata/words/graph_word.h"

namespace webstrata {

// Throws Error(BadInput) if the nodes of the graph are not those of an archive: in a graph file, or
// where pages are joined. `flag` is the option that asks for it.
void require_archive_nodes(const GraphSource& source, const std::string& flag);

// Saves a score for each node of `graph`, which came from `source`, under `name`.
void save_node_scores(const GraphSource& source, const Snapshot& graph, const std::string& name,
                      std::span<const double> scores);
// Those saved under `name`, for the nodes of `graph`; `missing` where there is none.
std::vector<double> load_node_scores(const GraphSource& source, const Snapshot& graph,
                                     const std::string& name, double missing);

}  // namespace webstrata
