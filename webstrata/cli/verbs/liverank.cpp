// SPDX-License-Identifier: Apache-2.0

// webstrata liverank: which old pages are still alive, in the order in which to test them.
// Five tasks share the loading of graph and truth: a plan, a simulated run, a run that probes the
// web, a comparison of methods, and a campaign (plan and learn, see jobs/campaign.h).
// Tested by tests/cli/liverank_test.py.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/liverank_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/write_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/cli/verbs/liverank_campaign.h"
#include "webstrata/jobs/live_field.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/report/csv.h"
#include "webstrata/show/liverank_study.h"
#include "webstrata/show/liverank_tables.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

// ---- what is shown of a run ---------------------------------------------------------------------

void write_pictures(const LiveRankFlags& flags, const report::HtmlReport& page) {
  if (!flags.report.empty()) report::write_html(page, flags.report);
  if (has_csv_folder(flags)) report::write_csv(page, flags.csv);
}

LivePage live_page(const LiveRankFlags& flags, const LiveField& field, const Truth& truth,
                   const std::vector<Probed>* asked = nullptr) {
  const std::string graph = name_of(flags.graph.word);
  const std::string from = flags.asks ? "--probe" : "--truth " + name_of(flags.truth);
  const std::string how =
      flags.compare.empty() ? "--by " + flags.method.method : "--compare " + flags.compare;
  return {graph,
          flags.asks ? "what probes found" : name_of(flags.truth),
          fmt::format("webstrata liverank {} {} {}", graph, from, how),
          truth_options_of(flags).target,
          flags.per_day,
          &field.pages,
          &truth,
          asked};
}

// A URL of the graph; without a scheme http or https, whichever the graph has.
std::optional<Node> find_page(const Snapshot& graph, const std::string& word) {
  if (const auto page = graph.find(word)) return page;
  const auto url = parse_url_word(word);
  if (!url || url->is_wildcard()) return std::nullopt;
  if (const auto page = graph.find(url->text)) return page;
  constexpr std::string_view kHttp = "http";
  return url->has_scheme ? std::nullopt : graph.find("https" + url->text.substr(kHttp.size()));
}

ExitCode tell_run(const LiveRankFlags& flags, const LiveField& field, const Truth& truth,
                  const LiveRun& run, Planner& planner, ProgressLine& line,
                  const std::vector<Probed>* asked = nullptr) {
  LiveReport report{flags.method.method,
                    flags.method.seed,
                    truth_options_of(flags).target,
                    field.pages.size(),
                    field.pages.graph.link_count(),
                    &truth,
                    &run,
                    {},
                    {},
                    {},
                    !flags.asks || run.tests + run.settled >= field.pages.size()};
  if (!flags.why.empty()) {
    const auto page = find_page(field.pages.graph, flags.why);
    if (!page) {
      throw Error(ErrorKind::BadInput, fmt::format("--why {}: not a page of the graph", flags.why));
    }
    explain(report, field.pages, planner, *page);
  }
  if (draws(flags))
    write_pictures(flags, run_report(live_page(flags, field, truth, asked), report));
  line.clear();
  if (!flags.order.empty()) {
    const HandOver hand_over = hand_over_of({flags.graph.word});
    write_output(flags.order,
                 plan_as_text(urls_of_plan(field.pages, run.order, hand_over), flags.shards));
  }
  if (flags.table.is_csv()) {
    print_table(flags.why.empty() ? run_table(report) : why_table(report), flags.table);
  } else {
    write_output("-", flags.json           ? as_json(report)
                      : !flags.why.empty() ? why_as_text(report)
                                           : as_text(report));
  }
  return run.found == 0 ? ExitCode::FoundNothing : ExitCode::Done;
}

// ---- a plan, a run, requests, a comparison ------------------------------------------------------

