// A file of preferences for a surfer: a name a line, with a weight behind a tab or without one.

#pragma once

#include <string>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// One value per node, with sum 1. A name is one of the graph, or the number of a node where it has
// no names; without a weight it counts 1, named twice it counts twice. Throws Error(BadInput) that
// names the line for a name that is not there or a weight that is no number from 0;
// Error(NotFound).
std::vector<double> read_preference(const Snapshot& graph, const std::string& path);

}  // namespace webstrata
