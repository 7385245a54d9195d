// SPDX-License-Identifier: Apache-2.0

// webstrata forget: takes captures, links and names out of an archive for good.
// Tested by tests/cli/forget_test.py.

#include "webstrata/archive/forget.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/base/text.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/dates.h"

namespace webstrata {
namespace {

struct ForgetFlags {
  std::string archive;
  std::vector<std::string> urls;
  std::vector<std::string> prefixes;
  std::vector<std::string> hosts;
  std::string from;
  std::string to;
  bool exactly = false;
  bool embedded = false;
  bool force = false;
  bool undo = false;
  bool list = false;
  bool dry_run = false;
  bool yes = false;
  std::string memory;
  std::string temp;
  unsigned threads = 0;
  bool json = false;
  bool quiet = false;
};

std::optional<TimeInterval> interval_of(const ForgetFlags& flags) {
  if (flags.from.empty() && flags.to.empty()) return std::nullopt;
  TimeInterval during = kEver;
  if (!flags.from.empty()) during.first = parse_date_word("--from", flags.from).first;
  if (!flags.to.empty()) during.last = parse_date_word("--to", flags.to).last;
  if (during.first > during.last) {
    throw Error(ErrorKind::BadInput,
                fmt::format("--from {} is after --to {}", flags.from, flags.to));
  }
  return during;
}

std::vector<Forget> requests_of(const ForgetFlags& flags) {
  std::vector<Forget> requests;
  const auto during = interval_of(flags);
  const auto add = [&](ForgetScope scope, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) requests.push_back({scope, text, flags.exactly, during});
  };
  add(ForgetScope::Url, flags.urls);
  add(ForgetScope::Prefix, flags.prefixes);
  add(ForgetScope::Host, flags.hosts);
  if (requests.empty() && !flags.list) {
    throw Error(ErrorKind::BadInput, "nothing to forget is named: use --url, --prefix or --host");
  }
  return requests;
}

ExitCode undo(const ForgetFlags& flags) {
  const std::uint64_t removed = undo_forget(flags.archive, requests_of(flags));
  if (removed == 0) {
    complain("no such tombstone; give --undo the same options as the forget to be undone");
    return ExitCode::FoundNothing;
  }
  if (!flags.quiet) {
    complain(
        "undone: later updates may import it again; what was deleted does not come back by itself");
  }
  return ExitCode::Done;
}

std::string record_line(const ForgottenRecord& record, bool json) {
  std::string line;
  if (json) {
    JsonWriter writer(line);
    writer.begin_object().field("url", record.url).field("time", to_timestamp14(record.time));
    if (!record.file.empty()) writer.field("file", record.file);
    if (record.offset) writer.field("offset", *record.offset);
    writer.end_object();
    return line + "\n";
  }
  return fmt::format("{} {} {} {}\n", to_timestamp14(record.time), record.url,
                     record.file.empty() ? "-" : record.file,
                     record.offset ? std::to_string(*record.offset) : "-");
}

// ---- the list of tombstones

std::string_view word_of(PatternKind kind) {
  switch (kind) {
    case PatternKind::Url:
    case PatternKind::ExactUrl:
      return "url";
    case PatternKind::Prefix:
    case PatternKind::ExactPrefix:
      return "prefix";
    case PatternKind::Domain:
    case PatternKind::Host:
      return "host";
  }
  return "";
}

bool is_exactly(PatternKind kind) {
  return kind == PatternKind::ExactUrl || kind == PatternKind::ExactPrefix ||
         kind == PatternKind::Host;
}

std::string tombstone_line(const TombstoneView& tombstone, bool as_json) {
  const auto bound = [](Time time, Time none) {
    return time == none ? std::string("-") : to_rfc3339(time);
  };
  const TimeInterval during = tombstone.during.value_or(kEver);
  std::string line;
  if (!as_json) {
    return fmt::format(
        "{}{}\t{}\t{}\t{}\n", word_of(tombstone.kind), is_exactly(tombstone.kind) ? " exactly" : "",
        bound(during.first, kEver.first), bound(during.last, kEver.last), tombstone.hash);
  }
  JsonWriter json(line);
  json.begin_object().field("kind", word_of(tombstone.kind));
  json.field("exactly", is_exactly(tombstone.kind));
  if (during.first != kEver.first) json.field("from", to_rfc3339(during.first));
  if (during.last != kEver.last) json.field("to", to_rfc3339(during.last));
  if (tombstone.size > 0) json.field("length", tombstone.size);
  json.field("hash", tombstone.hash).end_object();
  return line + "\n";
}

ExitCode list(const ForgetFlags& flags) {
  const std::vector<Forget> requests = requests_of(flags);
  const auto tombstones = load_tombstones(flags.archive, Manifest::load(flags.archive));
  std::vector<TombstoneView> views;
  if (tombstones && requests.empty()) views = tombstones->views();
  for (const Forget& request : requests) {
    if (!tombstones) break;
    for (TombstoneView& view : tombstones->views(request)) views.push_back(std::move(view));
  }
  Lines lines("");
  for (const TombstoneView& view : views) {
    lines.buffer() += tombstone_line(view, flags.json);
    lines.written();
  }
  lines.commit();
  if (views.empty()) {
    complain(requests.empty() ? "there are no tombstones" : "no tombstone covers that");
    return ExitCode::FoundNothing;
  }
  if (!flags.quiet && requests.empty()) {
    complain(
        fmt::format("{} tombstones. They are keyed hashes: names cannot be read from them. --list "
                    "with --url, --prefix or --host prints those that cover it",
                    human_number(views.size())));
  }
  return ExitCode::Done;
}

// ---- forgetting

std::string losses_text(const ForgetResult& result) {
  const ArchiveCounts& now = result.manifest.counts;
  const auto lost = [](std::uint64_t before, std::uint64_t after) {
    return human_number(before - after);
  };
  return fmt::format("{} sightings, {} captures, {} links and {} names",
                     lost(result.before.sightings, now.sightings),
                     lost(result.before.captures, now.captures),
                     lost(result.before.links, now.links), lost(result.before.nodes, now.nodes));
}

void tell(const ForgetFlags& flags, const ForgetResult& result) {
  complain(fmt::format("{}: generation {}: forgot {}", flags.archive, result.manifest.generation,
                       losses_text(result)));
  if (result.embedded > 0 && !flags.embedded) {
    complain(
        fmt::format("{} other URLs contain a forgotten one and are kept (listed above); --embedded "
                    "forgets them too",
                    human_number(result.embedded)));
  }
  complain(
      "standard output lists the forgotten records; the crawl files, exports, reports and "
      "backups still hold them");
}

ForgetOptions options_of(const ForgetFlags& flags, ProgressLine& line) {
  ForgetOptions options;
  options.embedded = flags.embedded;
  options.force = flags.force;
  options.write.memory_bytes =
      flags.memory.empty() ? 0 : parse_bytes_word("--memory", flags.memory);
  options.write.temp = flags.temp;
  options.write.work.threads = flags.threads;
  options.write.work.cancel = &interruption();
  options.write.work.progress = [&](const Progress& progress) { line.show(progress); };
  options.on_embedded = [&](const std::string& url) {
    line.clear();
    complain("contains a forgotten URL: " + url);
  };
  return options;
}

// What would go, as it would be told afterwards; the archive stays as it is.
ExitCode show_only(const ForgetFlags& flags, const std::vector<Forget>& requests) {
  ProgressLine line(!flags.quiet);
  Lines lines("");
  ForgetOptions options = options_of(flags, line);
  options.on_record = [&](const ForgottenRecord& record) {
    lines.buffer() += record_line(record, flags.json);
    lines.written();
  };
  const ForgetResult result = preview_forget(flags.archive, requests, options);
  lines.commit();
  line.clear();
  if (!result.is_changed) {
    complain("the archive has nothing of that; later updates would not import it");
    return ExitCode::FoundNothing;
  }
  if (!flags.quiet) {
    complain(fmt::format("{}: would forget {}; nothing was changed (--dry-run)", flags.archive,
                         losses_text(result)));
  }
  return ExitCode::Done;
}

// Somebody sits there who can be asked.
bool is_at_terminal() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0; }

