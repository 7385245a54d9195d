// SPDX-License-Identifier: Apache-2.0

// webstrata captures: when a url was captured or sighted, and with what result.
// The word of the user becomes nodes, and every capture of a node a line in the form that was asked
// for. Lines of one URL in several spellings are brought into the order of time; a wildcard is
// printed page after page, so that a site of any size fits in memory.
// Tested by tests/cli/ask_test.py.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/ask/page_captures.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/capture_lines.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/show/timemap.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

enum class CapturesForm { Text, Csv, Jsonl, Cdxj, Timemap };

struct CapturesFlags {
  std::string archive;
  std::string url;
  std::string from;
  std::string to;
  std::string fold;
  std::string key = "pywb";
  std::string replay;
  CapturesForm form = CapturesForm::Text;
  TableFlags table;
  bool quiet = false;
};

TimeInterval interval_of(const CapturesFlags& flags, const DatedArchive& named) {
  TimeInterval interval = named.interval();
  if (!named.date.empty() && !(flags.from.empty() && flags.to.empty())) {
    refuse(fmt::format("{} has its time already: remove --from and --to", flags.archive));
  }
  if (!flags.from.empty()) interval.first = parse_date_word("--from", flags.from).first;
  if (!flags.to.empty()) interval.last = parse_date_word("--to", flags.to).last;
  return interval;
}

Cells columns_of(bool has_urls) {
  Cells columns = {"time", "status", "outcome", "kind", "links", "type", "digest", "redirect"};
  if (has_urls) columns.emplace_back("url");
  return columns;
}

Cells cells_of(const Capture& capture, bool has_urls) {
  const Sighting& sighting = capture.sighting;
  Cells cells = {to_rfc3339(sighting.time),
                 sighting.status ? std::to_string(*sighting.status) : "",
                 std::string(to_string(sighting.outcome)),
                 std::string(to_string(sighting.kind)),
                 capture.links_known ? std::to_string(capture.links.size()) : "",
                 std::string(sighting.mime),
                 std::string(sighting.digest),
                 std::string(sighting.redirect_target)};
  if (has_urls) cells.emplace_back(sighting.url);
  return cells;
}

// The captures of some nodes as lines.
struct LineMaker {
  const Archive& archive;
  const CapturesFlags& flags;
  TimeInterval interval;
  Dialect dialect;
  TableWriter writer;
  bool has_urls;  // a wildcard: the lines say which page they are about
};

// Dated lines of several nodes, brought into the order of time.
using DatedLines = std::vector<std::pair<Time, std::string>>;

