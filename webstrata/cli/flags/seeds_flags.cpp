// SPDX-License-Identifier: Apache-2.0

// Flags are declared by group, then checked as a whole: an option that belongs to another method,
// or that needs a truth, is refused instead of ignored. Only then do the words become SeedOptions.
// Tested by tests/cli/seeds_test.py.

#include "webstrata/cli/flags/seeds_flags.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/whole_number.h"
#include "webstrata/show/seed_forms.h"
#include "webstrata/words/scope_word.h"

namespace webstrata {
namespace {

void declare_choice(FlagSet& app, SeedsFlags& flags) {
  app.group("Method");
  app.add_option("--by", flags.method, "Method, from the list below (default pandora)")
      ->suggests(entry_names(seed_methods()))
      ->type_name("METHOD");
  app.add_option("--count", flags.options.count, "Number of seeds (default 10)")
      ->check(whole_number())
      ->type_name("K");
  app.add_option("--seed", flags.options.seed, "Seed of random choices (default 1)")
      ->check(whole_number())
      ->type_name("S");
  app.add_option("--truth", flags.truth,
                 "Choose only seeds that this newer graph still has; each lookup counts as a test")
      ->type_name("GRAPH");
  app.add_option("--tests", flags.options.tests_max,
                 "With --truth: maximum number of tests (default: no limit)")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--replace", flags.replace,
                 "Replace seeds that this newer graph no longer has by its most similar pages")
      ->type_name("GRAPH");
}

void declare_cores(FlagSet& app, SeedsFlags& flags) {
  CoreOptions& core = flags.options.extraction.core;
  app.group("Method cores");
  app.add_option("--density", core.cover_density,
                 "Links of a core, in percent of all pairs of a hub and an authority (default 100)")
      ->type_name("PERCENT");
  app.add_option("--size", core.size, "Number of members of a core, instead of a density")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--new-members", core.new_member_count,
                 "With --size: members added to each side in one step (default 1)")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--growth", flags.growth,
                 "When one side cannot grow: either lets the other side continue, lockstep stops "
                 "(default either)")
      ->suggests({"either", "lockstep"})
      ->type_name("HOW");
  app.add_option("--hub-cap", core.hubs_max,
                 "Maximum number of hubs of a core; 0: no limit (default 999)")
      ->check(whole_number())
      ->type_name("N");
  app.add_flag(
      "--keep-breaking-member", core.keep_breaking_member,
      "Follow the paper: add a hub and an authority, then check the density, and keep both");
  app.add_option("--iterations", flags.options.extraction.hits_iterations,
                 "Iterations of HITS before each core (default 60)")
      ->check(whole_number())
      ->type_name("K");
  app.add_option("--tolerance", flags.options.extraction.hits_tolerance,
                 "End HITS earlier, once its scores change by no more than this (default 0: never)")
      ->type_name("T");
  app.add_flag(
      "--cold-start", flags.options.extraction.cold_start,
      "Start HITS from equal scores for each core, as the paper does, instead of the last scores");
  app.add_flag("--keep-inner-links", flags.options.extraction.inner_links,
               "Count links within a host too");
  app.add_option("--hub", flags.hub,
                 "Hub of a core that becomes the seed: random or top (default random)")
      ->suggests({"random", "top"})
      ->type_name("WHICH");
  app.add_option("--cores", flags.cores_file, "Write all cores to FILE, one JSON object per line")
      ->type_name("FILE");
  app.add_flag("--distances", flags.distances, "Print how far the cores are apart");
}

void declare_pandora(FlagSet& app, SeedsFlags& flags) {
  PandoraOptions& pandora = flags.options.pandora;
  app.group("Method pandora");
  app.add_option("--depths", pandora.coverage.depths,
                 "Numbers of links within which seeds should reach pages (default 1,2,3)")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--sets", pandora.coverage.set_count,
                 "Number of reverse-reachable sets to draw (default 12000)")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--survival", flags.survival,
                 "How to estimate from the tests so far which pages are alive: rates (of hosts and "
                 "directories) or liverank, which was worse on new data (default rates)")
      ->suggests({"rates", "liverank"})
      ->type_name("WHO");
  app.add_option("--price", pandora.test_price,
                 "Price of one test, as a share of all PageRank (default 0.002)")
      ->type_name("SHARE");
}

