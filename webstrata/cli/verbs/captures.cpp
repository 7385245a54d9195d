// SPDX-License-Identifier: Apache-2.0

// webstrata captures: when a url was captured or sighted, and with what result.
// Tested by tests/cli/ask_test.py.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/ask/page_captures.h"
#include "webstrata/capture/capture_lines.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/show/timemap.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

enum class CapturesForm { Text, Jsonl, Cdxj, Timemap };

struct CapturesFlags {
  std::string archive;
  std::string url;
  std::string from;
  std::string to;
  std::string fold;
  std::string key = "pywb";
  std::string replay;
  CapturesForm form = CapturesForm::Text;
};

TimeInterval interval_of(const CapturesFlags& flags) {
  TimeInterval interval = kEver;
  if (!flags.from.empty()) interval.first = parse_date_word("--from", flags.from).first;
  if (!flags.to.empty()) interval.last = parse_date_word("--to", flags.to).last;
  return interval;
}

std::string or_dash(std::string_view text) { return std::string(text.empty() ? "-" : text); }

// Time, status, outcome, kind, links, type, digest, redirect target.
void append_text(std::string& out, const Capture& capture) {
  const Sighting& sighting = capture.sighting;
  out += fmt::format(
      "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", to_rfc3339(sighting.time),
      sighting.status ? std::to_string(*sighting.status) : "-", to_string(sighting.outcome),
      to_string(sighting.kind), capture.links_known ? std::to_string(capture.links.size()) : "-",
      or_dash(sighting.mime), or_dash(sighting.digest), or_dash(sighting.redirect_target));
}

// Dated lines of several nodes, brought into the order of time.
using DatedLines = std::vector<std::pair<Time, std::string>>;

DatedLines lines_of(const Archive& archive, const std::vector<Uid>& nodes,
                    const CapturesFlags& flags) {
  const TimeInterval interval = interval_of(flags);
  const Dialect dialect = parse_dialect_word("--key", flags.key);
  DatedLines lines;
  for (const Uid node : nodes) {
    visit_captures(archive, node, [&](const Capture& capture) {
      const Time time = capture.sighting.time;
      if (time < interval.first || time > interval.last) return;
      std::string& line = lines.emplace_back(time, std::string()).second;
      if (flags.form == CapturesForm::Text) append_text(line, capture);
      if (flags.form == CapturesForm::Jsonl) append_jsonl(line, capture);
      if (flags.form == CapturesForm::Cdxj) append_cdxj(line, capture, dialect);
      if (flags.form == CapturesForm::Timemap) line = memento_url(capture.sighting);
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

ExitCode run(const CapturesFlags& flags) {
  const Archive archive = Archive::open(flags.archive);
  const auto fold = parse_fold_word("--fold", flags.fold);
  const auto nodes = find_nodes(archive, flags.url, fold);
  if (nodes.empty()) {
    complain(not_found_text(archive, flags.url, fold));
    return ExitCode::FoundNothing;
  }
  const DatedLines dated = lines_of(archive, nodes, flags);
  if (dated.empty()) {
    complain(fmt::format("{}: {} is linked to, but was not seen {}", flags.archive, flags.url,
                         flags.from.empty() && flags.to.empty() ? "itself" : "in that time"));
    return ExitCode::FoundNothing;
  }
  Lines lines;
  if (flags.form == CapturesForm::Timemap) {
    print_timemap(lines, flags, archive.url(nodes.front()), dated);
  } else {
    for (const auto& [time, line] : dated) lines.buffer() += line;
  }
  lines.flush();
  return ExitCode::Done;
}

std::function<ExitCode()> declare_captures_command(FlagSet& app) {
  const auto flags = std::make_shared<CapturesFlags>();
  const std::vector<std::pair<std::string, CapturesForm>> forms = {
      {"text", CapturesForm::Text},
      {"jsonl", CapturesForm::Jsonl},
      {"cdxj", CapturesForm::Cdxj},
      {"timemap", CapturesForm::Timemap}};
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.add_option("URL", flags->url, "A URL, uid or key")->required();
  app.group("Selection");
  app.add_option("--from", flags->from, "Print only captures from the first second of DATE on")
      ->type_name("DATE");
  app.add_option("--to", flags->to, "Print only captures up to the last second of DATE")
      ->type_name("DATE");
  app.group("Output");
  app.add_choice("--as", flags->form, forms,
                 "Form of the lines: text, jsonl, cdxj or timemap (default text)")
      ->type_name("FORM");
  declare_fold(app, flags->fold);
  app.add_option("--key", flags->key,
                 "Dialect of cdxj keys: pywb, ia, cdxj or exact (default pywb)")
      ->type_name("DIALECT");
  app.add_option("--replay", flags->replay,
                 "Address of the replay service that a timemap links to, such as "
                 "http://localhost:8080/coll/")
      ->type_name("URL");
  return [flags] { return run(*flags); };
}

}  // namespace

Command captures_command() {
  return {"captures", "Print when a URL was captured or sighted, with status",
          "Prints time, status, outcome, kind, number of links, type, digest and redirect target,\n"
          "separated by tabs; - for unknown. Exit: 1 if nothing was found.\n\n"
          "Examples:\n"
          "  webstrata captures lib.ws http://www.example.org/\n"
          "  webstrata captures lib.ws http://www.example.org/ --from 2021 --to 2022-06\n"
          "  webstrata captures lib.ws --as timemap http://www.example.org/",
          declare_captures_command};
}

}  // namespace webstrata
