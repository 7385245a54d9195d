// SPDX-License-Identifier: Apache-2.0

// webstrata liverank: which old pages are still alive, in the order in which to test them.
// Five tasks share the loading of graph and truth: a plan, a simulated run, a run that probes the
// web, a comparison of methods, and a campaign (plan and learn, see jobs/campaign.h).
// Tested by tests/cli/liverank_test.py.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/liverank_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/write_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/jobs/campaign.h"
#include "webstrata/jobs/later_looks.h"
#include "webstrata/jobs/probe_oracle.h"
#include "webstrata/jobs/truth_file.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/report/csv.h"
#include "webstrata/show/liverank_forms.h"
#include "webstrata/show/pages/liverank_report.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

void write_text(const std::string& path, const std::string& text) {
  Output output(path);
  output.write(text);
  output.commit();
}

Snapshot load_with_columns(GraphSource source, const WorkOptions& work) {
  source.request.node_columns = {
      .outcome = true, .captures = true, .changes = true, .content = true};
  return load(source, work);
}

// An archive, with a time or without, or a BVGraph; any other file is a list of urls.
bool names_a_graph(const std::string& word) {
  const std::filesystem::path path = word.substr(0, word.rfind('@'));
  return std::filesystem::is_directory(word) || std::filesystem::is_directory(path) ||
         std::filesystem::exists(word + ".properties");
}

struct Field {
  Snapshot graph;
  Population pages;
};

Field load_field(const GraphFlags& graph, const MethodWords& flags, const WorkOptions& work) {
  Field field;
  field.graph = load_with_columns(graph_of(graph), work);
  field.pages = population_of(field.graph, population_options_of(flags, work));
  return field;
}

Truth load_truth(const LiveRankFlags& flags, const Field& field, const WorkOptions& work) {
  const TruthOptions options = truth_options_of(flags);
  if (!names_a_graph(flags.truth)) return read_truth(flags.truth, field.pages, options);
  GraphSource source = graph_of(flags.truth);
  const GraphSource like = graph_of(flags.graph);
  source.request.view = like.request.view;
  source.request.kinds = like.request.kinds;
  const GraphView& view = source.request.view;
  LookAgain look_again;
  if (source.archive && view.level == Level::Page && !view.fold) {
    look_again = look_again_in(*source.archive, source.request.time);
  }
  const Snapshot newer = load_with_columns(std::move(source), work);
  return truth_of(field.pages, field.graph, newer, options, look_again);
}

// Page i goes to crawler i mod p, as the paper divides a plan; one crawler needs no number.
std::string plan_text(const std::vector<std::string>& urls, unsigned shards) {
  std::string text;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    if (shards > 1) text += fmt::format("{}\t", i % shards);
    text += urls[i] + "\n";
  }
  return text;
}

std::string plan_text(const Population& pages, const std::vector<Node>& plan, unsigned shards,
                      const HandOver& hand_over) {
  std::vector<std::string> urls;
  for (const Node page : plan) {
    std::string name = pages.graph.name(page);
    if (hand_over.may_name(name)) urls.push_back(std::move(name));
  }
  return plan_text(urls, shards);
}

