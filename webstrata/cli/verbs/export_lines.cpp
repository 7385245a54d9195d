// Every sighting of an archive as a line of text.
// Tested by tests/cli/ask_test.py and tests/cli/archive_law_test.py.

#include <functional>
#include <string>

#include <fmt/format.h>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/link_scores.h"
#include "webstrata/archive/ask/page_captures.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/capture_lines.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/verbs/export_forms.h"
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
  return Archive::open(flags.graph.word);
}

// In the order of keys, then of time.
void write_lines(const ExportFlags& flags, ProgressLine& line,
                 const std::function<void(std::string&, const Capture&)>& append) {
  constexpr Uid kNodesBetweenProgress = 1024;
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output);
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    if (uid % kNodesBetweenProgress == 0) {
      interruption().check();
      line.show({"exporting", uid, archive.node_count(), "urls"});
    }
    visit_captures(archive, uid, [&](const Capture& capture) {
      append(lines.buffer(), capture);
      lines.written();
    });
  }
  lines.commit();
}

void append_page_scores(const Archive& archive, const std::string& name, Lines& lines) {
  const std::vector<double> scores = load_scores(archive, name);
  for (Uid uid = 0; uid < scores.size(); ++uid) {
    if (is_missing(scores[uid])) continue;
    lines.buffer() += fmt::format("{}\t{}\n", archive.url(uid), scores[uid]);
    lines.written();
  }
}

void append_link_scores(const Archive& archive, const std::string& name, Lines& lines) {
  visit_link_scores(archive, name, [&](const LinkScoreRow& row) {
    const std::string source = archive.url(row.source);
    for (const LinkScore& link : row.links) {
      lines.buffer() += fmt::format("{}\t{}\t{}\n", source, archive.url(link.target), link.value);
      lines.written();
    }
  });
}

}  // namespace

// What `explore --topic` reads again: pages first, then links.
void export_scores(const ExportFlags& flags, ProgressLine& /*line*/) {
  if (flags.name.empty()) {
    throw Error(ErrorKind::BadInput, "--as scores needs --name; `webstrata info` lists the names");
  }
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output);
  append_page_scores(archive, flags.name, lines);
  if (archive.manifest().link_scores.contains(flags.name)) {
    append_link_scores(archive, flags.name, lines);
  }
  lines.commit();
}

void export_jsonl(const ExportFlags& flags, ProgressLine& line) {
  write_lines(flags, line,
              [](std::string& out, const Capture& capture) { append_jsonl(out, capture); });
}

void export_cdxj(const ExportFlags& flags, ProgressLine& line) {
  const Dialect dialect = parse_dialect_word("--key", flags.key);
  write_lines(flags, line, [dialect](std::string& out, const Capture& capture) {
    append_cdxj(out, capture, dialect);
  });
}

}  // namespace webstrata