constexpr int kLookForInterruptionMs = 100;

bool says_yes() {
  std::string answer;
  char byte = 0;
  while (true) {
    interruption().check();
    // Not a plain read: a Ctrl-C between the check and the read would not interrupt it.
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, kLookForInterruptionMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || byte == '\n') break;
    answer.push_back(to_lower(byte));
  }
  return trim(answer) == "y" || trim(answer) == "yes";
}

// Shows what would go, and asks. What is in no archive any more cannot be asked for again.
bool is_confirmed(const ForgetFlags& flags, const std::vector<Forget>& requests) {
  constexpr std::size_t kUrlsShown = 10;
  ProgressLine line(!flags.quiet);
  ForgetOptions options = options_of(flags, line);
  std::set<std::string> urls;
  std::uint64_t urls_more = 0;
  std::string last_url;
  options.on_record = [&](const ForgottenRecord& record) {
    if (record.url == last_url) return;
    last_url = record.url;
    if (urls.size() < kUrlsShown) {
      urls.insert(record.url);
    } else {
      ++urls_more;
    }
  };
  const ForgetResult result = preview_forget(flags.archive, requests, options);
  line.clear();
  for (const std::string& url : urls) complain("  " + url);
  if (urls_more > 0) {
    complain(fmt::format("  and {} more pages (--dry-run lists them)", human_number(urls_more)));
  }
  complain(result.is_changed
               ? fmt::format("{}: this deletes {}, permanently", flags.archive, losses_text(result))
               : "the archive has nothing of that; later updates would not import it");
  say_lines("webstrata: forget it? [y/N] ");
  return says_yes();
}

