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
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/archive.h"
#include "webstrata/archive/layer.h"

namespace webstrata {

class Translation;

// Stands for a score that is not known. Any NaN does.
double missing_score() noexcept;
bool is_missing(double score) noexcept;

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

// Nodes whose score has lost the capture that it was computed from, ascending, by column.
using LapsedScores = std::map<std::string, std::vector<Uid>>;

// For merges: writes the columns of the generation before, in the new uids, into `into`; returns
// them as MANIFEST lists them. Where no uid changes it links the same file. It streams.
std::map<std::string, LayerFile> carry_scores(const std::filesystem::path& from,
                                              const std::map<std::string, LayerFile>& columns,
                                              const Translation& translation,
                                              std::uint64_t node_count, const LapsedScores& lapsed,
                                              const std::filesystem::path& into);

}  // namespace webstrata
