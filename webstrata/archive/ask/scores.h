// SPDX-License-Identifier: Apache-2.0

// Named columns of scores: a number for each node of a generation, such as its PageRank.
//
//   save_scores("lib.ws", "pagerank", archive.manifest().generation, values);
//   const std::vector<double> values = load_scores(archive, "pagerank");
//
// A column is a file in the folder of its generation that MANIFEST lists. An update
// or a forget carries all columns over to the new uids: new nodes have no score, deleted ones leave
// none. So a reader finds the columns of the generation that it holds, and nothing else has to be
// kept. The bytes are drawn in docs/FORMAT.md. Decision 010 says why.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/disk/score_values.h"

namespace webstrata {

// Stores a column in the archive, replacing one of that name. `values` has one value for each node
// of `generation`. Throws Error(BadInput) if the name is not made of 1 to 64 letters, digits, '-'
// and '_', if the size is wrong, or if the archive now has another generation; Error(Io) if another
// process writes.
void save_scores(const std::filesystem::path& archive, std::string_view name,
                 std::uint64_t generation, std::span<const double> values);
// Returns false if there is none of that name.
bool remove_scores(const std::filesystem::path& archive, std::string_view name);

// The names of the columns, sorted.
std::vector<std::string> score_names(const Archive& archive);
// One for each node. Throws Error(NotFound) that lists the existing columns, and Error(Corrupt).
std::vector<double> load_scores(const Archive& archive, std::string_view name);

}  // namespace webstrata
