// SPDX-License-Identifier: Apache-2.0

// At which level a graph is viewed: which spellings are one page, and whether its nodes are pages,
// hosts or domains.

#pragma once

#include <optional>

#include "webstrata/graph/levels.h"

namespace webstrata {

struct GraphView {
  std::optional<Dialect> fold = {};  // pages that this dialect treats as one are joined first
  Level level = Level::Page;
  // Links inside a host and, where hosts or domains are the nodes, of a node to itself.
  bool inner_links = true;

  friend bool operator==(const GraphView&, const GraphView&) = default;
};

// The resulting graph, and the new node of each old node. Columns follow:
// - of links: kinds are united, first and last seen are the earliest and latest, counts are the
//   number of page links joined (if something was joined; otherwise they stay);
// - of nodes: first and last capture are the earliest and latest, captures, changes seen and spans
//   are added up; outcome, digest, length, title and scores are of single pages and are left out.
// A missing value is ignored. If there is nothing to do, the same graph is returned.
// Throws Error(BadInput) if names are needed and the graph has none.
Folding viewed(const Snapshot& graph, const GraphView& view, const WorkOptions& work = {});

}  // namespace webstrata