ExitCode print_plan(const LiveRankFlags& flags, const LiveField& field, ProgressLine& line,
                    const WorkOptions& work) {
  const std::vector<Node> plan = first_plan(field.pages, flags, work);
  line.clear();
  const HandOver hand_over = hand_over_of({flags.graph.word});
  print_table(plan_table(urls_of_plan(field.pages, plan, hand_over), flags.shards), flags.table);
  return plan.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

ExitCode run_once(const LiveRankFlags& flags, const LiveField& field, const Truth& truth,
                  ProgressLine& line, const WorkOptions& work) {
  LiveRunner runner(field.pages, flags, work);
  const LiveRun run = runner.run_against(truth);
  return tell_run(flags, field, truth, run, runner.planner(), line);
}

ExitCode run_probes(const LiveRankFlags& flags, const LiveField& field, ProgressLine& line,
                    const WorkOptions& work) {
  LiveRunner runner(field.pages, flags, work);
  ProbeJobOptions how = probe_options_of(flags.probe);
  how.seed = flags.method.seed;
  const std::filesystem::path path = archive_behind(flags.graph.word);
  ProbeOracle probes(how,
                     path.empty() ? nullptr : std::make_shared<const Archive>(Archive::open(path)),
                     field.pages, truth_options_of(flags).target);
  const LiveRun run = runner.run_probing(probes);
  const auto files = probes.finish();
  if (!flags.found.empty()) write_output(flags.found, probes.found_lines());
  const std::vector<Probed> asked = probes.asked();
  const ExitCode code = tell_run(flags, field, probes.truth(), run, runner.planner(), line, &asked);
  if (!flags.quiet) {
    say(fmt::format("{} tests took {} requests, robots.txt and twins included", run.tests,
                    probes.requests()));
  }
  // What the probes wrote down goes into the archive that the plan came from.
  if (flags.update) update_and_tell(path, files, flags.quiet, line);
  probes.forget_files();
  return code;
}

ExitCode run_comparison(const LiveRankFlags& flags, const LiveField& field, const Truth& truth,
                        ProgressLine& line, const WorkOptions& work) {
  ComparisonOptions options;
  options.first_seed = flags.method.seed;
  options.seeds = flags.seeds;
  options.work = work;
  const ComparisonTable table = compare_contestants(
      field.pages, truth, contestants_of(flags.compare, flags.method), options, draws(flags));
  if (draws(flags)) write_pictures(flags, comparison_report(live_page(flags, field, truth), table));
  line.clear();
  if (!flags.csv.empty() && !has_csv_folder(flags)) write_output(flags.csv, as_csv(table));
  if (flags.table.is_csv()) {
    print_table(comparison_table(table), flags.table);
  } else {
    write_output("-", flags.json ? as_json(table) : as_text(table));
  }
  return ExitCode::Done;
}

// ---- the whole ----------------------------------------------------------------------------------

// What the truth does not say decides how much the costs mean.
void tell_gaps(const Truth& truth, std::uint64_t pages) {
  if (truth.absent > 0) {
    say(fmt::format(
        "{} of {} pages are not in the truth and count as gone, including those that no "
        "crawl visited",
        truth.absent, pages));
  }
  if (truth.not_looked_at > 0) {
    say(fmt::format("{} of {} pages were not visited since the old graph and count as alive",
                    truth.not_looked_at, pages));
  }
}

ExitCode run(const LiveRankFlags& flags) {
  check(flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  const LiveField field = load_live_field(graph_of(flags.graph), flags.method, work);
  if (flags.asks) return run_probes(flags, field, line, work);
  if (flags.truth.empty()) return print_plan(flags, field, line, work);
  const Truth truth =
      load_truth(flags.truth, flags.graph, field, truth_options_of(flags), work, flags.truth_urls);
  if (!flags.quiet && truth.unknown_urls > 0) {
    line.clear();
    say(fmt::format("{} URLs in the truth are not pages of the graph", truth.unknown_urls));
  }
  const ExitCode code = flags.compare.empty() ? run_once(flags, field, truth, line, work)
                                              : run_comparison(flags, field, truth, line, work);
  if (!flags.quiet) tell_gaps(truth, field.pages.size());
  return code;
}

std::function<ExitCode()> declare_liverank_command(FlagSet& app) {
  const auto flags = std::make_shared<LiveRankFlags>();
  FlagSet* plan = app.add_subcommand("plan", "Print the next pages to test, day after day");
  FlagSet* learn = app.add_subcommand("learn", "Import the results of tests");
  declare_plan(*plan, *flags);
  declare_learn(*learn, *flags);
  declare_run(app, *flags);
  return [flags, plan, learn] {
    if (plan->parsed()) return run_plan(*flags);
    if (learn->parsed()) return run_learn(*flags);
    return run(*flags);
  };
}

std::string described() {
  std::string text = "Methods:\n";
  for (const PlannerEntry& entry : planners()) {
    text +=
        fmt::format("  {:10} {} ({})\n", entry.name, entry.summary, to_string(entry.planner_class));
  }
  return text +
         "\nExamples:\n"
         "  webstrata liverank lib.ws@2021 --truth lib.ws@2023..\n"
         "  webstrata liverank lib.ws@2021 --by pagerank --budget 1000 --shards 4\n"
         "  webstrata liverank lib.ws --probe --budget 1000 --agent \"me (me@archive.example)\" "
         "\\\n"
         "    --out found --update\n"
         "  webstrata liverank plan lib.ws@2021 --state campaign.tsv --tests 500 > urls\n"
         "  webstrata liverank learn answers.tsv --state campaign.tsv";
}

}  // namespace

Command liverank_command() {
  static const std::string description = described();
  return {"liverank", "Find out with few tests which old pages are still alive", description,
          declare_liverank_command};
}

}  // namespace webstrata
