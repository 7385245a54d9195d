// SPDX-License-Identifier: Apache-2.0

// Graph files with their dates, as users write them: "cc-main-2024-host@2024-05".

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/graph/named_graph.h"

namespace webstrata {

// The graph counts as captured at the first second of the date. `what` names the word in messages.
// Throws Error(BadInput) if there is no date or no such file.
DatedGraph dated_graph_of(std::string_view what, std::string_view word);

// The same for a graph whose labels have a bit for each snapshot (graph/arc_labels.h): one for each
// of the dates, which are separated by commas, lowest bit first. Other graphs have one date.
// `names`: the file with the names of its nodes; empty: the one next to the graph.
std::vector<DatedGraph> dated_snapshots_of(std::string_view what, std::string_view word,
                                           std::string_view names = {});

// Several, and the files with the names of their nodes: none, or one for each graph.
std::vector<DatedGraph> dated_graphs_of(std::string_view what,
                                        const std::vector<std::string>& words,
                                        std::string_view names_what,
                                        const std::vector<std::string>& names);

}  // namespace webstrata
