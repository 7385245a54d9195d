// SPDX-License-Identifier: Apache-2.0

// A file of preferences for a surfer: one name per line, optionally followed by a tab and a weight.

#pragma once

#include <string>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// One value per node, with sum 1. A name is one of the graph, or the number of a node where it has
// no names; without a weight it counts 1, named twice it counts twice. Throws Error(BadInput) that
// names the line for an unknown name or a weight that is not a number of at least 0;
// Error(NotFound).
std::vector<double> read_preference(const Snapshot& graph, const std::string& path);

}  // namespace webstrata
