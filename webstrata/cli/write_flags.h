// What `build` and `update` share: their flags, and the story of taking crawl files in.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "webstrata/archive/options.h"
#include "webstrata/archive/writer.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/flags.h"
#include "webstrata/cli/terminal.h"

namespace webstrata {

struct WriteFlags {
  std::string archive;
  std::vector<std::string> inputs;
  // Fixed when an archive is made; empty if the user does not say.
  std::optional<std::string> range;
  std::optional<std::string> links;
  std::optional<std::string> digests;
  std::optional<std::string> schemes;
  bool compact = false;
  // Free at every run.
  std::string memory;
  std::string temp;
  std::string crawl;
  unsigned threads = 0;
  bool strict = false;
  bool json = false;
  bool quiet = false;
};

void declare_write_flags(FlagSet& app, WriteFlags& flags);

// `options` with what the user says put in.
ArchiveOptions archive_options_of(const WriteFlags& flags, ArchiveOptions options);
// `line` outlives what it returns.
WriteOptions write_options_of(const WriteFlags& flags, ProgressLine& line);

// Reads the inputs, commits, and tells how it went.
ExitCode take_in_and_tell(ArchiveWriter& writer, const WriteFlags& flags,
                          const std::vector<std::string>& inputs, ProgressLine& line);

}  // namespace webstrata
