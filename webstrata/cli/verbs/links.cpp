// SPDX-License-Identifier: Apache-2.0

// webstrata links: where a page points to, or which pages point to it, at a time, during one, or
// ever.
// Flags become a LinkQuestion, which find_links() answers for all spellings of the page; the state
// of the page goes to standard error, so that standard output has only links.
// Tested by tests/cli/ask_test.py.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/ask/found_links.h"
#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/show/link_forms.h"
#include "webstrata/show/pages/links_report.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

struct LinksFlags {
  std::string archive;
  std::string url;
  std::string at;
  std::string during;
  std::string from;
  std::string to;
  std::string kinds = "all";
  std::string fold;
  bool in = false;
  bool history = false;
  bool texts = false;
  bool by_range = false;
  bool count = false;
  std::string report;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

void take_time(const DatedArchive& named, const LinksFlags& flags, LinkQuestion& question) {
  if (named.date.empty()) return;
  if (question.at || question.during) {
    refuse(fmt::format("{} has its time already: remove --at, --during, --from and --to",
                       flags.archive));
  }
  if (named.at && flags.history) {
    question.during = named.interval();
  } else {
    question.at = named.at;
    question.during = named.during;
  }
}

LinkQuestion question_of(const LinksFlags& flags, const DatedArchive& named) {
  LinkQuestion question;
  question.direction = flags.in ? Direction::In : Direction::Out;
  if (!flags.at.empty()) question.at = parse_date_word("--at", flags.at).last;
  if (!flags.during.empty()) question.during = parse_dates_word("--during", flags.during);
  if (!flags.from.empty() || !flags.to.empty()) {
    question.during = kEver;
    if (!flags.from.empty()) question.during->first = parse_date_word("--from", flags.from).first;
    if (!flags.to.empty()) question.during->last = parse_date_word("--to", flags.to).last;
  }
  take_time(named, flags, question);
  question.kinds = parse_kinds_word("--kinds", flags.kinds);
  question.wants_history = flags.history;
  question.wants_texts = flags.texts;
  question.by_range = flags.by_range;
  if (flags.by_range && (!flags.in || !question.during)) {
    throw Error(ErrorKind::BadInput, "--by-range needs --in and a time (--during, --from, --to)");
  }
  if (flags.by_range && question.kinds != kAllKinds) {
    throw Error(ErrorKind::BadInput, "--by-range cannot be combined with --kinds");
  }
  return question;
}

// Strata of one page; of a wildcard, the births and deaths of links.
void write_report(const LinksFlags& flags, const Archive& archive, const std::vector<Uid>& nodes,
                  const LinkQuestion& question) {
  if (flags.report.empty()) return;
  const auto word = parse_url_word(flags.url);
  const bool is_wildcard = word && word->is_wildcard();
  if (is_wildcard && flags.in) {
    throw Error(ErrorKind::BadInput, "--report with --in needs one URL, not a wildcard");
  }
  const std::string command = fmt::format("webstrata links {} {}{}", name_of(flags.archive),
                                          flags.url, flags.in ? " --in" : "");
  report::write_html(is_wildcard ? churn_report(archive, nodes, question, flags.url, command)
                                 : links_report(archive, nodes, question, command),
                     flags.report);
}

// With texts, of links to a page: what others call it; of its own links: a line for each text.
void write_table(Lines& lines, const Archive& archive, const FoundLinks& links,
                 const LinkQuestion& question, const TableFlags& flags) {
  if (links.empty()) return;
  if (tells_anchor_texts(question)) {
    TableLines table(lines, text_columns(), flags);
    for (const FoundText& text : anchor_texts(links)) table.add(text_cells(text));
    table.finish();
    return;
  }
  TableLines table(lines, link_columns(question), flags);
  for (const auto& link : links) {
    for (const FoundText& text : link.second.texts) {
      table.add(link_cells(archive, link, &text, question));
    }
    if (link.second.texts.empty()) table.add(link_cells(archive, link, nullptr, question));
  }
  table.finish();
}

ExitCode run(const LinksFlags& flags) {
  const DatedArchive named = parse_archive_word(flags.archive);
  const LinkQuestion question = question_of(flags, named);
  const auto fold = parse_fold_word("--fold", flags.fold);
  const Archive archive = Archive::open(named.path);
  const auto nodes = find_nodes(archive, flags.url, fold);
  if (nodes.empty()) {
    if (!flags.quiet) complain(not_found_text(archive, flags.url, fold));
    return ExitCode::FoundNothing;
  }
  const FoundLinks links = find_links(archive, nodes, question);
  write_report(flags, archive, nodes, question);
  Lines lines("", WhenClosed::Stop);
  if (flags.count) {
    lines.add(std::to_string(links.size()));
    lines.flush();
    return links.empty() ? ExitCode::FoundNothing : ExitCode::Done;
  }
  if (flags.json) {
    lines.buffer() += links_as_json(archive, nodes, links, question);
  } else {
    write_table(lines, archive, links, question, flags.table);
  }
  lines.flush();
  constexpr std::size_t kStatesMax = 10;  // of a wildcard, the states of all would be too many
  const bool tells_state = question.at && !flags.in && !flags.json && nodes.size() <= kStatesMax;
  for (const Uid node : nodes) {
    if (tells_state && !flags.quiet) complain(state_text(archive, node, *question.at));
  }
  if (!links.empty()) return ExitCode::Done;
  const std::string_view when = question.at || question.during ? " in that time" : "";
  if (!tells_state && !flags.quiet) {
    complain(fmt::format("{}: no links {} {} are known{}", flags.archive, flags.in ? "to" : "from",
                         flags.url, when));
  }
  return ExitCode::FoundNothing;
}

std::function<ExitCode()> declare_links_command(FlagSet& app) {
  const auto flags = std::make_shared<LinksFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive; lib.ws@2021 means --at 2021")
      ->required();
  app.add_option("URL", flags->url,
                 "A URL, uid or key; example.org/* and *.example.org mean all that they cover")
      ->required();
  app.group("Direction and time");
  app.add_flag("--in", flags->in, "Print the pages that link to URL, instead of those it links to");
  auto* at =
      app.add_option("--at", flags->at, "Print the links as they were at the last second of DATE")
          ->type_name("DATE");
  auto* during = app.add_option("--during", flags->during,
                                "Use only captures made in DATES, such as 2015 or 2015..2016-06")
                     ->type_name("DATES");
  auto* from =
      app.add_option("--from", flags->from, "Use only captures from DATE on")->type_name("DATE");
  auto* to = app.add_option("--to", flags->to, "Use only captures up to the end of DATE")
                 ->type_name("DATE");
  app.group("Output");
  auto* history =
      app.add_flag("--history", flags->history,
                   "Add the first and last time seen, the number of captures, and kinds");
  auto* texts =
      app.add_flag("--texts", flags->texts,
                   "Add the texts of the links, with captures, first and last time seen; "
                   "with --in: print the texts of all links to URL, with counts. Needs an "
                   "archive built with --texts");
  auto* by_range = app.add_flag("--by-range", flags->by_range,
                                "With --in: print every page that linked to URL in a time range "
                                "that overlaps the dates; faster, less exact");
  auto* count = app.add_flag("--count", flags->count,
                             "Print only the number of links: of pages that it links to, or with "
                             "--in of pages that link to it");
  count->excludes(history);
  at->excludes(during)->excludes(from)->excludes(to)->excludes(history)->excludes(by_range);
  during->excludes(from)->excludes(to);
  by_range->excludes(history)->excludes(texts);
  count->excludes(texts);
  app.group("Selection");
  app.add_option("--kinds", flags->kinds,
                 "Use only links of these kinds: all, graph, or a list such as navigation,embed "
                 "(default all)")
      ->type_name("KINDS");
  declare_fold(app, flags->fold);
  app.group("Output");
  Flag* json = app.add_flag("--json", flags->json, "Print one JSON object");
  declare_table(app, flags->table)->excludes(json)->excludes(count);
  json->excludes(count);
  declare_report(app, flags->report);
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command links_command() {
  return {"links", "Print the links of a page, or the pages that link to it, at any time",
          "Prints one URL per line, in key order; with --at also kinds and count, with --history\n"
          "first and last time seen, number of captures, and kinds. Without a date: all time.\n"
          "Exit: 1 if nothing was found.\n\n"
          "Examples:\n"
          "  webstrata links lib.ws http://www.example.org/ --at 2021-09\n"
          "  webstrata links lib.ws http://www.example.org/ --in --history\n"
          "  webstrata links lib.ws http://www.example.org/ --in --during 2021..2022-06\n"
          "  webstrata links lib.ws http://www.example.org/ --report page.html",
          declare_links_command};
}

}  // namespace webstrata
