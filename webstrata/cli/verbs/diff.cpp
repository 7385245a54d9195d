// SPDX-License-Identifier: Apache-2.0

// webstrata diff: what appeared and what vanished between two times.
// archive/ask/diff.cpp compares; here the result is printed by host or link by link, as text or
// JSON, and a warning counts what was not seen since.
// Tested by tests/cli/ask_test.py.

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/base/error.h"
#include "webstrata/base/human.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/show/diff_forms.h"
#include "webstrata/show/pages/diff_report.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

struct DiffFlags {
  std::string archive;
  std::string before;
  std::string after;
  std::string kinds = "all";
  std::string report;
  TableFlags table;
  unsigned threads = 0;
  bool hosts = false;
  bool links = false;
  bool json = false;
  bool quiet = false;
};

bool is_changed(const HostDifference& total) {
  return total.pages_appeared + total.pages_vanished + total.links_appeared + total.links_vanished >
         0;
}

void warn_of_unseen(std::string_view archive, const HostDifference& total, Time since) {
  if (total.pages_not_seen == 0) return;
  complain(fmt::format("{}: {} of {} pages were not seen since {}: the archive cannot say whether "
                       "they are still there",
                       archive, human_number(total.pages_not_seen),
                       human_number(total.pages_not_seen + total.pages_kept + total.pages_vanished),
                       to_rfc3339(since)),
           Tone::Warning);
}

// The first line has the names of the columns.
void add_hosts(Lines& lines, std::string_view text, const TableFlags& flags) {
  const std::size_t first = text.find('\n') + 1;
  if (!flags.no_header) lines.add_heading(text.substr(0, first));
  lines.buffer() += text.substr(first);
}

// ARCHIVE T0 T1, or lib.ws@T0 lib.ws@T1.
struct ComparedTimes {
  std::filesystem::path archive;
  Time t0 = 0;
  Time t1 = 0;
};

ComparedTimes times_of(const DiffFlags& flags) {
  if (!flags.after.empty()) {
    const auto path = undated_archive(
        flags.archive, "diff takes its two times as words of their own: diff lib.ws 2021 2023");
    return {path, parse_date_word("T0", flags.before).last,
            parse_date_word("T1", flags.after).last};
  }
  const DatedArchive older = parse_archive_word(flags.archive);
  const DatedArchive newer = parse_archive_word(flags.before);
  if (!older.at || !newer.at || older.path != newer.path) {
    refuse(
        "diff needs two times of one archive: diff lib.ws 2021 2023, or lib.ws@2021 lib.ws@2023");
  }
  return {older.path, *older.at, *newer.at};
}

ExitCode run(const DiffFlags& flags) {
  const auto [path, t0, t1] = times_of(flags);
  ProgressLine progress_line(!flags.quiet);
  ScanOptions options;
  options.work.threads = flags.threads;
  options.kinds = parse_kinds_word("--kinds", flags.kinds);
  options.work.progress = [&](const Progress& progress) { progress_line.show(progress); };
  options.work.cancel = &interruption();
  const Archive archive = Archive::open(path);
  Lines lines("", flags.report.empty() ? WhenClosed::Stop : WhenClosed::GoOn);
  TableLines table(lines, difference_columns(), flags.table);
  std::function<void(const Difference&)> visit;
  if (flags.links) {
    visit = [&](const Difference& difference) {
      if (flags.json) {
        lines.add(difference_as_json(archive, difference));
      } else {
        table.add(difference_cells(archive, difference));
      }
    };
  }
  const DiffResult result = diff(archive, t0, t1, options, visit);
  progress_line.clear();
  if (!flags.report.empty()) {
    report::write_html(diff_report(result, name_of(path.string()), t0, t1), flags.report);
  }
  if (!flags.links && flags.json) lines.buffer() += hosts_as_json(result, t0, t1);
  if (!flags.links && flags.table.is_csv()) {
    lines.buffer() += written(hosts_table(result), style_of(flags.table));
  } else if (!flags.links && !flags.json) {
    add_hosts(lines, hosts_as_text(result), flags.table);
  }
  lines.flush();
  if (!flags.quiet) warn_of_unseen(path.string(), result.total, std::min(t0, t1));
  if (is_changed(result.total)) return ExitCode::Done;
  if (!flags.quiet) {
    complain(fmt::format("{}: nothing is known to have changed between {} and {}", path.string(),
                         to_rfc3339(t0), to_rfc3339(t1)));
  }
  return ExitCode::FoundNothing;
}

std::function<ExitCode()> declare_diff_command(FlagSet& app) {
  const auto flags = std::make_shared<DiffFlags>();
  app.add_option("ARCHIVE", flags->archive,
                 "Folder of the archive, perhaps with a date: lib.ws@2021 lib.ws@2023")
      ->required();
  app.add_option("T0", flags->before,
                 "First date; its last second counts; or the archive at another date")
      ->required();
  app.add_option("T1", flags->after, "Second date; its last second counts");
  app.group("Output");
  auto* hosts = app.add_flag("--hosts", flags->hosts, "Print totals per host (the default)");
  app.add_flag("--links", flags->links,
               "Print every page and link that appeared (+) or vanished (-), and every page not "
               "seen since (?)")
      ->excludes(hosts);
  app.group("Selection");
  app.add_option("--kinds", flags->kinds,
                 "Use only links of these kinds: all, graph, or a list such as navigation,embed "
                 "(default all)")
      ->type_name("KINDS");
  declare_report(app, flags->report);
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  Flag* json =
      app.add_flag("--json", flags->json, "Print one JSON object; with --links one per line");
  declare_table(app, flags->table)->excludes(json);
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress and no notes")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command diff_command() {
  return {
      "diff", "Print pages and links that appeared or vanished between two dates",
      "Compares what was known to be there at the two times: pages that were present or moved,\n"
      "and their links. Appeared: known at T1 only. Vanished: seen to be gone. Kept: seen again\n"
      "after T0. Not seen: there at T0 and not visited since, so nothing is known.\n"
      "Exit: 1 if nothing is known to have changed.\n\n"
      "Examples:\n"
      "  webstrata diff lib.ws 2021 2023\n"
      "  webstrata diff lib.ws 2021-09 2023-06 --links\n"
      "  webstrata diff lib.ws 2021 2023 --report diff.html",
      declare_diff_command};
}

}  // namespace webstrata
