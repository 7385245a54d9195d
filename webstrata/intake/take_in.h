// SPDX-License-Identifier: Apache-2.0

// Imports crawl files into an archive, or into runs: connects the readers and the writer.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/archive/writer.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata {

class RunGatherer;
class TopicScorer;

struct TakeInOptions {
  std::string crawl;                    // name of the crawl, goes into every sighting
  const TopicScorer* topics = nullptr;  // their columns must be known to the writer
  ParallelOptions parallel;
};

// How inputs of that archive are read.
ReadOptions read_options_of(const ArchiveOptions& archive, const std::string& crawl);

// Reads every input and passes its facts to `gatherer`, whose options decide which kinds of links
// and which schemes are read. An input that cannot be read does not stop the others. Throws what
// the gatherer throws, and Error(Cancelled); nothing is committed here.
// Only a writer stores scores by topic.
std::vector<InputSummary> take_in(RunGatherer& gatherer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options);
std::vector<InputSummary> take_in(ArchiveWriter& writer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options);

// Imports all facts of other archives (ArchiveWriter::join), before anything else is read: what one
// of them has forgotten is kept out of the files as well.
std::vector<InputSummary> take_in_archives(ArchiveWriter& writer,
                                           const std::vector<std::filesystem::path>& archives);

// A file from which no reader could read anything has failed, even if its first bytes looked valid.
void judge(std::vector<InputSummary>& summaries);

}  // namespace webstrata
