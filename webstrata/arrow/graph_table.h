// SPDX-License-Identifier: Apache-2.0

// A graph as tables: its links and its nodes. The numbers are the graph's own memory; names are
// read once and shared by all tables made with them.
//
//   const auto names = name_column(graph);
//   const Table links = link_table(graph, names);   // source, target and the columns of links

#pragma once

#include <memory>

#include "webstrata/arrow/table.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata::arrow {

// The names of all nodes, read on all threads.
std::shared_ptr<const Column> name_column(const Snapshot& graph, const WorkOptions& work = {});

// source and target as node numbers or, with names, as indices into the names; then those of kinds,
// count, first_seen, last_seen that the graph has. `target` is the memory of the graph.
Table link_table(const Snapshot& graph, std::shared_ptr<const Column> names = nullptr);

// name (if given), uid (if the graph has uids), and the columns of nodes that the graph has.
Table node_table(const Snapshot& graph, const std::shared_ptr<const Column>& names = nullptr);

// The graph's own arrays: the list of node i is targets[starts[i], starts[i + 1]).
Column start_column(const Snapshot& graph);
Column target_column(const Snapshot& graph);

}  // namespace webstrata::arrow
