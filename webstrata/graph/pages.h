// SPDX-License-Identifier: Apache-2.0

// Which nodes of a graph are pages, which links lead to one, and which a newer graph still has.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// Which targets of links count as pages.
enum class Scope : std::uint8_t {
  Captured,  // pages that were captured and are not known to be gone
  All,       // also targets that were never captured, for which data of captures is missing
};

// Whether the node was captured, and is not known to be gone; in graphs without captures, every
// node. A name that others link to may never have been a page.
bool is_page(const Snapshot& graph, Node node);
std::vector<Node> pages_of(const Snapshot& graph);

// The same nodes; with Scope::Captured, without the links to nodes that were never captured, and
// without columns of links. A graph without captures stays as it is.
Snapshot within_scope(const Snapshot& graph, Scope scope);

// The page of `newer` with the same name, if it exists and did not move.
std::optional<Node> survivor(const Snapshot& old, const Snapshot& newer, Node node);

}  // namespace webstrata
