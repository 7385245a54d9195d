// SPDX-License-Identifier: Apache-2.0

// webstrata links: where a page points to, or which pages point to it, at a time, during one, or
// ever.
// Flags become a LinkQuestion, which find_links() answers for all spellings of the page; the state
// of the page goes to standard error, so that standard output has only links.
// Tested by tests/cli/ask_test.py.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/ask/found_links.h"
#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"

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
  bool by_range = false;
  bool json = false;
};

LinkQuestion question_of(const LinksFlags& flags) {
  LinkQuestion question;
  question.direction = flags.in ? Direction::In : Direction::Out;
  if (!flags.at.empty()) question.at = parse_date_word("--at", flags.at).last;
  if (!flags.during.empty()) question.during = parse_dates_word("--during", flags.during);
  if (!flags.from.empty() || !flags.to.empty()) {
    question.during = kEver;
    if (!flags.from.empty()) question.during->first = parse_date_word("--from", flags.from).first;
    if (!flags.to.empty()) question.during->last = parse_date_word("--to", flags.to).last;
  }
  question.kinds = parse_kinds_word("--kinds", flags.kinds);
  question.wants_history = flags.history;
  question.by_range = flags.by_range;
  if (flags.by_range && (!flags.in || !question.during)) {
    throw Error(ErrorKind::BadInput, "--by-range needs --in and a time (--during, --from, --to)");
  }
  if (flags.by_range && question.kinds != kAllKinds) {
    throw Error(ErrorKind::BadInput, "--by-range cannot be combined with --kinds");
  }
  return question;
}

void print_text(Lines& lines, const Archive& archive, const FoundLinks& links,
                const LinkQuestion& question) {
  for (const auto& [node, link] : links) {
    std::string line = archive.url(node);
    if (question.at) line += fmt::format("\t{}\t{}", to_string(link.kinds), link.count);
    if (question.wants_history && link.seen) {
      line += fmt::format("\t{}\t{}\t{}\t{}", to_rfc3339(link.seen->first),
                          to_rfc3339(link.seen->last), link.captures, to_string(link.kinds));
    }
    lines.add(line);
  }
}

void append_state(JsonWriter& json, const PageAt& page) {
  json.field("state", to_string(page.state));
  if (page.state != PageState::Unknown) json.field("since", to_rfc3339(page.since));
  if (page.captured) json.field("captured", to_rfc3339(*page.captured));
}

void append_question(JsonWriter& json, const Archive& archive, const std::vector<Uid>& nodes,
                     const LinkQuestion& question) {
  json.key("nodes").begin_array();
  for (const Uid node : nodes) {
    json.begin_object().field("url", archive.url(node)).field("uid", node);
    if (question.at) append_state(json, archive.links_at(node, *question.at));
    json.end_object();
  }
  json.end_array().field("direction", question.direction == Direction::In ? "in" : "out");
  if (question.at) json.field("at", to_rfc3339(*question.at));
  const auto bound = [&](std::string_view name, Time time, Time open) {
    if (time != open) json.field(name, to_rfc3339(time));
  };
  if (question.during) {
    bound("from", question.during->first, kEver.first);
    bound("to", question.during->last, kEver.last);
  }
}

void print_json(Lines& lines, const Archive& archive, const std::vector<Uid>& nodes,
                const FoundLinks& links, const LinkQuestion& question) {
  JsonWriter json(lines.buffer());
  append_question(json.begin_object(), archive, nodes, question);
  json.key("links").begin_array();
  for (const auto& [node, link] : links) {
    json.begin_object().field("url", archive.url(node)).field("uid", node);
    if (!link.kinds.empty()) json.field("kinds", to_string(link.kinds));
    if (link.count > 0) json.field("count", link.count);
    if (link.seen) {
      json.field("first", to_rfc3339(link.seen->first)).field("last", to_rfc3339(link.seen->last));
      json.field("captures", link.captures);
    }
    json.end_object();
  }
  json.end_array().end_object();
  lines.buffer() += "\n";
}

// How old the answer is: a page that is present may have been captured long before.
void tell_state(const Archive& archive, Uid node, Time at) {
  const PageAt page = archive.links_at(node, at);
  std::string text(to_string(page.state));
  if (page.state != PageState::Unknown) text += fmt::format(" since {}", to_rfc3339(page.since));
  if (page.captured) text += fmt::format(", links as captured {}", to_rfc3339(*page.captured));
  complain(fmt::format("{}: {} at {}", archive.url(node), text, to_rfc3339(at)));
}

ExitCode run(const LinksFlags& flags) {
  const LinkQuestion question = question_of(flags);
  const auto fold = parse_fold_word("--fold", flags.fold);
  const Archive archive = Archive::open(flags.archive);
  const auto nodes = find_nodes(archive, flags.url, fold);
  if (nodes.empty()) {
    complain(not_found_text(archive, flags.url, fold));
    return ExitCode::FoundNothing;
  }
  const FoundLinks links = find_links(archive, nodes, question);
  Lines lines;
  if (flags.json) {
    print_json(lines, archive, nodes, links, question);
  } else {
    print_text(lines, archive, links, question);
  }
  lines.flush();
  const bool tells_state = question.at && !flags.in && !flags.json;
  for (const Uid node : nodes) {
    if (tells_state) tell_state(archive, node, *question.at);
  }
  if (!links.empty()) return ExitCode::Done;
  const std::string_view when = question.at || question.during ? " in that time" : "";
  if (!tells_state) {
    complain(fmt::format("{}: no links {} {} are known{}", flags.archive, flags.in ? "to" : "from",
                         flags.url, when));
  }
  return ExitCode::FoundNothing;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<LinksFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.add_option("URL", flags->url, "A URL, uid or key")->required();
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
  auto* by_range = app.add_flag("--by-range", flags->by_range,
                                "With --in: print every page that linked to URL in a time range "
                                "that overlaps the dates; faster, less exact");
  at->excludes(during)->excludes(from)->excludes(to)->excludes(history)->excludes(by_range);
  during->excludes(from)->excludes(to);
  by_range->excludes(history);
  app.group("Selection");
  app.add_option("--kinds", flags->kinds,
                 "Use only links of these kinds: all, graph, or a list such as navigation,embed "
                 "(default all)")
      ->type_name("KINDS");
  declare_fold(app, flags->fold);
  app.group("Output");
  app.add_flag("--json", flags->json, "Print one JSON object");
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
          "  webstrata links lib.ws http://www.example.org/ --in --during 2021..2022-06",
          declare};
}

}  // namespace webstrata
