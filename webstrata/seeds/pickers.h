// SPDX-License-Identifier: Apache-2.0

// The makers that seed_methods.cpp lists, one file each. Internal to the room.

#pragma once

#include <memory>
#include <vector>

#include "webstrata/seeds/seed_methods.h"

namespace webstrata {

std::unique_ptr<SeedPicker> make_pandora_picker(const Snapshot& graph, const SeedOptions& options);
std::unique_ptr<SeedPicker> make_cores_picker(const Snapshot& graph, const SeedOptions& options);
std::unique_ptr<SeedPicker> make_maxout_picker(const Snapshot& graph, const SeedOptions& options);
// order_picker.cpp
std::unique_ptr<SeedPicker> make_outdegree_picker(const Snapshot& graph,
                                                  const SeedOptions& options);
std::unique_ptr<SeedPicker> make_pagerank_picker(const Snapshot& graph, const SeedOptions& options);
std::unique_ptr<SeedPicker> make_random_picker(const Snapshot& graph, const SeedOptions& options);

// options.pagerank, or computed.
std::vector<double> scores_for(const Snapshot& graph, const SeedOptions& options,
                               double tolerance = 1e-9);

}  // namespace webstrata
