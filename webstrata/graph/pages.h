// SPDX-License-Identifier: Apache-2.0

// Which nodes of a graph are pages, and which of them a newer graph still has.

#pragma once

#include <optional>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// Whether the node was captured, and is not known to be gone; in graphs without captures, every
// node. A name that others link to may never have been a page.
bool is_page(const Snapshot& graph, Node node);
std::vector<Node> pages_of(const Snapshot& graph);

// The page of `newer` with the same name, if it exists and did not move.
std::optional<Node> survivor(const Snapshot& old, const Snapshot& newer, Node node);

}  // namespace webstrata
