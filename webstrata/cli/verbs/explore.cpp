// SPDX-License-Identifier: Apache-2.0

// webstrata explore: what to crawl next, simulated on a graph that is known in full.
// One run has four steps: the graph with its scores, seed sets, one of three tasks (a crawl, a
// comparison of estimators, a plan of visits), and the output. The room explore does the work.
// Tested by tests/cli/explore_test.py.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "webstrata/cli/flags/explore_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/explore/estimators.h"
#include "webstrata/jobs/crawl_beginnings.h"
#include "webstrata/jobs/topic_scores.h"
#include "webstrata/show/explore_study.h"

namespace webstrata {
namespace {

// The archive is the crawl so far: known pages compete with new ones for visits.
ExitCode plan_visits(const ExploreFlags& flags, const SimulatedWeb& web,
                     const HandOver& hand_over) {
  const RecrawlOptions options = recrawl_options_of(flags);
  RecrawlPlan plan = plan_recrawl(web, flags.estimator, options);
  const Snapshot& graph = web.graph();
  const std::size_t forgotten = std::erase_if(plan.pages, [&](const PlannedPage& page) {
    return graph.has_names() && !hand_over.may_name(graph.name(page.node));
  });
  if (flags.json) {
    write_output("-", as_json(graph, plan, options));
  } else {
    print_table(recrawl_table(graph, plan), flags.table);
  }
  if (!flags.quiet) {
    say(summary_of(plan, options));
    report_left_out(forgotten, "page", "pages");
  }
  return plan.pages.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

std::vector<std::vector<Node>> seed_sets(const ExploreFlags& flags, const SimulatedWeb& web,
                                         const WorkOptions& work) {
  BeginningWords words{flags.seeds, flags.seeds_by, flags.sets};
  if (words.sets.sets == 0) words.sets.sets = flags.compare.empty() ? 1 : 20;
  words.sets.seed = flags.options.seed;
  CrawlBeginnings found = crawl_beginnings(words, web, work);
  if (found.unknown > 0 && !flags.quiet) {
    say(fmt::format("{} of {} seed pages are not in the graph", found.unknown,
                    found.unknown + found.sets.front().size()));
  }
  return std::move(found.sets);
}

ExitCode crawl_once(const ExploreFlags& flags, const SimulatedWeb& web,
                    const std::vector<Node>& seeds, const HandOver& hand_over, ProgressLine& line,
                    const WorkOptions& work) {
  ExploreFound found =
      explored(web, flags.estimator, flags.value, seeds, options_of(flags, work), flags.optimum);
  const std::vector<Node> forgotten = hand_over.forgotten(web.graph());
  found.not_named.insert(forgotten.begin(), forgotten.end());
  line.clear();
  if (flags.json) {
    write_output("-", as_json(web.graph(), found));
  } else {
    print_table(crawl_table(web.graph(), found), flags.table);
  }
  if (!flags.quiet) {
    say(summary_of(found));
    report_left_out(forgotten.size(), "page", "pages");
  }
  return found.run.order.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

void write_page(const ExploreFlags& flags, const SimulatedWeb& web,
                const ExploreComparison& comparison) {
  const std::string graph = name_of(flags.graph.word);
  const std::string topic = name_of(flags.topic);
  const ExplorePage page = explore_page(
      web, graph, topic, comparison_command(graph, topic, flags.compare, comparison.study));
  report::write_html(explore_report(comparison, page), flags.report);
}

ExitCode compare_all(const ExploreFlags& flags, const SimulatedWeb& web,
                     const std::vector<std::vector<Node>>& sets, ProgressLine& line,
                     const WorkOptions& work) {
  const ExploreOptions options = options_of(flags, work);
  const StudyOptions study{.budget = options.budget, .seed = flags.options.seed, .work = work};
  const ExploreComparison comparison = compare_contenders(
      web, sets, compared_contenders(flags.compare, options), study, parts_of(flags));
  line.clear();
  if (!flags.csv.empty()) write_output(flags.csv, as_csv(comparison));
  if (!flags.report.empty()) write_page(flags, web, comparison);
  if (flags.table.is_csv()) {
    print_table(comparison_table(comparison), flags.table);
  } else {
    write_output("-", flags.json ? as_json(comparison) : as_text(comparison));
  }
  return ExitCode::Done;
}

ExitCode run(const ExploreFlags& flags) {
  check(flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  GraphSource source = graph_of(flags.graph);
  const bool is_plan = !flags.recrawl.empty();
  source.request.node_columns = {.captures = true, .changes = is_plan};
  const HandOver hand_over = hand_over_of({flags.graph.word});
  const Snapshot graph = within_scope(load(source, work), is_plan ? Scope::All : scope_of(flags));
  TopicScoresOfGraph scores =
      topic_scores(flags.topic, source, graph, parse_smooth_word("--smooth", flags.smooth));
  line.clear();
  if (scores.unknown > 0 && !flags.quiet) {
    say(fmt::format(
        "{} scores are of pages or links that are not in the graph{}", scores.unknown,
        is_plan || scope_of(flags) == Scope::All ? "" : ", or of links to pages never captured"));
  }
  const SimulatedWeb web(graph, std::move(scores.node_scores), std::move(scores.link_scores));
  if (is_plan) return plan_visits(flags, web, hand_over);
  const auto sets = seed_sets(flags, web, work);
  if (!flags.compare.empty()) return compare_all(flags, web, sets, line, work);
  return crawl_once(flags, web, sets.front(), hand_over, line, work);
}

std::function<ExitCode()> declare_explore_command(FlagSet& app) {
  const auto flags = std::make_shared<ExploreFlags>();
  declare_explore(app, *flags);
  return [flags] { return run(*flags); };
}

std::string described_explore() {
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
  static const std::string description = described_explore();
  return {"explore", "Simulate a crawl within a budget", description, declare_explore_command};
}

}  // namespace webstrata
