// --topic and what goes with it, for extract, build and update. docs/topics.md tells it to users.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webstrata/archive/archive.h"
#include "webstrata/archive/score_batch.h"
#include "webstrata/capture/topics/topic_scorer.h"
#include "webstrata/cli/flags.h"

namespace webstrata {

struct TopicFlags {
  std::vector<std::string> files;
  std::string window = "100";
};

void declare_topics(FlagSet& app, TopicFlags& flags, const std::string& what);

// Null if no topic is wanted. Throws Error(BadInput) with file and line, Error(NotFound).
std::unique_ptr<TopicScorer> load_topics(const TopicFlags& flags);

// Counts documents where a topic weighs by tf-idf: reads the inputs once for that. With an archive,
// what its columns of the same names have counted before is added. Throws Error(BadInput) if such a
// column was saved with other keywords, and for standard input.
void learn_frequencies(TopicScorer& scorer, const std::vector<std::string>& inputs,
                       const ReadOptions& options, const ParallelOptions& parallel,
                       const Archive* archive = nullptr);

// The columns that topics fill, each with a note that says how.
std::vector<ScoreColumn> columns_of(const TopicScorer& scorer);

}  // namespace webstrata
