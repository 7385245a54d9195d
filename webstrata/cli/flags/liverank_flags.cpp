// Tested by tests/cli/liverank_test.py.

#include "webstrata/cli/flags/liverank_flags.h"

#include "webstrata/cli/flags/report_flag.h"

namespace webstrata {
namespace {

void declare_method(FlagSet& app, MethodWords& flags) {
  app.add_option("--by", flags.method, "The method, one of the list below; default: auto")
      ->type_name("METHOD");
  app.add_option("--seed", flags.seed, "For all that is random; default: 1")->type_name("S");
  app.add_option("--sample", flags.sample, "Test first: random, indegree, pagerank or systematic")
      ->type_name("KIND");
  app.add_option("--sample-size", flags.sample_size, "So many: 500, 0.01, 1%, 40%-of-budget")
      ->type_name("Z");
  app.add_flag("--no-neighbours", flags.no_neighbours,
               "Sample pages that are linked with a chosen one only when no others are left");
  app.add_option("--ties", flags.ties, "Equal scores by pagerank, number or random")
      ->type_name("RULE");
  app.add_option("--round", flags.round,
                 "Rank again after so many tests, or that share; 0: once, after the sample")
      ->type_name("N");
  app.add_option("--site", flags.site, "asf: a site is a host, a directory, or auto (default)")
      ->type_name("WHAT");
  app.add_option("--unsampled", flags.unsampled,
                 "asf: sites without a sample come last (default), or at the mean rate")
      ->type_name("WHERE");
  app.add_option("--target", flags.target,
                 "Look for pages: present (default), moved, unchanged, changed, active")
      ->type_name("WHAT");
  app.add_option("--scope", flags.scope,
                 "Pages that were captured (default), or all: also what was only linked to")
      ->type_name("WHICH");
  app.add_flag("--undirected", flags.undirected, "Links count in both directions: social graphs");
}

// What answers mean.
void declare_answers(FlagSet& app, LiveRankFlags& flags) {
  app.add_option("--same", flags.same,
                 "unchanged: the same text (else payload), payload, links, text+links")
      ->type_name("WHAT");
  app.add_option("--active-within", flags.active_within,
                 "active: so long before the latest time of the list; default: 180d")
      ->type_name("TIME");
  app.add_option("--dead-host", flags.dead_host_tests,
                 "Stop testing a host without an address, and an origin (scheme, host and port) "
                 "whose first N tested pages are dead")
      ->type_name("N");
}

void declare_truth(FlagSet& app, LiveRankFlags& flags) {
  app.add_option("--truth", flags.truth,
                 "What became of the pages: a newer graph, or a list of urls and outcomes")
      ->type_name("GRAPH|FILE");
  app.add_option("--alpha", flags.alpha,
                 "Stop when this share of the live pages is found, as the sample estimates them")
      ->type_name("SHARE");
  app.add_option("--price", flags.price,
                 "Stop when fewer live pages a test are found, over the last 200 tests")
      ->type_name("SHARE");
}

void declare_output(FlagSet& app, LiveRankFlags& flags) {
  app.add_option("--why", flags.why, "Show what the method knows about a page at the end")
      ->type_name("URL");
  app.add_option("--compare", flags.compare,
                 "A table: methods, all (with the papers' samples), or a list such as auto,asf")
      ->type_name("WHICH");
  app.add_option("--seeds", flags.seeds, "With --compare: runs of each method; default: 5")
      ->within(1, 100000)
      ->type_name("N");
  app.add_option("--csv", flags.csv,
                 "With --compare: every run as CSV; FOLDER/: the numbers of all pictures")
      ->type_name("FILE|FOLDER/");
  declare_report(app, flags.report);
  app.add_option("--per-day", flags.per_day,
                 "With --report: requests a day; default: all pages in three weeks")
      ->positive()
      ->type_name("N");
  app.add_option("--order", flags.order, "Write the pages in the order in which they were tested")
      ->type_name("FILE");
  app.add_flag("--json", flags.json, "One JSON object with everything");
}

void declare_common(FlagSet& app, LiveRankFlags& flags) {
  app.add_option("--budget", flags.budget, "At most so many tests")->type_name("N");
  app.add_option("--shards", flags.shards, "Plans for so many crawlers: a number before each url")
      ->type_name("P");
  app.add_option("--threads", flags.graph.threads, "Threads; default: one for each core");
  app.add_flag("-q,--quiet", flags.quiet, "No progress and no notes");
}

void declare_probing(FlagSet& app, LiveRankFlags& flags) {
  app.add_option("--batch", flags.batch,
                 "Tests between two looks at the answers; default: as the method likes, 64 or more "
                 "with --probe")
      ->positive()
      ->type_name("N");
  app.add_flag("--probe", flags.asks, "Ask the web itself, politely (see webstrata probe --help)");
  declare_probe(app, flags.probe);
  app.add_option("--found", flags.found, "With --probe: urls and outcomes, as --truth reads them")
      ->type_name("FILE");
  app.add_flag("--update", flags.update, "With --probe: take what was found into the archive");
}

}  // namespace

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
  app.add_option("--state", flags.state, "What the campaign knows; made if it is not there")
      ->type_name("FILE");
  app.add_option("--tests", flags.tests, "How many pages to name; default: as the method likes")
      ->type_name("N");
}

void declare_learn(FlagSet& app, LiveRankFlags& flags) {
  app.add_option("RESULTS", flags.results, "A list of urls and outcomes")->required();
  app.add_option("--state", flags.state, "What the campaign knows")->type_name("FILE");
  app.add_flag("-q,--quiet", flags.quiet, "No notes");
}

}  // namespace webstrata
