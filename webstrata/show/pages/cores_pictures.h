// SPDX-License-Identifier: Apache-2.0

// Pictures of bipartite cores: their sizes and distances.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "webstrata/report/html_report.h"
#include "webstrata/show/seeds_found.h"

namespace webstrata {

// `chance`: a sentence that names the seed. `graph_mean`: mean number of links between connected
// nodes of the whole graph, for comparison; empty if there are none.
std::vector<report::Section> cores_pictures(const Snapshot& graph, const SeedsFound& found,
                                            const CoreDistances& distances,
                                            std::optional<double> graph_mean,
                                            const std::string& chance);

}  // namespace webstrata
