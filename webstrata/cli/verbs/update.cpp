// SPDX-License-Identifier: Apache-2.0

// webstrata update: more facts into an archive.
// Tested by tests/cli/archive_law_test.py and tests/cli/archive_bad_use_test.py.

#include <algorithm>
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
  for (const Layer layer : wanted.optional_layers) {
    const bool has_layer =
        std::ranges::find(has.optional_layers, layer) != has.optional_layers.end();
    if (has_layer) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("{} was built without --{}; omit the option, or build a new archive",
                            flags.archive, to_string(layer)));
  }
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
  if (flags.no_merge && flags.merge_all) {
    throw Error(ErrorKind::BadInput, "--no-merge and --merge-all exclude each other");
  }
  if (flags.no_merge) options.merging = Merging::Later;
  if (flags.merge_all) options.merging = Merging::All;
  ArchiveWriter writer = ArchiveWriter::update(flags.archive, options);
  refuse_other_options(writer.options(), flags);
  return take_in_and_tell(writer, topics.get(), flags, inputs, line);
}

std::function<ExitCode()> declare_update_command(FlagSet& app) {
  const auto flags = std::make_shared<WriteFlags>();
  declare_write_flags(app, *flags);
  app.group(kGeneralGroup);
  app.add_flag("--no-merge", flags->no_merge,
               "Leave merging of strata to a later update or compact");
  app.add_flag("--merge-all", flags->merge_all,
               "Merge all strata into one, as compact does afterwards");
  return [flags] { return update(*flags); };
}

}  // namespace

Command update_command() {
  return {
      "update", "Import more crawl files, or other archives, into an archive",
      "--range, --links, --digests, --schemes and --compact are fixed when an archive is built;\n"
      "they may be repeated here, but not changed. After an error or Ctrl-C the archive is "
      "unchanged.\n"
      "Without --topic new pages have no scores.\n\n"
      "What is new becomes a stratum on top of the archive, at a cost that follows the new facts.\n"
      "Strata of similar size are merged in the same call, so that there are at most eight. All\n"
      "answers are those of one build from all inputs, and compact gives its bytes. An archive\n"
      "with optional layers is merged into one stratum each time.\n\n"
      "Exit: 0 done, 1 nothing found, 2 failed, or an input could not be read (the other inputs\n"
      "are imported; with --strict the archive is unchanged).\n\n"
      "Examples:\n"
      "  webstrata update lib.ws examples/sample/2023.warc.gz\n"
      "  webstrata update lib.ws other.ws",
      declare_update_command};
}

}  // namespace webstrata