DatedLines lines_of(const LineMaker& maker, const std::vector<Uid>& nodes) {
  const CapturesForm form = maker.flags.form;
  DatedLines lines;
  for (const Uid node : nodes) {
    visit_captures(maker.archive, node, [&](const Capture& capture) {
      const Time time = capture.sighting.time;
      if (time < maker.interval.first || time > maker.interval.last) return;
      std::string& line = lines.emplace_back(time, std::string()).second;
      if (form == CapturesForm::Text || form == CapturesForm::Csv) {
        maker.writer.append_row(line, cells_of(capture, maker.has_urls));
      }
      if (form == CapturesForm::Jsonl) append_jsonl(line, capture);
      if (form == CapturesForm::Cdxj) append_cdxj(line, capture, maker.dialect);
      if (form == CapturesForm::Timemap) line = memento_url(capture.sighting);
    });
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return lines;
}

void print_timemap(Lines& lines, const CapturesFlags& flags, const std::string& original,
                   const DatedLines& dated) {
  std::vector<Memento> mementos;
  for (const auto& [time, url] : dated) {
    const bool is_known = url.empty() || (!mementos.empty() && mementos.back().time == time);
    if (!is_known) mementos.push_back({time, url});
  }
  append_timemap(lines.buffer(), original, mementos, flags.replay);
}

// A wildcard: page after page, so that any number of them fits in memory.
bool print_pages(Lines& lines, const LineMaker& maker, const std::vector<Uid>& nodes) {
  bool found = false;
  for (const Uid node : nodes) {
    for (const auto& [time, line] : lines_of(maker, {node})) {
      lines.buffer() += line;
      lines.written();
      found = true;
    }
  }
  return found;
}

bool print_page(Lines& lines, const LineMaker& maker, const std::vector<Uid>& nodes) {
  const DatedLines dated = lines_of(maker, nodes);
  if (dated.empty()) return false;
  if (maker.flags.form == CapturesForm::Timemap) {
    print_timemap(lines, maker.flags, maker.archive.url(nodes.front()), dated);
  } else {
    for (const auto& [time, line] : dated) lines.buffer() += line;
  }
  return true;
}

ExitCode run(const CapturesFlags& flags) {
  const DatedArchive named = parse_archive_word(flags.archive);
  const TimeInterval interval = interval_of(flags, named);
  const auto word = parse_url_word(flags.url);
  const bool is_many = word && word->is_wildcard();
  if (is_many && flags.form == CapturesForm::Timemap) {
    refuse(fmt::format("{}: a timemap is about one URL; use --as cdxj for many", flags.url));
  }
  const Archive archive = Archive::open(named.path);
  const auto fold = parse_fold_word("--fold", flags.fold);
  const auto nodes = find_nodes(archive, flags.url, fold);
  if (nodes.empty()) {
    if (!flags.quiet) complain(not_found_text(archive, flags.url, fold));
    return ExitCode::FoundNothing;
  }
  TableFlags table = flags.table;
  table.form = flags.form == CapturesForm::Csv ? "csv" : "text";
  const bool is_table = flags.form == CapturesForm::Csv || flags.form == CapturesForm::Text;
  const LineMaker maker{archive,
                        flags,
                        interval,
                        parse_dialect_word("--key", flags.key),
                        TableWriter(columns_of(is_many), style_of(table)),
                        is_many};
  Lines lines("", WhenClosed::Stop);
  std::string header;
  if (is_table) maker.writer.append_header(header);
  if (!header.empty()) lines.add_heading(header);
  const bool found = is_many ? print_pages(lines, maker, nodes) : print_page(lines, maker, nodes);
  lines.flush();
  if (found) return ExitCode::Done;
  const bool is_dated = interval != kEver;
  if (!flags.quiet) {
    complain(fmt::format("{}: {} is linked to, but was not seen {}", flags.archive, flags.url,
                         is_dated ? "in that time" : "itself"));
  }
  return ExitCode::FoundNothing;
}

std::function<ExitCode()> declare_captures_command(FlagSet& app) {
  const auto flags = std::make_shared<CapturesFlags>();
  const std::vector<std::pair<std::string, CapturesForm>> forms = {
      {"text", CapturesForm::Text},
      {"csv", CapturesForm::Csv},
      {"jsonl", CapturesForm::Jsonl},
      {"cdxj", CapturesForm::Cdxj},
      {"timemap", CapturesForm::Timemap}};
  app.add_option("ARCHIVE", flags->archive,
                 "Folder of the archive; lib.ws@2021: only captures up to then")
      ->required();
  app.add_option("URL", flags->url,
                 "A URL, uid or key; example.org/* and *.example.org print all that they cover")
      ->required();
  app.group("Selection");
  app.add_option("--from", flags->from, "Print only captures from the first second of DATE on")
      ->type_name("DATE");
  app.add_option("--to", flags->to, "Print only captures up to the last second of DATE")
      ->type_name("DATE");
  app.group("Output");
  refuse_parquet(
      app.add_choice("--as", flags->form, forms,
                     "Form of the lines: text, csv, jsonl, cdxj or timemap (default text)")
          ->type_name("FORM"));
  declare_header(app, flags->table);
  declare_fold(app, flags->fold);
  app.add_option("--key", flags->key,
                 "Dialect of cdxj keys: pywb, ia, cdxj or exact (default pywb)")
      ->type_name("DIALECT");
  app.add_option("--replay", flags->replay,
                 "Address of the replay service that a timemap links to, such as "
                 "http://localhost:8080/coll/")
      ->type_name("URL");
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command captures_command() {
  return {"captures", "Print when a URL was captured or sighted, with status",
          "Prints time, status, outcome, kind, number of links, type, digest and redirect target,\n"
          "separated by tabs; - for unknown; with a wildcard also the URL. Exit: 1 if nothing was "
          "found.\n\n"
          "Examples:\n"
          "  webstrata captures lib.ws http://www.example.org/\n"
          "  webstrata captures lib.ws http://www.example.org/ --from 2021 --to 2022-06\n"
          "  webstrata captures lib.ws --as timemap http://www.example.org/",
          declare_captures_command};
}

}  // namespace webstrata
