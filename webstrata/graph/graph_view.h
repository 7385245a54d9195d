// From how far away a graph is looked at: which spellings are one page, and whether pages, hosts
// or domains are its nodes.

#pragma once

#include <optional>

#include "webstrata/graph/levels.h"

namespace webstrata {

struct GraphView {
  std::optional<Dialect> fold = {};  // pages that this dialect takes for one are joined first
  Level level = Level::Page;
  // Links inside a host and, where hosts or domains are the nodes, of a node to itself.
  bool inner_links = true;

  friend bool operator==(const GraphView&, const GraphView&) = default;
};

// The graph so seen, and the node that each node before belongs to. Columns follow:
// - of links: kinds are united, first and last seen are the earliest and latest, counts add up the
//   page links behind (when something was joined; else they stay);
// - of nodes: first and last capture are the earliest and latest, captures, changes seen and spans
//   are added up; outcome, digest, length, title and scores are of single pages and are left out.
// A missing value joins as if it were not there. Without anything to do the same graph comes back.
// Throws Error(BadInput) if names are needed and the graph has none.
Folding viewed(const Snapshot& graph, const GraphView& view, const WorkOptions& work = {});

}  // namespace webstrata
