// SPDX-License-Identifier: Apache-2.0

// Scores stored in an archive (archive/ask/scores.h, archive/ask/link_scores.h), for a graph made
// from it: one for each node, or for each link in the order of Snapshot::first_link(). Missing is
// not zero.
//
//   const Snapshot graph = snapshot_of(archive);
//   const Column<double> beta = node_scores_of(archive, graph, "bridges");
//   const Column<double> alpha = link_scores_of(archive, graph, "bridges");
//   if (const auto score = alpha[graph.first_link(node) + place]) ...
//
// SnapshotRequest::scores puts both into the columns of the Snapshot itself.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/graph/columns.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

// Throw Error(NotFound) if the archive has no such column, and Error(BadInput) if the nodes of the
// graph are not those of the archive: as in a graph of hosts, or where spellings were joined.
Column<double> node_scores_of(const Archive& archive, const Snapshot& graph, std::string_view name);
Column<double> link_scores_of(const Archive& archive, const Snapshot& graph, std::string_view name);

// The graph with the scores of that name in node_columns().scores and, if links have some too, in
// link_columns().scores.
Snapshot with_scores(const Archive& archive, const Snapshot& graph, const std::string& name);

}  // namespace webstrata
