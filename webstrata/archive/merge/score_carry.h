// SPDX-License-Identifier: Apache-2.0

// Carries columns of scores, of nodes and of links, through a merge.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "webstrata/archive/disk/column_files.h"
#include "webstrata/archive/gather/translation.h"
#include "webstrata/base/time.h"

namespace webstrata {

// Nodes whose score has lost the capture that it was computed from, ascending, by column.
using LapsedScores = std::map<std::string, std::vector<Uid>>;

// Writes the columns of the generation before, in the new uids, into `into`; returns
// them as MANIFEST lists them. Where no uid changes it hard-links the same file. Streaming, in
// bounded memory.
std::map<std::string, LayerFile> carry_scores(const std::filesystem::path& from,
                                              const std::map<std::string, LayerFile>& columns,
                                              const Translation& translation,
                                              std::uint64_t node_count, const LapsedScores& lapsed,
                                              const std::filesystem::path& into);

struct CarriedLinkScores {
  ColumnFiles files;    // as MANIFEST lists them
  LapsedScores lapsed;  // in the new uids: the column of nodes by that name must lose them too
};

// Which captures are left after some were dropped.
struct CapturesLeft {
  std::function<bool(Uid before)> is_touched;  // whether captures of that page may be gone
  // Replaces `times` by those of the page, by its new uid. Called once for each column that has
  // scores of the page, in order of uid within a column.
  std::function<void(Uid after, std::vector<Time>& times)> read_times;
};

// Writes the columns of the generation before, in the new uids, into `into`, or links them where
// nothing changes. Scores of captures that are not left are dropped; null: all are left.
CarriedLinkScores carry_link_scores(const std::filesystem::path& from, const ColumnFiles& columns,
                                    const Translation& translation, std::uint64_t node_count,
                                    const CapturesLeft* left, const std::filesystem::path& into);

}  // namespace webstrata
