// SPDX-License-Identifier: Apache-2.0

// Topics as columns of an archive: what is counted for them, and the notes that say how they were
// made. docs/topics.md describes them for users.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/gather/score_batch.h"
#include "webstrata/capture/topic_scorer.h"

namespace webstrata {

// Null without files. Throws Error(BadInput) with file and line, Error(NotFound).
std::unique_ptr<TopicScorer> load_topics(const std::vector<std::string>& files, LinkWindow window);

// Counts documents where a topic weighs by tf-idf: reads the inputs once for that. With an archive,
// what its columns of the same names have counted before is added. Throws Error(BadInput) if such a
// column was saved with other keywords, and for standard input.
void learn_frequencies(TopicScorer& scorer, const std::vector<std::string>& inputs,
                       const ReadOptions& options, const ParallelOptions& parallel,
                       const Archive* archive = nullptr);

// The columns that topics fill, each with a note that says how.
std::vector<ScoreColumn> columns_of(const TopicScorer& scorer);

}  // namespace webstrata
