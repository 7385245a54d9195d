// Named columns of scores: a number for each node of a generation, such as its PageRank.
//
//   save_scores("lib.ws", "pagerank", archive.manifest().generation, values);
//   const std::vector<double> values = load_scores(archive, "pagerank");
//
// A column is a file in the folder of its generation that MANIFEST lists. An update
// or a forget carries all columns over to the new uids: what is new has no score, what is gone
// leaves none. So a reader finds the columns of the generation that it holds, and nothing else has
// to be kept for them. The bytes are drawn in docs/FORMAT.md. Decision 010 tells why.

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

// Puts a column into the archive, or in the place of the one of that name. `values` has one for
// each node of `generation`. Throws Error(BadInput) if the name is not made of 1 to 64 letters,
// digits, '-' and '_', if the size does not fit, or if the archive has another generation by now;
// Error(Io) if another process writes.
void save_scores(const std::filesystem::path& archive, std::string_view name,
                 std::uint64_t generation, std::span<const double> values);
// Returns false if there is none of that name.
bool remove_scores(const std::filesystem::path& archive, std::string_view name);

// The names of the columns, sorted.
std::vector<std::string> score_names(const Archive& archive);
// One for each node. Throws Error(NotFound), naming those that are there, and Error(Corrupt).
std::vector<double> load_scores(const Archive& archive, std::string_view name);

}  // namespace webstrata
