// SPDX-License-Identifier: Apache-2.0

// webstrata stats: how links are born, live and die; where they lead; which are menus.
// Tested by tests/cli/ask_test.py.

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/base/human.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/show/pages/stats_report.h"
#include "webstrata/show/stats_forms.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

struct StatsFlags {
  std::string archive;
  std::string kinds = "all";
  double menu_share = StatisticsOptions{}.menu_share;
  std::uint64_t menu_pages = StatisticsOptions{}.menu_pages_min;
  std::uint64_t patterns = 0;  // 0: none
  std::string report;
  unsigned threads = 0;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

std::string share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return human_number(part);
  return fmt::format("{} ({:.1f} %)", human_number(part),
                     100 * static_cast<double>(part) / static_cast<double>(all));
}

void print_years(Lines& lines, const LinkStatistics& stats) {
  lines.add_heading(fmt::format("{:<6}{:>12}{:>12}{:>14}{:>14}{:>14}\n", "year", "captures",
                                "new pages", "link facts", "links born", "links died"));
  for (const auto& [year, counts] : stats.years) {
    lines.add(fmt::format("{:<6}{:>12}{:>12}{:>14}{:>14}{:>14}", year,
                          human_number(counts.captures), human_number(counts.new_pages),
                          human_number(counts.link_facts), human_number(counts.births),
                          human_number(counts.deaths)));
  }
  lines.add("");
}

void print_lifetimes(Lines& lines, const LinkStatistics& stats) {
  const auto& ended = stats.lifetime_days_ended;
  const auto& censored = stats.lifetime_days_censored;
  const auto at = [](const std::vector<std::uint64_t>& counts, std::size_t k) {
    return k < counts.size() ? counts[k] : 0;
  };
  // Not "still there": their page may be gone, or no crawl has looked since.
  lines.add_heading(
      fmt::format("{:<16}{:>14}{:>18}\n", "lived for days", "then died", "in last capture"));
  for (std::size_t k = 0; k < std::max(ended.size(), censored.size()); ++k) {
    if (at(ended, k) + at(censored, k) == 0) continue;
    lines.add(fmt::format("{:<16}{:>14}{:>18}", days_of_class(k), human_number(at(ended, k)),
                          human_number(at(censored, k))));
  }
  lines.add("");
}

void print_locality(Lines& lines, const LinkStatistics& stats) {
  lines.add_heading("links to\n");
  lines.add(fmt::format("  the same directory  {}", share(stats.same_directory, stats.links)));
  lines.add(fmt::format("  the same host       {}", share(stats.same_host, stats.links)));
  lines.add(fmt::format("  the same domain     {}", share(stats.same_domain, stats.links)));
  lines.add(fmt::format("  elsewhere           {}", share(stats.elsewhere, stats.links)));
  lines.add("");
}

void print_menus(Lines& lines, const LinkStatistics& stats) {
  lines.add(fmt::format("menu links in the last captures: {}",
                        share(stats.menu_links, stats.last_capture_links)));
  for (const LinkStatistics::Menu& menu : stats.menus) {
    lines.add(fmt::format("  {} {}: {} targets on {} pages", menu.is_global ? "host" : "directory",
                          menu.place, human_number(menu.targets.size()), human_number(menu.pages)));
  }
}

void print_text(Lines& lines, const LinkStatistics& stats) {
  lines.add(fmt::format("{} pages, {} captures, {} links, {} link facts", human_number(stats.pages),
                        human_number(stats.captures), human_number(stats.links),
                        human_number(stats.link_facts)));
  lines.add(fmt::format("links born {}, of these born again {}; died {}\n",
                        human_number(stats.births), human_number(stats.returns),
                        human_number(stats.deaths)));
  print_years(lines, stats);
  print_lifetimes(lines, stats);
  print_locality(lines, stats);
  print_menus(lines, stats);
}

ExitCode run(const StatsFlags& flags) {
  ProgressLine line(!flags.quiet);
  StatisticsOptions options;
  options.menu_share = flags.menu_share;
  options.menu_pages_min = flags.menu_pages;
  options.scan.work.threads = flags.threads;
  options.scan.kinds = parse_kinds_word("--kinds", flags.kinds);
  options.scan.work.progress = [&](const Progress& progress) { line.show(progress); };
  options.scan.work.cancel = &interruption();
  const Archive archive =
      Archive::open(undated_archive(flags.archive, "stats follows links through all times"));
  const LinkStatistics stats = link_statistics(archive, options);
  FoundPatterns patterns;
  if (flags.patterns > 0) {
    patterns = link_patterns(
        archive,
        {.scan = options.scan, .pages_min = flags.menu_pages, .patterns_max = flags.patterns});
  }
  line.clear();
  if (!flags.report.empty()) {
    report::write_html(stats_report(archive, stats, name_of(flags.archive)), flags.report);
  }
  if (flags.table.is_csv()) {
    print_table(stats_table(stats, patterns), flags.table);
    return ExitCode::Done;
  }
  Lines lines("", WhenClosed::Stop);
  if (flags.json) {
    lines.add(as_json(archive, stats, patterns));
  } else {
    print_text(lines, stats);
    if (patterns) lines.add("\nlinks that appear and disappear together:");
    for (const std::string& text : pattern_lines(patterns.value_or(std::vector<LinkPattern>()))) {
      lines.add(text);
    }
  }
  lines.flush();
  return ExitCode::Done;
}

std::function<ExitCode()> declare_stats_command(FlagSet& app) {
  const auto flags = std::make_shared<StatsFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.group("Selection");
  app.add_option("--kinds", flags->kinds,
                 "Use only links of these kinds: all, graph, or a list such as navigation,embed "
                 "(default all)")
      ->type_name("KINDS");
  app.group("Menus");
  app.add_option(
         "--menu-share", flags->menu_share,
         "Share of the pages that must link to a target to make it part of a menu (default 0.8)")
      ->within(0.0, 1.0)
      ->type_name("SHARE");
  app.add_option(
         "--menu-pages", flags->menu_pages,
         "Minimum number of pages of a host or directory that is searched for menus, and of pages "
         "with a pattern (default 5)")
      ->type_name("N");
  app.add_option("--patterns", flags->patterns,
                 "Also print the N largest sets of links that appear and disappear together on the "
                 "pages of a host, in all captures, and when")
      ->type_name("N");
  declare_report(app, flags->report);
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  Flag* json = app.add_flag("--json", flags->json, "Print one JSON object");
  declare_table(app, flags->table)->excludes(json);
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command stats_command() {
  return {
      "stats", "Print births, deaths and lifetimes of links, growth, locality, menus",
      "A link is born with the first capture of its page that has it after one without it, and\n"
      "dies with the next capture without it.\n\n"
      "Examples:\n"
      "  webstrata stats lib.ws\n"
      "  webstrata stats lib.ws --report stats.html",
      declare_stats_command};
}

}  // namespace webstrata
