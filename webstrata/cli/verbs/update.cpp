// SPDX-License-Identifier: Apache-2.0

// webstrata update: more facts into an archive.
// Tested by tests/cli/archive_law_test.py and tests/cli/archive_bad_use_test.py.

#include <memory>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/write_flags.h"
#include "webstrata/show/archive_counts.h"
#include "webstrata/words/dated_archive.h"

namespace webstrata {
namespace {

void refuse_if_other(std::string_view flag, std::string_view has, std::string_view wanted,
                     std::string_view archive) {
  if (has == wanted) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{} was built with {} {}, not {}; omit the option, or build a new archive",
                  archive, flag, has, wanted));
}

// What was fixed at build may be said again, but not otherwise.
void refuse_other_options(const ArchiveOptions& has, const WriteFlags& flags) {
  const ArchiveOptions wanted = archive_options_of(archive_words_of(flags), has);
  refuse_if_other("--range", range_to_string(has.range_seconds),
                  range_to_string(wanted.range_seconds), flags.archive);
  refuse_if_other("--links", to_string(has.kinds), to_string(wanted.kinds), flags.archive);
  refuse_if_other("--digests", to_string(has.digests), to_string(wanted.digests), flags.archive);
  refuse_if_other("--schemes", schemes_word(has), schemes_word(wanted), flags.archive);
  if (has.effort != wanted.effort) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{} was built without --compact; omit the option, or build a new archive",
                    flags.archive));
  }
}

ExitCode update(const WriteFlags& flags) {
  undated_archive(flags.archive, "update writes all of an archive");
  const WriteInputs inputs = inputs_of(flags);
  const auto topics = topics_of(flags);
  ProgressLine line(!flags.quiet);
  WriteOptions options = write_options_of(flags, line);
  options.as_stratum = flags.no_merge;
  ArchiveWriter writer = ArchiveWriter::update(flags.archive, options);
  refuse_other_options(writer.options(), flags);
  return take_in_and_tell(writer, topics.get(), flags, inputs, line);
}

std::function<ExitCode()> declare_update_command(FlagSet& app) {
  const auto flags = std::make_shared<WriteFlags>();
  declare_write_flags(app, *flags);
  app.group(kGeneralGroup);
  app.add_flag("--no-merge", flags->no_merge,
               "Write what is new as a stratum of its own: fast, merged later by compact");
  return [flags] { return update(*flags); };
}

}  // namespace

Command update_command() {
  return {
      "update", "Import more crawl files, or other archives, into an archive",
      "--range, --links, --digests, --schemes and --compact are fixed when an archive is built;\n"
      "they may be repeated here, but not changed. The result is byte for byte that of one build\n"
      "from all inputs. After an error or Ctrl-C the archive is unchanged. Without --topic new\n"
      "pages have no scores.\n\n"
      "With --no-merge the cost follows what is new, not the size of the archive, which becomes a\n"
      "stack of strata with the same answers; compact merges it into the same bytes. An archive\n"
      "with scores or optional layers is merged nevertheless. Spark does not read stacks.\n\n"
      "Exit: 0 done, 1 nothing found, 2 failed, or an input could not be read (the other inputs\n"
      "are imported; with --strict the archive is unchanged).\n\n"
      "Examples:\n"
      "  webstrata update lib.ws examples/sample/2023.warc.gz\n"
      "  webstrata update lib.ws other.ws",
      declare_update_command};
}

}  // namespace webstrata