ExitCode run(const ForgetFlags& flags) {
  if (flags.list) return list(flags);
  if (flags.undo) return undo(flags);
  const std::vector<Forget> requests = requests_of(flags);
  if (flags.dry_run) return show_only(flags, requests);
  if (!flags.yes && is_at_terminal() && !is_confirmed(flags, requests)) {
    complain("nothing was forgotten");
    return ExitCode::FoundNothing;
  }
  ProgressLine line(!flags.quiet);
  Lines lines("");
  ForgetOptions options = options_of(flags, line);
  options.on_record = [&](const ForgottenRecord& record) {
    lines.buffer() += record_line(record, flags.json);
    lines.written();
  };
  std::uint64_t told_generation = 0;
  options.waiting = [&](std::uint64_t generation, std::span<const pid_t> processes) {
    if (generation == told_generation) return;
    lines.put();  // it is forgotten: an interrupted wait must not lose the list
    told_generation = generation;
    std::string who;
    for (const pid_t process : processes) who += fmt::format(" {}", process);
    line.clear();
    complain(fmt::format("waiting for readers of {}: process{}", generation_name(generation),
                         who.empty() ? " unknown" : who));
  };
  const ForgetResult result = forget(flags.archive, requests, options);
  lines.commit();
  line.clear();
  if (!result.is_changed) {
    complain("the archive has nothing of that; later updates will not import it");
    return ExitCode::FoundNothing;
  }
  if (!flags.quiet) tell(flags, result);
  return ExitCode::Done;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<ForgetFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.group("What to forget");
  app.add_option("--url", flags->urls, "A URL in all its spellings")->type_name("URL");
  app.add_option("--prefix", flags->prefixes, "All URLs that begin with URL")->type_name("URL");
  app.add_option("--host", flags->hosts, "A host with all its ports, and the hosts below it")
      ->type_name("HOST");
  app.add_option("--from", flags->from, "Only what was captured from DATE on")->type_name("DATE");
  app.add_option("--to", flags->to, "Only what was captured up to the end of DATE")
      ->type_name("DATE");
  app.add_flag("--exactly", flags->exactly, "Only this exact spelling or this exact host");
  app.add_flag("--embedded", flags->embedded, "Also other URLs that contain a forgotten one");
  app.group("Action");
  app.add_flag("--dry-run", flags->dry_run, "Print what would be deleted; change nothing");
  app.add_flag("--yes", flags->yes, "Do not ask for confirmation on a terminal");
  app.add_flag("--force", flags->force,
               "Allow a public suffix, such as --host com: every site below it is forgotten");
  auto* undo = app.add_flag("--undo", flags->undo, "Let later updates import it again");
  app.add_flag("--list", flags->list,
               "Print the tombstones; with --url, --prefix or --host only those that cover it")
      ->excludes(undo);
  app.group(kGeneralGroup);
  app.add_option("--memory", flags->memory,
                 "Maximum memory in bytes, at least 128M (default: a quarter of the machine's)")
      ->type_name("BYTES");
  app.add_option("--temp", flags->temp, "Folder for scratch files (default: inside the archive)")
      ->type_name("DIR");
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  app.add_flag("--json", flags->json, "Print the records as JSON lines");
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress and no summary")
      ->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command forget_command() {
  return {
      "forget", "Delete captures, links and names permanently",
      "Deletes the URL, its captures and sightings, the links to and from it, and redirects to\n"
      "it; with --from or --to only what was captured then, and the URL itself when nothing\n"
      "mentions it any longer. Ends when no old generation is left; it waits for readers and\n"
      "names them. Tombstones keep it out of later updates until --undo. Standard output lists\n"
      "the forgotten records of crawl files: time, URL, file, offset. On a terminal it first\n"
      "shows what would be deleted, and asks.\n\n"
      "Exit: 0 done, 1 not in the archive (later updates will not import it) or you answered\n"
      "no, 2 failed.\n\n"
      "Examples:\n"
      "  webstrata forget lib.ws --url http://example.org/me.html > records.txt\n"
      "  webstrata forget lib.ws --host example.org --to 2015-06 --dry-run\n"
      "  webstrata forget lib.ws --list --url http://example.org/me.html\n"
      "  webstrata forget lib.ws --undo --url http://example.org/me.html",
      declare};
}

}  // namespace webstrata
