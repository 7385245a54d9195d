// SPDX-License-Identifier: Apache-2.0

// webstrata forget: deletes captures, links and names from an archive permanently.
// On a terminal the command first runs dry, shows what would be deleted and asks. --undo and --list
// work on the tombstones alone. The room archive does the work.
// Tested by tests/cli/forget_test.py.

#include "webstrata/archive/forget.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/cli/flags/forget_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/confirm.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/show/forget_forms.h"
#include "webstrata/words/dated_archive.h"

namespace webstrata {
namespace {

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
  TableLines table(lines, tombstone_columns(), flags.table);
  for (const TombstoneView& view : views) {
    flags.json ? lines.add(as_json(view)) : table.add(tombstone_cells(view));
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

// What would go, as it would be told afterwards; the archive stays as it is.
ExitCode show_only(const ForgetFlags& flags, const std::vector<Forget>& requests) {
  ProgressLine line(!flags.quiet);
  Lines lines("");
  ForgetOptions options = options_of(flags, line);
  TableLines table(lines, record_columns(), flags.table);
  options.on_record = [&](const ForgottenRecord& record) {
    flags.json ? lines.add(as_json(record)) : table.add(record_cells(record));
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
  return says_yes("webstrata: forget it? [y/N] ");
}

// Lists the records, and names the readers of old generations that it waits for.
ForgetResult forget_and_list(const ForgetFlags& flags, const std::vector<Forget>& requests) {
  ProgressLine line(!flags.quiet);
  Lines lines("");
  ForgetOptions options = options_of(flags, line);
  TableLines table(lines, record_columns(), flags.table);
  options.on_record = [&](const ForgottenRecord& record) {
    flags.json ? lines.add(as_json(record)) : table.add(record_cells(record));
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
  ForgetResult result = forget(flags.archive, requests, options);
  lines.commit();
  line.clear();
  return result;
}

ExitCode run(const ForgetFlags& flags) {
  undated_archive(flags.archive, "forget deletes from all times; --from and --to limit them");
  if (flags.list) return list(flags);
  if (flags.undo) return undo(flags);
  const std::vector<Forget> requests = requests_of(flags);
  if (flags.dry_run) return show_only(flags, requests);
  if (!flags.yes && is_at_terminal() && !is_confirmed(flags, requests)) {
    complain("nothing was forgotten");
    return ExitCode::FoundNothing;
  }
  const ForgetResult result = forget_and_list(flags, requests);
  if (!result.is_changed) {
    complain("the archive has nothing of that; later updates will not import it");
    return ExitCode::FoundNothing;
  }
  if (!flags.quiet) tell(flags, result);
  return ExitCode::Done;
}

std::function<ExitCode()> declare_forget_command(FlagSet& app) {
  const auto flags = std::make_shared<ForgetFlags>();
  declare_forget(app, *flags);
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
      declare_forget_command};
}

}  // namespace webstrata
