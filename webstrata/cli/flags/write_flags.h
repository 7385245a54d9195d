// SPDX-License-Identifier: Apache-2.0

// What `build` and `update` share: their flags, and the story of taking crawl files in.

#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/archive/writer.h"
#include "webstrata/cli/flags/include_flag.h"
#include "webstrata/cli/flags/topic_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/words/archive_words.h"
#include "webstrata/words/dated_graph.h"

namespace webstrata {

// What is imported, after lists and dates are read.
struct WriteInputs {
  std::vector<std::filesystem::path> archives;
  std::vector<std::string> files;
  std::vector<DatedGraph> graphs;
};

struct WriteFlags {
  std::string archive;
  std::vector<std::string> inputs;
  std::vector<std::string> include;
  std::vector<std::string> graphs;       // "cc-main-2024-host@2024-05"
  std::vector<std::string> graph_names;  // files; none, or one for each graph
  ArchiveWords fixed;                    // when an archive is made
  bool compact = false;
  std::map<Layer, bool> optional_layers;  // a flag for each that there is
  // Free at every run.
  std::string memory;
  std::string temp;
  std::string crawl;
  TopicFlags topics;
  unsigned threads = 0;
  bool no_merge = false;  // these two of update only
  bool merge_all = false;
  bool strict = false;
  bool json = false;
  bool quiet = false;
};

void declare_write_flags(FlagSet& app, WriteFlags& flags);
// --memory, --threads and --temp alone; they are among those above.
void declare_resource_flags(FlagSet& app, WriteFlags& flags);

// What is fixed when an archive is made.
ArchiveWords archive_words_of(const WriteFlags& flags);
// `line` outlives what it returns.
WriteOptions write_options_of(const WriteFlags& flags, ProgressLine& line);

// The topics that are to be scored; null if there are none. Read before an archive is made, so
// that a mistake in them leaves none behind.
std::unique_ptr<TopicScorer> topics_of(const WriteFlags& flags);

// Throws Error(BadInput) if there is nothing to import, or a graph has no date.
WriteInputs inputs_of(const WriteFlags& flags);

// Reads the inputs, commits, and tells how it went.
ExitCode take_in_and_tell(ArchiveWriter& writer, TopicScorer* topics, const WriteFlags& flags,
                          const WriteInputs& inputs, ProgressLine& line);

// The same for files that this program has just written, with the default options.
void update_and_tell(const std::filesystem::path& archive,
                     const std::vector<std::filesystem::path>& files, bool quiet,
                     ProgressLine& line);

}  // namespace webstrata
