// webstrata diff: what appeared and what vanished between two times.
// Tested by tests/cli/ask_test.py.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/archive/comparison.h"
#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/diff_report.h"
#include "webstrata/cli/lines.h"
#include "webstrata/cli/report_flag.h"
#include "webstrata/cli/terminal.h"
#include "webstrata/cli/words.h"

namespace webstrata {
namespace {

struct DiffFlags {
  std::string archive;
  std::string before;
  std::string after;
  std::string kinds = "all";
  std::string report;
  unsigned threads = 0;
  bool hosts = false;
  bool links = false;
  bool json = false;
  bool quiet = false;
};

void append_host(JsonWriter& json, const HostDifference& host) {
  json.begin_object();
  if (!host.host.empty()) json.field("host", host.host);
  json.field("pages_kept", host.pages_kept).field("pages_appeared", host.pages_appeared);
  json.field("pages_vanished", host.pages_vanished).field("links_kept", host.links_kept);
  json.field("links_appeared", host.links_appeared).field("links_vanished", host.links_vanished);
  json.end_object();
}

void print_hosts_json(Lines& lines, const DiffResult& result, Time t0, Time t1) {
  JsonWriter json(lines.buffer());
  json.begin_object().field("from", to_rfc3339(t0)).field("to", to_rfc3339(t1)).key("total");
  append_host(json, result.total);
  json.key("hosts").begin_array();
  for (const HostDifference& host : result.hosts) append_host(json, host);
  json.end_array().end_object();
  lines.buffer() += "\n";
}

void print_host(Lines& lines, std::string_view name, const HostDifference& host) {
  lines.add(fmt::format("{:<40} {:>10} {:>10} {:>10}   {:>11} {:>11} {:>11}", name,
                        human_number(host.pages_kept), human_number(host.pages_appeared),
                        human_number(host.pages_vanished), human_number(host.links_kept),
                        human_number(host.links_appeared), human_number(host.links_vanished)));
}

void print_hosts(Lines& lines, const DiffResult& result) {
  lines.add(fmt::format("{:<40} {:>10} {:>10} {:>10}   {:>11} {:>11} {:>11}", "host", "pages kept",
                        "new", "vanished", "links kept", "new", "vanished"));
  for (const HostDifference& host : result.hosts) print_host(lines, host.host, host);
  print_host(lines, "all", result.total);
}

void print_difference(Lines& lines, const Archive& archive, const Difference& difference,
                      bool as_json) {
  const bool appeared = difference.change == Change::Appeared;
  if (!as_json) {
    std::string line = (appeared ? "+\t" : "-\t") + archive.url(difference.source);
    if (difference.target) line += "\t" + archive.url(*difference.target);
    lines.add(line);
    return;
  }
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("change", appeared ? "appeared" : "vanished");
  json.field(difference.target ? "source" : "page", archive.url(difference.source));
  if (difference.target) json.field("target", archive.url(*difference.target));
  json.end_object();
  lines.add(line);
}

bool is_changed(const HostDifference& total) {
  return total.pages_appeared + total.pages_vanished + total.links_appeared + total.links_vanished >
         0;
}

ExitCode run(const DiffFlags& flags) {
  const Time t0 = parse_date_flag("T0", flags.before).last;
  const Time t1 = parse_date_flag("T1", flags.after).last;
  ProgressLine progress_line(!flags.quiet);
  ScanOptions options;
  options.threads = flags.threads;
  options.kinds = parse_kinds_flag("--kinds", flags.kinds);
  options.progress = [&](const Progress& progress) { progress_line.show(progress); };
  options.cancel = &interruption();
  const Archive archive = Archive::open(flags.archive);
  Lines lines;
  std::function<void(const Difference&)> visit;
  if (flags.links) {
    visit = [&](const Difference& difference) {
      print_difference(lines, archive, difference, flags.json);
    };
  }
  const DiffResult result = diff(archive, t0, t1, options, visit);
  progress_line.clear();
  if (!flags.report.empty()) {
    report::write_html(diff_report(result, name_of(flags.archive), t0, t1), flags.report);
  }
  if (!flags.links && flags.json) print_hosts_json(lines, result, t0, t1);
  if (!flags.links && !flags.json) print_hosts(lines, result);
  lines.flush();
  if (is_changed(result.total)) return ExitCode::Done;
  complain(fmt::format("{}: nothing changed between {} and {}", flags.archive, to_rfc3339(t0),
                       to_rfc3339(t1)));
  return ExitCode::FoundNothing;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<DiffFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.add_option("T0", flags->before, "The last second of this date is compared with")->required();
  app.add_option("T1", flags->after, "the last second of this date")->required();
  auto* hosts = app.add_flag("--hosts", flags->hosts, "Totals for each host (default)");
  app.add_flag("--links", flags->links, "Every page and link that appeared (+) or vanished (-)")
      ->excludes(hosts);
  app.add_option("--kinds", flags->kinds,
                 "Only links of these kinds: all (default), graph, or a list")
      ->type_name("KINDS");
  declare_report(app, flags->report);
  app.add_option("--threads", flags->threads, "Threads; default: one for each core");
  app.add_flag("--json", flags->json, "One JSON object; with --links one a line");
  app.add_flag("-q,--quiet", flags->quiet, "No progress");
  return [flags] { return run(*flags); };
}

}  // namespace

Command diff_command() {
  return {
      "diff", "Pages and links that appeared and vanished between two times",
      "Compares what was known to be there at the two times: pages that were present or moved,\n"
      "and their links. Exit: 1 if nothing changed.\n\n"
      "Examples:\n"
      "  webstrata diff lib.ws 2021 2023\n"
      "  webstrata diff lib.ws 2021-09 2023-06 --links\n"
      "  webstrata diff lib.ws 2021 2023 --report diff.html",
      declare};
}

}  // namespace webstrata
