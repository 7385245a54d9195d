// Columns of link scores on their way through a merge.

#pragma once

#include <filesystem>

#include "webstrata/archive/column_files.h"
#include "webstrata/archive/generation_reader.h"
#include "webstrata/archive/merge.h"
#include "webstrata/archive/scores.h"
#include "webstrata/archive/translation.h"

namespace webstrata {

struct CarriedLinkScores {
  ColumnFiles files;    // as MANIFEST lists them
  LapsedScores lapsed;  // in the new uids: the column of nodes by that name must lose them too
};

// Writes the columns of the generation before, in the new uids, into `into`, or links them where
// nothing changes. `after` is the new generation. Of pages that `filter` touches, scores go whose
// capture is there no more.
CarriedLinkScores carry_link_scores(const std::filesystem::path& from, const ColumnFiles& columns,
                                    const Translation& translation, const MergeFilter* filter,
                                    const GenerationReader& after,
                                    const std::filesystem::path& into);

}  // namespace webstrata
