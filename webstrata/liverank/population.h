// SPDX-License-Identifier: Apache-2.0

// The pages among which live ones are sought: V of the papers, with the links between them.
//
//   const Population old = population_of(graph);      // pages that were captured
//   old.graph.name(page); old.origin[page];           // a page, and its node in `graph`
//
// Planners see nothing else. A page is a node of Population::graph; pages are in the order of their
// nodes, which in an archive is that of their URLs.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/graph/pages.h"
#include "webstrata/graph/snapshot.h"
#include "webstrata/liverank/url_groups.h"

namespace webstrata {

struct PopulationOptions {
  Scope scope = Scope::Captured;
  bool undirected = false;  // a link counts in both directions, as in a social graph
  double damping = 0.85;    // of Population::pagerank, in [0, 1)
  WorkOptions work = {};
};

struct Population {
  Snapshot graph;            // links of a page to itself are left out; columns and names are kept
  std::vector<Node> origin;  // for each page its node in the whole graph, ascending
  Column<double> dangling;   // the share of its links that lead to no page; missing without links
  std::vector<UrlLevel> levels;  // empty without names
  UrlLevel origins;              // likewise
  std::vector<double> pagerank;  // dead ends drop the surfer, as in the papers

  [[nodiscard]] Node size() const noexcept { return graph.node_count(); }
  // The page of a node of the whole graph; empty if it is not a page.
  [[nodiscard]] std::optional<Node> page_of(Node node) const;
};

// Throws Error(BadInput) if no page is left, Error(Cancelled).
Population population_of(const Snapshot& graph, const PopulationOptions& options = {});

// What counts as a site: the host and this many directories of its path. Empty: the host, or as
// many directories as it takes until no site has half of the pages, or deeper ones are the same.
// Without names every page is a site of its own.
UrlLevel sites_of(const Population& pages, std::optional<std::uint32_t> directories);

}  // namespace webstrata
