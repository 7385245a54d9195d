// SPDX-License-Identifier: Apache-2.0

// Joins new scores of captures with the columns that a merge has carried over.

#pragma once

#include <filesystem>
#include <vector>

#include "webstrata/archive/disk/column_files.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/score_batch.h"

namespace webstrata {

// Writes a column of nodes and one of links for each of `columns` into `folder`, a generation whose
// layers are complete and that `manifest` lists, with the columns carried over so far; lists the
// new ones instead. Like the facts of the layers, scores join in any order with the same result:
// - the score of a page is that of its latest scored capture, the larger one in the same second;
// - the score of a link is that of the latest scored capture that has it, likewise.
// A capture that the layers do not have (a forgotten one) gives no scores.
void write_score_columns(const std::filesystem::path& folder, Manifest& manifest,
                         const std::vector<ScoreColumn>& columns, ScoreRuns& runs);

}  // namespace webstrata
