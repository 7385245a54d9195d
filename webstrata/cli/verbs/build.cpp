// SPDX-License-Identifier: Apache-2.0

// webstrata build: an archive out of crawl files.
// Tested by tests/cli/archive_law_test.py and tests/cli/archive_bad_use_test.py.

#include <memory>

#include "webstrata/capture/remote/object_list.h"
#include "webstrata/cli/flags/write_flags.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

ExitCode run(const WriteFlags& flags) {
  const auto inputs = with_objects_listed(expand_inputs(flags.inputs));
  const auto topics = topics_of(flags);
  ProgressLine line(!flags.quiet);
  const ArchiveOptions options = archive_options_of(archive_words_of(flags), {});
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
      "INPUT is any file that `webstrata extract` reads. The archive appears only when it is\n"
      "complete; after an error or Ctrl-C there is none. Its bytes depend only on the facts in\n"
      "the inputs and on --range, --links, --digests, --schemes and --compact. Scores (--topic)\n"
      "are stored in files of their own.\n\n"
      "Exit: 0 done, 1 nothing found (no archive is written), 2 failed, or an input could not be\n"
      "read (the archive then holds the other inputs; with --strict none is written).\n\n"
      "Examples:\n"
      "  webstrata build lib.ws examples/sample/2021.warc.gz\n"
      "  webstrata build lib.ws --memory 4G --crawl 2015-06 @files.txt\n"
      "  webstrata build lib.ws --topic bridges.topic crawl/*.warc.gz",
      declare_build_command};
}

}  // namespace webstrata
