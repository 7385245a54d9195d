// SPDX-License-Identifier: Apache-2.0

// One function per group of flags; `liverank`, `plan` and `learn` each declare the groups that
// apply to them. Values are stored as words here and get their meaning in jobs/live_words.cpp,
// which Python uses too.
// Tested by tests/cli/liverank_test.py.

#include "webstrata/cli/flags/liverank_flags.h"

#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/liverank/planners.h"

namespace webstrata {
namespace {

void declare_method(FlagSet& app, MethodWords& flags) {
  app.group("Method");
  app.add_option("--by", flags.method, "Method, from the list below (default auto)")
      ->suggests(entry_names(planners()))
      ->type_name("METHOD");
  app.add_option("--seed", flags.seed, "Seed of random choices (default 1)")->type_name("S");
  app.add_option("--sample", flags.sample,
                 "How to choose the pages that are tested first: random, indegree, pagerank or "
                 "systematic (default: set by the method)")
      ->suggests({"random", "indegree", "pagerank", "systematic"})
      ->type_name("KIND");
  app.add_option("--sample-size", flags.sample_size,
                 "Size of that sample: a number of pages, a share (0.01 or 1%), or a share of the "
                 "budget (40%-of-budget) (default: set by the method)")
      ->type_name("Z");
  app.add_flag("--no-neighbours", flags.no_neighbours,
               "Sample pages that are linked with a sampled page only when no others are left");
  app.add_option("--per-site", flags.per_site,
                 "Sample N random pages of each site, largest sites first; --sample-size limits "
                 "the total (default 0: the sample ignores sites)")
      ->type_name("N");
  app.add_option("--ties", flags.ties,
                 "Order of equal scores: pagerank, number or random (default: set by the method)")
      ->suggests({"pagerank", "number", "random"})
      ->type_name("RULE");
  app.add_option("--round", flags.round,
                 "Rank again after N tests, or after this share of the pages; 0: once, after the "
                 "sample (default: set by the method)")
      ->type_name("N");
  app.add_option("--site", flags.site,
                 "asf, --per-site: what a site is: host, directory (the first one), N directories, "
                 "or auto: as many as it takes until no site has half of the pages (default auto)")
      ->suggests({"auto", "host", "directory"})
      ->type_name("WHAT");
  app.add_option("--damping", flags.damping,
                 "Damping of PageRank, also as an order, a sample and a tie rule (default 0.85)")
      ->type_name("D");
  app.add_option("--unsampled", flags.unsampled,
                 "asf: place of sites without a sampled page: last, or mean for the mean rate "
                 "(default last)")
      ->suggests({"last", "mean"})
      ->type_name("WHERE");
  app.add_option(
         "--target", flags.target,
         "Pages to look for: present, moved, unchanged, changed or active (default present)")
      ->suggests({"present", "moved", "unchanged", "changed", "active"})
      ->type_name("WHAT");
  app.add_option("--scope", flags.scope,
                 "Pages to test: captured, or all, which adds pages that were only linked to "
                 "(default captured)")
      ->suggests({"captured", "all"})
      ->type_name("WHICH");
  app.add_flag("--undirected", flags.undirected,
               "Follow links in both directions, as in social graphs");
}

// What answers mean.
void declare_answers(FlagSet& app, LiveRankFlags& flags) {
  app.group("Answers");
  app.add_option("--same", flags.same,
                 "For --target unchanged: what must be the same: text, payload, links or "
                 "text+links (default: text if known, else payload)")
      ->suggests({"text", "payload", "links", "text+links"})
      ->type_name("WHAT");
  app.add_option("--active-within", flags.active_within,
                 "For --target active: longest time since the last activity, counted from the "
                 "latest time in the list (default 180d)")
      ->type_name("TIME");
  app.add_option("--dead-host", flags.dead_host_tests,
                 "Stop testing a host without an address, and an origin (scheme, host and port) "
                 "whose first N tested pages are dead (default 0: never stop)")
      ->type_name("N");
  app.add_option("--dead-domain", flags.dead_domain_tests,
                 "Stop testing a registered domain whose first N tested pages are dead, on any of "
                 "its hosts (default 0: never stop)")
      ->type_name("N");
}

void declare_truth(FlagSet& app, LiveRankFlags& flags) {
  app.group("Truth and stopping");
  app.add_option("--truth", flags.truth,
                 "What became of the pages: a newer graph, or a list of URLs and outcomes")
      ->type_name("GRAPH|FILE");
  app.add_option("--truth-urls", flags.truth_urls,
                 "Names of the nodes of a newer graph that is a graph file, one per line")
      ->type_name("FILE");
  app.add_option("--alpha", flags.alpha,
                 "Stop when this share of the live pages is found, as estimated from the sample "
                 "(default 1)")
      ->type_name("SHARE");
  app.add_option(
         "--price", flags.price,
         "Stop when the last 200 tests found fewer live pages per test than this (default 0)")
      ->type_name("SHARE");
}

void declare_output(FlagSet& app, LiveRankFlags& flags) {
  app.group("Output");
  app.add_option("--why", flags.why, "Print what the method knows about the page at the end")
      ->type_name("URL");
  app.add_option("--compare", flags.compare,
                 "Print a table that compares methods: methods, all (adds the samples of the "
                 "papers), or a list such as auto,asf")
      ->type_name("WHICH");
  app.add_option("--seeds", flags.seeds,
                 "With --compare: number of runs of each method (default 5)")
      ->within(1, 100000)
      ->type_name("N");
  app.add_option(
         "--csv", flags.csv,
         "With --compare: write every run to FILE as CSV; with a folder: the numbers of all charts")
      ->type_name("FILE|FOLDER/");
  declare_report(app, flags.report);
  app.add_option("--per-day", flags.per_day,
                 "With --report: requests per day (default: enough for all pages in three weeks)")
      ->positive()
      ->type_name("N");
  app.add_option("--order", flags.order,
                 "Write the pages to FILE in the order in which they were tested")
      ->type_name("FILE");
  Flag* json = app.add_flag("--json", flags.json, "Print one JSON object with all results");
  declare_table(app, flags.table)->excludes(json);
}

void declare_common(FlagSet& app, LiveRankFlags& flags) {
  app.group("Budget");
  app.add_option("--budget", flags.budget, "Maximum number of tests (default: no limit)")
      ->type_name("N");
  app.add_option("--shards", flags.shards,
                 "Divide the plan among P crawlers, with the number of the crawler before each URL "
                 "(default 1)")
      ->type_name("P");
  app.add_option("--threads", flags.graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no notes")->group(kGeneralGroup);
}

void declare_probing(FlagSet& app, LiveRankFlags& flags) {
  app.group("Probing");
  app.add_option("--batch", flags.batch,
                 "Number of tests after which the method sees the answers (default: set by the "
                 "method; at least 64 with --probe)")
      ->positive()
      ->type_name("N");
  app.add_flag("--probe", flags.asks,
               "Test the pages on the web, politely (see webstrata probe --help)");
  declare_probe(app, flags.probe);
  app.group("Probing");
  app.add_option("--found", flags.found,
                 "With --probe: write URLs and outcomes to FILE, in the form that --truth reads")
      ->type_name("FILE");
  app.add_flag("--update", flags.update, "With --probe: import the results into the archive");
}

// ---- what goes together -------------------------------------------------------------------------

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

}  // namespace

bool has_csv_folder(const LiveRankFlags& flags) {
  return flags.csv.ends_with('/') ||
         (!flags.csv.empty() && std::filesystem::is_directory(flags.csv));
}

namespace {

// A comparison needs the whole curve of every method.
void check_comparison(const LiveRankFlags& flags) {
  const bool gives_up = flags.dead_host_tests > 0 || flags.dead_domain_tests > 0;
  if (!flags.budget && flags.alpha >= 1 && flags.price == 0 && !gives_up) return;
  refuse(
      "--compare tests every page: it cannot be combined with --budget, --alpha, --price, "
      "--dead-host or --dead-domain");
}

}  // namespace

bool draws(const LiveRankFlags& flags) { return !flags.report.empty() || has_csv_folder(flags); }

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
  if (!flags.csv.empty() && flags.compare.empty() && !has_csv_folder(flags)) {
    refuse(
        fmt::format("--csv {}: without --compare it must be a folder: {}/", flags.csv, flags.csv));
  }
  if (!knows && flags.json) {
    refuse("--json needs --truth: a plan is printed as text");
  }
  if (!flags.truth_urls.empty() && flags.truth.empty()) refuse("--truth-urls needs --truth");
  if (flags.shards == 0) refuse("--shards 0: must be at least 1");
  if (!flags.compare.empty()) check_comparison(flags);
  planner_entry(flags.method.method);
  truth_options_of(flags);
}

void declare_run(FlagSet& app, LiveRankFlags& flags) {
  declare_graph(app, flags.graph);
  app.option("GRAPH")->required(false);
  declare_method(app, flags.method);
  declare_truth(app, flags);
  declare_answers(app, flags);
  declare_common(app, flags);
  declare_output(app, flags);
  declare_probing(app, flags);
}

void declare_plan(FlagSet& app, LiveRankFlags& flags) {
  declare_graph(app, flags.graph);
  declare_method(app, flags.method);
  declare_answers(app, flags);
  declare_common(app, flags);
  declare_table(app, flags.table);
  app.group("Campaign");
  app.add_option("--state", flags.state, "State of the campaign; created if it is missing")
      ->type_name("FILE");
  app.add_option("--tests", flags.tests, "Number of pages to print (default: set by the method)")
      ->type_name("N");
}

void declare_learn(FlagSet& app, LiveRankFlags& flags) {
  app.group("Campaign");
  app.add_option("RESULTS", flags.results, "A list of URLs and outcomes")->required();
  app.add_option("--state", flags.state, "State of the campaign")->type_name("FILE");
  app.add_flag("-q,--quiet", flags.quiet, "Print no notes")->group(kGeneralGroup);
}

}  // namespace webstrata
