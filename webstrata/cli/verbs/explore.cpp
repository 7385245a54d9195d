// SPDX-License-Identifier: Apache-2.0

// webstrata explore: what to crawl next, simulated on a graph that is known in full.
// One run has four steps: the graph with its scores, seed sets, one of three tasks (a crawl, a
// comparison of estimators, a plan of visits), and the output. The room explore does the work.
// Tested by tests/cli/explore_test.py.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/explore/recrawl_plan.h"
#include "webstrata/explore/seed_sets.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/jobs/topic_scores.h"
#include "webstrata/seeds/seed_methods.h"
#include "webstrata/show/explore_forms.h"
#include "webstrata/show/explore_study.h"
#include "webstrata/words/amounts.h"

namespace webstrata {
namespace {

struct ExploreFlags {
  GraphFlags graph;
  std::string topic;
  std::string estimator = "extra";
  std::string compare;  // "all" or a list; empty: one crawl
  std::uint64_t budget = 0;
  std::string rate;  // "300/15m"
  std::string time;  // "7d"
  std::uint64_t refresh = 1;
  StrategyOptions strategy;
  std::string ties = "first";
  std::string value = "sum";
  EstimatorOptions options;
  std::string recrawl;  // "30d"
  std::string policy = "optimal";
  std::string seeds;     // a file
  std::string seeds_by;  // a method of `seeds`
  SeedSetOptions sets{.sets = 0};
  std::string csv;
  std::string report;
  bool json = false;
  bool quiet = false;
};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

// ---- what the words mean ------------------------------------------------------------------------

double seconds(std::int64_t milliseconds) { return static_cast<double>(milliseconds) / 1000; }

// --budget N, or --rate K/D --time T.
std::uint64_t budget_of(const ExploreFlags& flags) {
  if (flags.rate.empty() != flags.time.empty()) refuse("--rate and --time must be given together");
  if (flags.rate.empty()) {
    if (flags.budget == 0) refuse("a crawl needs --budget N, or --rate K/PERIOD and --time T");
    return flags.budget;
  }
  if (flags.budget != 0) refuse("--budget cannot be combined with --rate and --time");
  const Rate rate = parse_rate_word("--rate", flags.rate);
  const std::uint64_t budget =
      webstrata::budget_of(static_cast<double>(rate.count), seconds(rate.period_ms),
                           seconds(parse_duration_word("--time", flags.time)));
  if (budget == 0) refuse("--rate and --time allow less than one page");
  return budget;
}

TieBreak ties_of(std::string_view word) {
  for (const TieBreak rule : {TieBreak::First, TieBreak::NodeSum, TieBreak::Random}) {
    if (word == to_string(rule)) return rule;
  }
  refuse(fmt::format("--ties {}: not first, nh-n or random", word));
}

RecrawlPolicy policy_of(std::string_view word) {
  std::string names;
  for (const RecrawlPolicyEntry& entry : recrawl_policies()) {
    if (word == entry.name) return entry.policy;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  refuse(fmt::format("--policy {}: not one of {}", word, names));
}

// The archive is the crawl so far: it has no other beginning, and no truth to compare with.
void check_recrawl(const ExploreFlags& flags) {
  if (!flags.compare.empty()) refuse("--recrawl cannot be combined with --compare");
  if (!flags.seeds.empty() || !flags.seeds_by.empty()) {
    refuse("--recrawl starts from the pages of the archive: remove --seeds and --seeds-by");
  }
  if (flags.estimator == "oracle")
    refuse("--recrawl: the oracle cannot know the scores of pages to come");
  if (!flags.time.empty()) refuse("--recrawl sets the time: use --budget instead of --rate");
  if (!(seconds(parse_duration_word("--recrawl", flags.recrawl)) > 0))
    refuse("--recrawl: the time must be longer than 0");
  policy_of(flags.policy);
}

void check(const ExploreFlags& flags) {
  if (flags.topic.empty()) {
    refuse(
        "an exploration needs --topic: a file of scores, or the name of a topic that build "
        "--topic saved in the archive");
  }
  if (flags.compare.empty() && (!flags.csv.empty() || !flags.report.empty())) {
    refuse("--csv and --report show a comparison: add --compare all");
  }
  if (!flags.recrawl.empty()) check_recrawl(flags);
  if (!flags.seeds.empty() && !flags.seeds_by.empty()) {
    refuse("--seeds and --seeds-by both say where to begin: give one of them");
  }
  estimator_entry(flags.estimator);
  for (const std::string& name : compared_estimators(flags.compare)) estimator_entry(name);
  set_function(flags.value);
  make_strategy(flags.strategy);
  if (flags.refresh == 0) refuse("--refresh 0: must be at least 1");
}

void write_file(const std::string& path, const std::string& text) {
  Output output(path);
  output.write(text);
  output.commit();
}

// ---- where crawls begin -------------------------------------------------------------------------

std::vector<Node> seeds_of_file(const ExploreFlags& flags, const Snapshot& graph) {
  std::vector<Node> seeds;
  std::uint64_t unknown = 0;
  LineReader lines(flags.seeds);
  while (const auto text = lines.next()) {
    const std::string_view line = trim(*text);
    if (line.empty() || line.front() == '#') continue;
    const auto node = graph.find(trim(line.substr(0, line.find('\t'))));
    node ? seeds.push_back(*node) : void(++unknown);
  }
  if (seeds.empty()) {
    refuse(fmt::format("{}: none of the {} pages in it is in the graph", flags.seeds, unknown));
  }
  if (unknown > 0 && !flags.quiet) {
    say(fmt::format("{} of {} seed pages are not in the graph", unknown, unknown + seeds.size()));
  }
  return seeds;
}

std::vector<std::vector<Node>> seed_sets(const ExploreFlags& flags, const SimulatedWeb& web,
                                         const WorkOptions& work) {
  if (!flags.seeds.empty()) return {seeds_of_file(flags, web.graph())};
  SeedSetOptions options = flags.sets;
  if (!flags.seeds_by.empty()) {
    const std::uint64_t count = options.size == 0 ? 10 : options.size;
    const SeedsResult chosen = choose_seeds(
        web.graph(), flags.seeds_by, {.count = count, .seed = flags.options.seed, .work = work});
    std::vector<Node> nodes;
    for (const SeedCandidate& seed : chosen.seeds) nodes.push_back(seed.node);
    return {nodes};
  }
  if (options.sets == 0) options.sets = flags.compare.empty() ? 1 : 20;
  options.seed = flags.options.seed;
  return draw_seed_sets(web.node_scores(), options);
}

// ---- one crawl ----------------------------------------------------------------------------------

ExploreFound explored(const ExploreFlags& flags, const SimulatedWeb& web,
                      const std::vector<Node>& seeds, const WorkOptions& work) {
  ExploreOptions options{.budget = budget_of(flags),
                         .refresh = flags.refresh,
                         .estimator = flags.options,
                         .strategy = flags.strategy,
                         .value = set_function(flags.value),
                         .work = work};
  options.strategy.seed = flags.options.seed;
  ExploreFound found{.estimator = flags.estimator,
                     .value = flags.value,
                     .budget = options.budget,
                     .seed = flags.options.seed,
                     .seeds = seeds,
                     .run = explore(web, flags.estimator, seeds, options)};
  options.strategy = {};
  options.refresh = 1;
  found.oracle_value = explore(web, "oracle", seeds, options).value_at(options.budget);
  return found;
}

void tell(const ExploreFound& found) {
  const double oracle = found.oracle_value - found.run.seeds_value;
  const double own = found.run.value_at(found.budget) - found.run.seeds_value;
  say(fmt::format(
      "{} pages from {} seeds by {} (seed {}): {} {:.6g} besides {:.6g} of the seeds, {:.1f} % "
      "of what the oracle finds; {}",
      found.run.order.size(), found.seeds.size(), found.estimator, found.seed, found.value, own,
      found.run.seeds_value, oracle > 0 ? 100 * own / oracle : 100.0, to_string(found.run.ended)));
}

// ---- known pages and new ones -------------------------------------------------------------------

ExitCode plan_visits(const ExploreFlags& flags, const SimulatedWeb& web,
                     const HandOver& hand_over) {
  RecrawlOptions options{.budget = budget_of(flags),
                         .days = seconds(parse_duration_word("--recrawl", flags.recrawl)) / 86400,
                         .policy = policy_of(flags.policy),
                         .estimator = flags.options};
  options.estimator.budget = options.budget;
  RecrawlPlan plan = plan_recrawl(web, flags.estimator, options);
  const Snapshot& graph = web.graph();
  const std::size_t forgotten = std::erase_if(plan.pages, [&](const PlannedPage& page) {
    return graph.has_names() && !hand_over.may_name(graph.name(page.node));
  });
  write_file("-", flags.json ? as_json(graph, plan, options) : as_text(graph, plan));
  if (!flags.quiet) {
    say(fmt::format(
        "of {} visits in {:.6g} days, {:.6g} go to {} captured pages ({} without a rate of "
        "change of their own) and {:.6g} to {} that are linked only",
        options.budget, options.days, plan.known_visits, plan.captured.nodes.size(),
        plan.captured.without_rate, plan.new_visits, plan.linked));
    report_left_out(forgotten, "page", "pages");
  }
  return plan.pages.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

// ---- all of them --------------------------------------------------------------------------------

ExploreComparison compare_all(const ExploreFlags& flags, const SimulatedWeb& web,
                              const std::vector<std::vector<Node>>& sets, const WorkOptions& work) {
  std::vector<Contender> all = contenders(compared_estimators(flags.compare));
  for (Contender& contender : all) {
    contender.options = flags.options;
    contender.strategy = flags.strategy;
    contender.refresh = flags.refresh;
  }
  const StudyOptions options{.budget = budget_of(flags), .seed = flags.options.seed, .work = work};
  return compare_contenders(web, sets, all, options, !flags.report.empty() || !flags.csv.empty());
}

// How the page was made, without the folders of this computer.
std::string command_of(const ExploreFlags& flags, const Study& study) {
  return fmt::format("webstrata explore {} --topic {} --compare {} --budget {} --sets {} --seed {}",
                     name_of(flags.graph.word), name_of(flags.topic), flags.compare, study.budget,
                     study.oracle.crawls.size(), study.seed);
}

void write_page(const ExploreFlags& flags, const SimulatedWeb& web,
                const ExploreComparison& comparison) {
  const ExplorePage page = explore_page(web, name_of(flags.graph.word), name_of(flags.topic),
                                        command_of(flags, comparison.study));
  report::write_html(explore_report(comparison, page), flags.report);
}

ExitCode run(ExploreFlags& flags) {
  flags.options.ties = ties_of(flags.ties);
  check(flags);
  budget_of(flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  GraphSource source = graph_of(flags.graph);
  if (!flags.recrawl.empty()) source.request.node_columns = {.captures = true, .changes = true};
  const HandOver hand_over = hand_over_of({flags.graph.word});
  const Snapshot graph = load(source, work);
  TopicScoresOfGraph scores = topic_scores(flags.topic, source, graph);
  line.clear();
  if (scores.unknown > 0 && !flags.quiet) {
    say(fmt::format("{} scores are of pages or links that are not in the graph", scores.unknown));
  }
  const SimulatedWeb web(graph, std::move(scores.node_scores), std::move(scores.link_scores));
  if (!flags.recrawl.empty()) return plan_visits(flags, web, hand_over);
  const auto sets = seed_sets(flags, web, work);
  if (flags.compare.empty()) {
    ExploreFound found = explored(flags, web, sets.front(), work);
    const std::vector<Node> forgotten = hand_over.forgotten(graph);
    found.not_named.insert(forgotten.begin(), forgotten.end());
    line.clear();
    write_file("-", flags.json ? as_json(graph, found) : as_text(graph, found));
    if (!flags.quiet) {
      tell(found);
      report_left_out(forgotten.size(), "page", "pages");
    }
    return found.run.order.empty() ? ExitCode::FoundNothing : ExitCode::Done;
  }
  const ExploreComparison comparison = compare_all(flags, web, sets, work);
  line.clear();
  if (!flags.csv.empty()) write_file(flags.csv, as_csv(comparison));
  if (!flags.report.empty()) write_page(flags, web, comparison);
  write_file("-", flags.json ? as_json(comparison) : as_text(comparison));
  return ExitCode::Done;
}

// ---- flags --------------------------------------------------------------------------------------

void declare_crawl(FlagSet& app, ExploreFlags& flags) {
  app.group("Crawl");
  app.add_option("--topic", flags.topic,
                 "What pages are worth: a file of scores (URL, score; or source, target, score; "
                 "with tabs), or the name of a topic saved by build --topic")
      ->type_name("FILE|NAME");
  app.add_option("--by", flags.estimator, "Estimator, from the list below (default extra)")
      ->suggests(entry_names(estimators()))
      ->type_name("NAME");
  app.group("Budget");
  app.add_option("--budget", flags.budget, "Number of pages to crawl, not counting seeds")
      ->type_name("N");
  app.add_option("--rate", flags.rate,
                 "Instead of --budget: number of requests in a period, such as 300/15m")
      ->type_name("K/PERIOD");
  app.add_option("--time", flags.time, "With --rate: length of the crawl, such as 7d")
      ->type_name("T");
  app.group("Crawl");
  app.add_option("--recrawl", flags.recrawl,
                 "Plan visits for a period, such as 30d: the pages of an archive compete with new "
                 "ones for the budget")
      ->type_name("PERIOD");
  app.add_option("--policy", flags.policy,
                 "With --recrawl: optimal, hedged, proportional or uniform (default optimal)")
      ->suggests({"optimal", "hedged", "proportional", "uniform"})
      ->type_name("NAME");
  app.group("Strategy");
  app.add_option("--refresh", flags.refresh, "Number of pages chosen at a time (default 1)")
      ->type_name("R");
  app.add_option(
         "--greedy", flags.strategy.greedy,
         "Probability of choosing the best page; otherwise one within --slack of it (default 1)")
      ->type_name("Q");
  app.add_option("--slack", flags.strategy.slack,
                 "Difference to the best score that is allowed, as a share of it (default 0)")
      ->type_name("Z");
  app.add_option("--ties", flags.ties,
                 "Which page comes first among equal scores: first (seen first), nh-n (better "
                 "parents) or random (default first)")
      ->suggests({"first", "nh-n", "random"})
      ->type_name("RULE");
  app.add_option(
         "--value", flags.value,
         "Value of a crawl: sum of its scores, or count of pages with a score (default sum)")
      ->suggests({"sum", "count"})
      ->type_name("WHAT");
  app.add_flag("--without-seeds", flags.options.without_seeds,
               "lnh, hybrid: do not learn from seeds");
  app.add_option(
         "--switch", flags.options.switch_steps,
         "hybrid: number of steps before it learns (default: a tenth of the budget, at most 1000)")
      ->type_name("N");
  app.add_option("--damping", flags.options.nr_damping,
                 "nr: share of a page's own score in its rank (default 0.2)")
      ->type_name("D");
}

void declare_seeds(FlagSet& app, ExploreFlags& flags) {
  app.group("Seeds");
  app.add_option("--seeds", flags.seeds, "Start with the pages in FILE, one per line")
      ->type_name("FILE");
  app.add_option("--seeds-by", flags.seeds_by, "Start with the choice of a method of `seeds`")
      ->type_name("METHOD");
  app.add_option("--sets", flags.sets.sets,
                 "Otherwise: number of seed sets to draw (default 1; with --compare 20)")
      ->type_name("N");
  app.add_option("--set-size", flags.sets.size,
                 "Number of pages in a set (default: 50, or a quarter of the candidates)")
      ->type_name("N");
  app.add_option("--score-above", flags.sets.score_above,
                 "Draw seeds only from pages with a higher score (default 0)")
      ->type_name("SCORE");
  app.add_option("--seed", flags.options.seed, "Seed of random choices (default 1)")
      ->type_name("S");
}

void declare_output(FlagSet& app, ExploreFlags& flags) {
  app.group("Output");
  app.add_option("--compare", flags.compare,
                 "Crawl from every seed set with all estimators, or with those in the list")
      ->type_name("all|LIST");
  declare_report(app, flags.report);
  app.add_option("--csv", flags.csv, "With --compare: write all curves and tables to FILE as CSV")
      ->type_name("FILE");
  app.add_flag("--json", flags.json, "Print one JSON object with all results");
  app.add_option("--threads", flags.graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no notes")->group(kGeneralGroup);
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<ExploreFlags>();
  declare_graph(app, flags->graph);
  declare_crawl(app, *flags);
  declare_seeds(app, *flags);
  declare_output(app, *flags);
  return [flags] { return run(*flags); };
}

std::string described() {
  std::string text = "Estimators:\n";
  for (const EstimatorEntry& entry : estimators()) {
    text += fmt::format("  {:12} {}\n", entry.name, entry.summary);
  }
  return text +
         "\nPrints URL, score and value of the crawl so far, one page per line, in crawl order.\n"
         "With --recrawl: URL, visits in that time, gain of a visit now, and again or new.\n"
         "\nExamples:\n"
         "  webstrata explore lib.ws --topic scores.tsv --by nh-ne-sum --budget 500\n"
         "  webstrata explore lib.ws --topic bridges --seeds pages.txt --rate 300/15m --time 7d\n"
         "  webstrata explore lib.ws --topic scores.tsv --compare all --budget 500 --report "
         "explore.html\n"
         "  webstrata explore lib.ws --topic bridges --recrawl 30d --budget 500";
}

}  // namespace

Command explore_command() {
  static const std::string description = described();
  return {"explore", "Simulate a crawl within a budget", description, declare};
}

}  // namespace webstrata
