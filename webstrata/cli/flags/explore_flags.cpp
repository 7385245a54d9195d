// SPDX-License-Identifier: Apache-2.0

// Declares the options of explore and turns their words into a study: strategies and estimators by
// name, budgets as pages or as requests in a period, ties. A word that means nothing is refused
// here, with the ones that do. Tested by tests/cli/explore_test.py.

#include "webstrata/cli/flags/explore_flags.h"

#include <fmt/format.h>

#include <string_view>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/explore/estimators.h"
#include "webstrata/jobs/topic_scores.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/scope_word.h"

namespace webstrata {
namespace {

// ---- what the words mean ------------------------------------------------------------------------

double seconds(std::int64_t milliseconds) { return static_cast<double>(milliseconds) / 1000; }

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
  if (!flags.scope.empty()) {
    refuse("--recrawl plans captured pages and new ones: use --off-site instead of --scope");
  }
  if (flags.optimum) refuse("--recrawl cannot be combined with --optimum");
  if (flags.estimator == "oracle")
    refuse("--recrawl: the oracle cannot know the scores of pages to come");
  if (!flags.time.empty()) refuse("--recrawl sets the time: use --budget instead of --rate");
  if (!(seconds(parse_duration_word("--recrawl", flags.recrawl)) > 0))
    refuse("--recrawl: the time must be longer than 0");
  policy_of(flags.policy);
}

// ---- flags --------------------------------------------------------------------------------------

void declare_crawl(FlagSet& app, ExploreFlags& flags) {
  app.group("Crawl");
  app.add_option("--topic", flags.topic,
                 "What pages are worth: a file of scores (URL, score; or source, target, score; "
                 "with tabs), or the name of a topic saved by build --topic")
      ->type_name("FILE|NAME");
  app.add_option("--smooth", flags.smooth,
                 "What the numbers of the file are: none for scores, log for counts x, which "
                 "become 1 + ln x (default none)")
      ->suggests({"none", "log"})
      ->type_name("HOW");
  app.add_option("--scope", flags.scope,
                 "Pages that can be crawled: captured, or all, which adds pages that were only "
                 "linked to and are worth 0 (default captured)")
      ->suggests({"captured", "all"})
      ->type_name("WHICH");
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
                 "With --recrawl: hedged, optimal, proportional or uniform (default hedged)")
      ->suggests({"hedged", "optimal", "proportional", "uniform"})
      ->type_name("NAME");
  app.add_flag("--off-site", flags.off_site,
               "With --recrawl: plan new pages also on hosts of which no page was captured");
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
  app.add_option("--first", flags.options.hybrid_first,
                 "hybrid: estimator of these first steps (default nh-ne-sum)")
      ->type_name("NAME");
  app.add_option("--experts", flags.experts,
                 "bandit: the estimators that it chooses among (default "
                 "nh-n-sum,nh-ne-sum,lnh-max,opic)")
      ->type_name("LIST");
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
  app.add_flag("--optimum", flags.optimum,
               "Also find the best possible crawl or, in large graphs, a bound that none exceeds");
  declare_report(app, flags.report);
  app.add_option("--csv", flags.csv, "With --compare: write all curves and tables to FILE as CSV")
      ->type_name("FILE");
  app.add_option("--strategies", flags.strategies,
                 "With --report or --csv: q and zeta of Figure 1, such as 0.9:0.1,0.5:1")
      ->type_name("Q:Z,...");
  app.add_option("--refreshes", flags.refreshes,
                 "With --report or --csv: refresh rates of Figure 2 (default 2,10,50,500)")
      ->type_name("R,...");
  Flag* json = app.add_flag("--json", flags.json, "Print one JSON object with all results");
  declare_table(app, flags.table)->excludes(json);
  app.add_option("--threads", flags.graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no notes")->group(kGeneralGroup);
}

}  // namespace

void declare_explore(FlagSet& app, ExploreFlags& flags) {
  declare_graph(app, flags.graph);
  declare_crawl(app, flags);
  declare_seeds(app, flags);
  declare_output(app, flags);
}

void check(const ExploreFlags& flags) {
  ties_of(flags.ties);
  if (flags.topic.empty()) {
    refuse(
        "an exploration needs --topic: a file of scores, or the name of a topic that build "
        "--topic saved in the archive");
  }
  if (flags.compare.empty() && (!flags.csv.empty() || !flags.report.empty())) {
    refuse("--csv and --report show a comparison: add --compare all");
  }
  const bool has_figures = !flags.csv.empty() || !flags.report.empty();
  if (!has_figures && !(flags.strategies.empty() && flags.refreshes.empty())) {
    refuse("--strategies and --refreshes are for figures: add --report FILE or --csv FILE");
  }
  if (!flags.recrawl.empty()) check_recrawl(flags);
  if (flags.recrawl.empty() && flags.off_site) refuse("--off-site is for --recrawl");
  parse_smooth_word("--smooth", flags.smooth);
  scope_of(flags);
  parts_of(flags);
  if (!flags.seeds.empty() && !flags.seeds_by.empty()) {
    refuse("--seeds and --seeds-by both say where to begin: give one of them");
  }
  estimator_entry(flags.estimator);
  for (const std::string& name : compared_estimators(flags.compare)) estimator_entry(name);
  set_function(flags.value);
  make_strategy(flags.strategy);
  if (flags.refresh == 0) refuse("--refresh 0: must be at least 1");
  budget_of(flags);
}

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

EstimatorOptions estimator_options_of(const ExploreFlags& flags) {
  EstimatorOptions options = flags.options;
  options.ties = ties_of(flags.ties);
  if (!flags.experts.empty()) options.experts = compared_estimators(flags.experts);
  return options;
}

ExploreOptions options_of(const ExploreFlags& flags, const WorkOptions& work) {
  return {.budget = budget_of(flags),
          .refresh = flags.refresh,
          .estimator = estimator_options_of(flags),
          .strategy = flags.strategy,
          .work = work};
}

RecrawlOptions recrawl_options_of(const ExploreFlags& flags) {
  RecrawlOptions options{.budget = budget_of(flags),
                         .days = seconds(parse_duration_word("--recrawl", flags.recrawl)) / 86400,
                         .policy = policy_of(flags.policy),
                         .off_site = flags.off_site,
                         .estimator = estimator_options_of(flags)};
  options.estimator.budget = options.budget;
  return options;
}

Scope scope_of(const ExploreFlags& flags) {
  return flags.scope.empty() ? Scope::Captured : parse_scope_word("--scope", flags.scope);
}

ComparisonParts parts_of(const ExploreFlags& flags) {
  return {.figures = !flags.csv.empty() || !flags.report.empty(),
          .optimum = flags.optimum,
          .strategies = parse_strategies_word("--strategies", flags.strategies),
          .refreshes = parse_refreshes_word("--refreshes", flags.refreshes)};
}

}  // namespace webstrata