void declare_output(FlagSet& app, SeedsFlags& flags) {
  app.group("Output");
  app.add_flag("--why", flags.why, "Print the reason for each seed");
  auto* evaluate = app.add_call(
      "--evaluate",
      [&flags](const std::string& word) {
        flags.evaluates = true;
        flags.evaluated = word;
      },
      "Print what crawls from the seeds find, compared with random seeds: on GRAPH itself, or on a "
      "newer graph");
  evaluate->expected(0, 1)->type_name("[GRAPH]");
  app.add_option("--scope", flags.scope,
                 "Pages of those crawls: captured, or all, which adds pages that were only linked "
                 "to (default captured)")
      ->suggests({"captured", "all"})
      ->type_name("WHICH");
  app.add_flag("--degrees", flags.degrees,
               "Print the numbers of nodes, links and links between hosts, and power laws that fit "
               "the degrees");
  app.add_option("--bootstrap", flags.bootstrap,
                 "With --degrees: number of synthetic samples for p-values; 0: none (default 100)")
      ->within(0, 100000)
      ->type_name("N");
  app.add_option("--depth", flags.depth_max,
                 "With --evaluate, --report or --csv: depth of the crawls, in links (default 6)")
      ->within(1, 1000)
      ->type_name("N");
  app.add_option("--as", flags.form, "Output form, from the list below (default list)")
      ->suggests(entry_names(seed_forms()))
      ->type_name("FORM");
  declare_header(app, flags.table);
  declare_report(app, flags.report);
  app.add_option("--csv", flags.csv,
                 "Write the seeds, the distances of cores and every chart of the report to FOLDER "
                 "as CSV")
      ->type_name("FOLDER");
  app.add_flag("--json", flags.json, "Print one JSON object with all results");
  app.add_option("--threads", flags.graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no notes")->group(kGeneralGroup);
}

// Options that mean something for one method alone.
const std::vector<std::string> kCoresOptions = {"--density",     "--size",
                                                "--new-members", "--growth",
                                                "--hub-cap",     "--keep-breaking-member",
                                                "--hub",         "--cores",
                                                "--distances",   "--keep-inner-links",
                                                "--iterations",  "--tolerance",
                                                "--cold-start"};
const std::vector<std::string> kPandoraOptions = {"--depths", "--sets", "--price", "--survival"};

void refuse_others(const SeedsFlags& flags, std::string_view method,
                   const std::vector<std::string>& options) {
  if (flags.method == method) return;
  const GivenFlags given = flags.words->given();
  for (const std::string& option : options) {
    if (given.contains(option)) refuse(fmt::format("{} needs --by {}", option, method));
  }
}

void check_survival(const SeedsFlags& flags) {
  if (flags.survival.empty()) return;
  if (flags.survival != "rates" && flags.survival != "liverank") {
    refuse(fmt::format("--survival {}: not rates or liverank", flags.survival));
  }
  if (flags.truth.empty()) refuse("--survival needs --truth: it learns from tests");
}

}  // namespace

void check(const SeedsFlags& flags) {
  refuse_parquet(flags.form);
  seed_form(flags.form);
  seed_method(flags.method);
  refuse_others(flags, "cores", kCoresOptions);
  refuse_others(flags, "pandora", kPandoraOptions);
  const bool has_tables = flags.distances || flags.evaluates || flags.why || flags.degrees;
  if (flags.form != "list" && (has_tables || flags.json)) {
    refuse(
        fmt::format("--as {} prints seeds only: remove --why, --distances, --evaluate, "
                    "--degrees and --json",
                    flags.form));
  }
  parse_scope_word("--scope", flags.scope);
  check_survival(flags);
  if (flags.options.tests_max > 0 && flags.truth.empty()) {
    refuse("--tests needs --truth: tests are lookups in the truth");
  }
  if (!flags.truth.empty() && !flags.replace.empty()) {
    refuse(
        "--truth and --replace cannot be combined: the first chooses live seeds, the second "
        "replaces "
        "dead ones");
  }
  if (flags.depth_max > 0 && !flags.evaluates && flags.report.empty() && flags.csv.empty()) {
    refuse("--depth needs --evaluate, --report or --csv: it is the depth of their crawls");
  }
}

SeedOptions options_of(const SeedsFlags& flags) {
  SeedOptions options = flags.options;
  const auto growth = parse_core_growth(flags.growth);
  if (!growth) refuse(fmt::format("--growth {}: not either or lockstep", flags.growth));
  options.extraction.core.growth = *growth;
  if (flags.hub != "random" && flags.hub != "top") {
    refuse(fmt::format("--hub {}: not random or top", flags.hub));
  }
  options.hub_choice = flags.hub == "top" ? HubChoice::Top : HubChoice::Random;
  webstrata::check(options.extraction.core);
  return options;
}

void declare_seeds(FlagSet& app, SeedsFlags& flags) {
  flags.words = &app;
  declare_graph(app, flags.graph);
  declare_choice(app, flags);
  declare_cores(app, flags);
  declare_pandora(app, flags);
  declare_output(app, flags);
}

GraphTablesOptions tables_options_of(const SeedsFlags& flags, const WorkOptions& work) {
  GraphTablesOptions options;
  options.fits_degrees = flags.degrees;
  options.fit.repetitions = flags.bootstrap;
  options.fit.seed = flags.options.seed;
  options.fit.work = work;
  return options;
}

EvaluationOptions evaluation_options_of(const SeedsFlags& flags, const WorkOptions& work) {
  EvaluationOptions options;
  if (flags.depth_max > 0) options.depth_max = flags.depth_max;
  options.seed = flags.options.seed;
  options.captured_only = parse_scope_word("--scope", flags.scope) == Scope::Captured;
  options.work = work;
  return options;
}

}  // namespace webstrata
