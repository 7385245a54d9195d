// SPDX-License-Identifier: Apache-2.0

// webstrata compact: one stratum out of a stack.
// Tested by tests/cli/stack_test.py.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/archive/writer.h"
#include "webstrata/cli/flags/write_flags.h"
#include "webstrata/words/dated_archive.h"

namespace webstrata {
namespace {

ExitCode compact_archive(const WriteFlags& flags) {
  undated_archive(flags.archive, "compact merges all of an archive");
  ProgressLine line(!flags.quiet);
  const WriteSummary summary = compact(flags.archive, write_options_of(flags, line));
  line.clear();
  if (!flags.quiet) {
    complain(summary.is_changed
                 ? fmt::format("{}: merged into one stratum, generation {}", flags.archive,
                               summary.manifest.generation)
                 : fmt::format("{}: has one stratum; nothing was changed", flags.archive));
  }
  return ExitCode::Done;
}

std::function<ExitCode()> declare_compact_command(FlagSet& app) {
  const auto flags = std::make_shared<WriteFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.group(kGeneralGroup);
  declare_resource_flags(app, *flags);
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress and no summary");
  return [flags] { return compact_archive(*flags); };
}

}  // namespace

Command compact_command() {
  return {"compact", "Merge the strata of an archive into one",
          "The result is byte for byte that of one build from all inputs; answers stay the same,\n"
          "and scores are kept. After an error or Ctrl-C the archive is unchanged.\n\n"
          "Exit: 0 done, 2 failed.\n\n"
          "Example:\n"
          "  webstrata compact lib.ws",
          declare_compact_command};
}

}  // namespace webstrata
