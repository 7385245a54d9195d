// SPDX-License-Identifier: Apache-2.0

// webstrata build: an archive out of crawl files.
// Tested by tests/cli/archive_law_test.py and tests/cli/archive_bad_use_test.py.

#include <memory>

#include "webstrata/cli/flags/write_flags.h"
#include "webstrata/words/dated_archive.h"

namespace webstrata {
namespace {

ExitCode run(const WriteFlags& flags) {
  undated_archive(flags.archive, "build writes all of an archive");
  const WriteInputs inputs = inputs_of(flags);
  const auto topics = topics_of(flags);
  ProgressLine line(!flags.quiet);
  const ArchiveOptions like =
      inputs.archives.empty() ? ArchiveOptions() : options_of_archive(inputs.archives.front());
  const ArchiveOptions options = archive_options_of(archive_words_of(flags), like);
  ArchiveWriter writer =
      ArchiveWriter::create(flags.archive, options, write_options_of(flags, line));
  return take_in_and_tell(writer, topics.get(), flags, inputs, line);
}

std::function<ExitCode()> declare_build_command(FlagSet& app) {
  const auto flags = std::make_shared<WriteFlags>();
  declare_write_flags(app, *flags);
  return [flags] { return run(*flags); };
}

}  // namespace

Command build_command() {
  return {
      "build", "Build an archive from crawl files",
      "INPUT is any file that `webstrata extract` reads, or an archive, whose facts are then "
      "joined\n"
      "(options that are not given are those of the first one). --graph imports graphs of known\n"
      "dates.\n"
      "The archive appears only when it is complete; after an error or Ctrl-C there is none. Its\n"
      "bytes depend only on the facts in the inputs and on --range, --links, --digests, --schemes\n"
      "and --compact. Scores (--topic) are stored in files of their own.\n\n"
      "Exit: 0 done, 1 nothing found (no archive is written), 2 failed, or an input could not be\n"
      "read (the archive then holds the other inputs; with --strict none is written).\n\n"
      "Examples:\n"
      "  webstrata build lib.ws examples/sample/2021.warc.gz\n"
      "  webstrata build lib.ws --memory 4G --crawl 2015-06 @files.txt\n"
      "  webstrata build lib.ws --topic bridges.topic crawl/*.warc.gz\n"
      "  webstrata build all.ws 2015.ws 2016.ws\n"
      "  webstrata build cc.ws --graph cc-main-2023-host@2023-06 --graph cc-main-2024-host@2024-05",
      declare_build_command};
}

}  // namespace webstrata
