// SPDX-License-Identifier: Apache-2.0

// Every sighting of an archive as a line of text.
// Tested by tests/cli/ask_test.py and tests/cli/archive_law_test.py.

#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/verbs/export_forms.h"
#include "webstrata/show/archive_lines.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

// Lines are of all that an archive has.
Archive whole_archive(const ExportFlags& flags) {
  GraphFlags plain;
  plain.word = flags.graph.word;
  plain.threads = flags.graph.threads;
  if (flags.graph != plain) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("--as {} exports a whole archive; remove dates, levels, --fold, --kinds and "
                    "--urls, which are for graphs",
                    flags.form));
  }
  return Archive::open(undated_archive(flags.graph.word,
                                       fmt::format("--as {} exports a whole archive", flags.form)));
}

TakeLines into(Lines& lines) {
  return [&lines](std::string_view text) {
    lines.buffer() += text;
    lines.written();
  };
}

}  // namespace

// What `explore --topic` reads again: pages first, then links.
void export_scores(const ExportFlags& flags, ProgressLine& /*line*/) {
  if (flags.name.empty()) {
    throw Error(ErrorKind::BadInput, "--as scores needs --name; `webstrata info` lists the names");
  }
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output, WhenClosed::Stop);
  score_lines(archive, flags.name, into(lines));
  lines.commit();
}

void export_jsonl(const ExportFlags& flags, ProgressLine& line) {
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output, WhenClosed::Stop);
  jsonl_lines(archive, work_on(line, flags.graph.threads), into(lines));
  lines.commit();
}

void export_uids(const ExportFlags& flags, ProgressLine& line) {
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output, WhenClosed::Stop);
  uid_lines(archive, work_on(line, flags.graph.threads), into(lines));
  lines.commit();
}

void export_cdxj(const ExportFlags& flags, ProgressLine& line) {
  const Dialect dialect = parse_dialect_word("--key", flags.key);
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output, WhenClosed::Stop);
  cdxj_lines(archive, dialect, work_on(line, flags.graph.threads), into(lines));
  lines.commit();
}

}  // namespace webstrata