ExitCode print_plan(const Population& pages, const std::vector<Node>& plan,
                    const LiveRankFlags& flags, const HandOver& hand_over) {
  if (flags.shards == 0) refuse("--shards 0: must be at least 1");
  write_text("-", plan_text(pages, plan, flags.shards, hand_over));
  return plan.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

ExitCode run_plan(const LiveRankFlags& flags) {
  if (flags.state.empty()) refuse("plan and learn need --state FILE");
  if (flags.shards == 0) refuse("--shards 0: there must be one at least");
  LiveState state = begun_state(flags.state, flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  const HandOver hand_over = hand_over_of({flags.graph.word});
  const Snapshot graph = load_with_columns(graph_of(flags.graph), work);
  const CampaignPlan plan = plan_campaign(state, graph, flags, flags.tests, hand_over, work);
  line.clear();
  write_live_state(flags.state, state);
  if (!flags.quiet) {
    say(fmt::format("{} pages to test; {} of {} known, {} live", plan.pages.size(), plan.decided,
                    plan.page_count, plan.live));
    report_left_out(plan.forgotten, "page", "pages");
    if (plan.known.settled > 0) {
      say(fmt::format("{} pages of dead hosts are left out", plan.known.settled));
    }
    if (plan.known.unknown_urls > 0) {
      say(fmt::format("{} answers are about URLs that are not in the graph",
                      plan.known.unknown_urls));
    }
  }
  write_text("-", plan_text(plan.urls, flags.shards));
  return plan.pages.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

ExitCode run_learn(const LiveRankFlags& flags) {
  if (flags.state.empty()) refuse("plan and learn need --state FILE");
  LiveState state = read_live_state(flags.state);
  const std::uint64_t taken = learn(state, flags.results);
  write_live_state(flags.state, state);
  if (!flags.quiet) {
    say(fmt::format("{} answers imported, {} in total", taken, state.answers.size()));
  }
  return taken == 0 ? ExitCode::FoundNothing : ExitCode::Done;
}

std::shared_ptr<const Archive> known_archive(const LiveRankFlags& flags) {
  const auto path = archive_behind(flags.graph.word);
  return path.empty() ? nullptr : std::make_shared<const Archive>(Archive::open(path));
}

RunOptions run_options_of(const LiveRankFlags& flags, const Population& pages,
                          const PlannerOptions& options, const WorkOptions& work) {
  RunOptions run;
  run.budget = flags.budget;
  run.alpha = flags.alpha;
  run.price = flags.price;
  run.dead_host_tests = flags.dead_host_tests;
  if (!pages.levels.empty()) {
    run.hosts = &pages.levels.front();
    run.origins = &pages.origins;
  }
  run.sample_tests = uniform_tests(flags.method.method, pages, options);
  run.batch = flags.batch.value_or(0);
  run.work = work;
  return run;
}

void explain(const LiveRankFlags& flags, const Population& pages, Planner& planner,
             LiveReport& report) {
  if (flags.why.empty()) return;
  const auto page = pages.graph.find(flags.why);
  if (!page) refuse(fmt::format("--why {}: not a page of the graph", flags.why));
  report.why_url = pages.graph.name(*page);
  report.why = planner.why(*page);
  const auto& order = report.run->order;
  const auto place = std::ranges::find(order, *page);
  if (place != order.end()) report.why_rank = place - order.begin() + 1;
}

// A folder is meant where one is, or the word ends like one.
bool is_folder(const std::string& word) {
  return word.ends_with('/') || (!word.empty() && std::filesystem::is_directory(word));
}

bool draws(const LiveRankFlags& flags) { return !flags.report.empty() || is_folder(flags.csv); }

void write_pictures(const LiveRankFlags& flags, const report::HtmlReport& page) {
  if (!flags.report.empty()) report::write_html(page, flags.report);
  if (is_folder(flags.csv)) report::write_csv(page, flags.csv);
}

LivePage live_page(const LiveRankFlags& flags, const Field& field, const Truth& truth) {
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
          &truth};
}

PlannerOptions run_planner_options(const LiveRankFlags& flags, const WorkOptions& work) {
  PlannerOptions options = planner_options_of(flags.method, flags.budget, work);
  if (flags.alpha < 1 && flags.method.sample_size.empty()) {
    // Whoever stops by an estimate needs more than a handful of tests for it.
    if (!options.sample) options.sample = planner_entry(flags.method.method).sample;
    options.sample->size_min = std::max<std::uint64_t>(options.sample->size_min, 200);
  }
  return options;
}

ExitCode tell_run(const LiveRankFlags& flags, const Field& field, const Truth& truth,
                  const LiveRun& run, Planner& planner, ProgressLine& line) {
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
  explain(flags, field.pages, planner, report);
  if (draws(flags)) write_pictures(flags, run_report(live_page(flags, field, truth), report));
  line.clear();
  if (!flags.order.empty()) {
    const HandOver hand_over = hand_over_of({flags.graph.word});
    write_text(flags.order, plan_text(field.pages, run.order, flags.shards, hand_over));
  }
  write_text("-", flags.json           ? as_json(report)
                  : !flags.why.empty() ? why_as_text(report)
                                       : as_text(report));
  return run.found == 0 ? ExitCode::FoundNothing : ExitCode::Done;
}

ExitCode run_once(const LiveRankFlags& flags, const Field& field, const Truth& truth,
                  ProgressLine& line, const WorkOptions& work) {
  const PlannerOptions options = run_planner_options(flags, work);
  const auto planner = make_planner(flags.method.method, field.pages, options);
  Oracle oracle(truth.ask());
  const LiveRun run =
      run_planner(*planner, oracle, run_options_of(flags, field.pages, options, work));
  return tell_run(flags, field, truth, run, *planner, line);
}

// What the probes wrote down goes into the archive that the plan came from.
void take_found_in(const LiveRankFlags& flags, const std::vector<std::filesystem::path>& files,
                   ProgressLine& line) {
  WriteFlags write;
  write.archive = archive_behind(flags.graph.word).string();
  write.quiet = flags.quiet;
  std::vector<std::string> inputs;
  for (const auto& file : files) inputs.push_back(file.string());
  ArchiveWriter writer = ArchiveWriter::update(write.archive, write_options_of(write, line));
  take_in_and_tell(writer, nullptr, write, inputs, line);
}

// Enough for many hosts to be busy at once.
constexpr std::size_t kProbeBatch = 64;

ExitCode run_probes(const LiveRankFlags& flags, const Field& field, ProgressLine& line,
                    const WorkOptions& work) {
  const PlannerOptions options = run_planner_options(flags, work);
  const auto planner = make_planner(flags.method.method, field.pages, options);
  RunOptions run_options = run_options_of(flags, field.pages, options, work);
  if (!flags.batch && planner->batch_size() < kProbeBatch) run_options.batch = kProbeBatch;
  ProbeJobOptions how = probe_options_of(flags.probe);
  how.seed = flags.method.seed;
  ProbeOracle probes(how, known_archive(flags), field.pages, truth_options_of(flags).target);
  Oracle oracle =
      Oracle::of_batches([&probes](std::span<const Node> batch) { return probes.ask(batch); });
  const LiveRun run = run_planner(*planner, oracle, run_options);
  const auto files = probes.finish();
  if (!flags.found.empty()) write_text(flags.found, probes.found_lines());
  const ExitCode code = tell_run(flags, field, probes.truth(), run, *planner, line);
  if (!flags.quiet) {
    say(fmt::format("{} tests took {} requests, robots.txt and twins included", run.tests,
                    probes.requests()));
  }
  if (flags.update) take_found_in(flags, files, line);
  probes.forget_files();
  return code;
}

void check_probing(const LiveRankFlags& flags) {
  if (!flags.truth.empty() || !flags.compare.empty()) {
    refuse("--probe cannot be combined with --truth or --compare: it tests pages on the web");
  }
  if (flags.update && flags.probe.out.empty()) refuse("--update needs --out FOLDER for the files");
  if (flags.update && archive_behind(flags.graph.word).empty()) {
    refuse("--update needs an archive: nothing can be imported into a graph file");
  }
  probe_options_of(flags.probe);
}

std::vector<Contestant> contestants_of(const LiveRankFlags& flags) {
  if (flags.compare == "all") return all_contestants();
  if (flags.compare == "methods") return default_contestants();
  std::vector<Contestant> chosen;
  for (std::string_view rest = flags.compare; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string name(rest.substr(0, comma));
    planner_entry(name);
    for (const Contestant& one : default_contestants()) {
      if (one.method == name) chosen.push_back(one);
    }
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return chosen;
}

ExitCode run_comparison(const LiveRankFlags& flags, const Field& field, const Truth& truth,
                        ProgressLine& line, const WorkOptions& work) {
  if (truth.live == 0) refuse("the truth has no live pages: nothing to compare");
  ComparisonOptions options;
  options.first_seed = flags.method.seed;
  options.seeds = flags.seeds;
  options.work = {.threads = work.threads, .progress = {}, .cancel = work.cancel};
  ComparisonTable table{field.pages.size(), truth.live,    options.alphas,
                        options.first_seed, options.seeds, {}};
  if (draws(flags)) {
    const std::vector<double> more = curve_alphas();
    options.alphas.insert(options.alphas.end(), more.begin(), more.end());
    options.tests = curve_tests(field.pages.size());
  }
  const auto contestants = contestants_of(flags);
  for (const Contestant& contestant : contestants) {
    if (work.progress)
      work.progress({"comparing", table.rows.size(), contestants.size(), "methods"});
    table.rows.push_back(measure(field.pages, truth, contestant, options));
  }
  if (draws(flags)) write_pictures(flags, comparison_report(live_page(flags, field, truth), table));
  line.clear();
  if (!flags.csv.empty() && !is_folder(flags.csv)) write_text(flags.csv, as_csv(table));
  write_text("-", flags.json ? as_json(table) : as_text(table));
  return ExitCode::Done;
}

void check(const LiveRankFlags& flags) {
  if (flags.graph.word.empty()) refuse("liverank needs a GRAPH (see webstrata liverank --help)");
  if (flags.asks) {
    check_probing(flags);
  } else if (!flags.found.empty() || flags.update) {
    refuse("--found and --update need --probe");
  }
  const bool knows = flags.asks || !flags.truth.empty();
  if (!knows && !(flags.compare.empty() && flags.why.empty() && flags.order.empty())) {
    refuse("--compare, --why and --order need --truth");
  }
  if (!knows && draws(flags)) {
    refuse("--report and --csv need --truth");
  }
  if (!flags.csv.empty() && flags.compare.empty() && !is_folder(flags.csv)) {
    refuse(
        fmt::format("--csv {}: without --compare it must be a folder: {}/", flags.csv, flags.csv));
  }
  if (!knows && flags.json) {
    refuse("--json needs --truth: a plan is printed as text");
  }
  if (flags.shards == 0) refuse("--shards 0: must be at least 1");
  planner_entry(flags.method.method);
  truth_options_of(flags);
}

ExitCode run(const LiveRankFlags& flags) {
  check(flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  const Field field = load_field(flags.graph, flags.method, work);
  if (flags.asks) return run_probes(flags, field, line, work);
  if (flags.truth.empty()) {
    const auto planner = make_planner(flags.method.method, field.pages,
                                      planner_options_of(flags.method, flags.budget, work));
    const auto plan = planner->next(flags.budget.value_or(planner->batch_size()));
    line.clear();
    const HandOver hand_over = hand_over_of({flags.graph.word});
    return print_plan(field.pages, plan, flags, hand_over);
  }
  const Truth truth = load_truth(flags, field, work);
  if (!flags.quiet && truth.unknown_urls > 0) {
    line.clear();
    say(fmt::format("{} URLs in the truth are not pages of the graph", truth.unknown_urls));
  }
  const ExitCode code = flags.compare.empty() ? run_once(flags, field, truth, line, work)
                                              : run_comparison(flags, field, truth, line, work);
  if (!flags.quiet && truth.absent > 0) {
    say(fmt::format(
        "{} of {} pages are not in the truth and count as gone, including those that no "
        "crawl visited",
        truth.absent, field.pages.size()));
  }
  if (!flags.quiet && truth.not_looked_at > 0) {
    say(fmt::format("{} of {} pages were not visited since the old graph and count as alive",
                    truth.not_looked_at, field.pages.size()));
  }
  return code;
}

std::function<ExitCode()> declare(FlagSet& app) {
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
          declare};
}

}  // namespace webstrata
