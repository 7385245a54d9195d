// Tested by tests/cli/seeds_test.py.

#include "webstrata/cli/flags/seeds_flags.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/whole_number.h"
#include "webstrata/show/seed_forms.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

void declare_choice(FlagSet& app, SeedsFlags& flags) {
  app.add_option("--by", flags.method, "The method, one of the list below; default: pandora")
      ->type_name("METHOD");
  app.add_option("--count", flags.options.count, "How many seeds; default: 10")
      ->check(whole_number())
      ->type_name("K");
  app.add_option("--seed", flags.options.seed, "For all that is random; default: 1")
      ->check(whole_number())
      ->type_name("S");
  app.add_option("--truth", flags.truth,
                 "Take only seeds that this newer graph still has; each look counts as a test")
      ->type_name("GRAPH");
  app.add_option("--tests", flags.options.tests_max, "With --truth: at most so many tests")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--replace", flags.replace,
                 "Seeds that this newer graph has no more give way to its most similar pages")
      ->type_name("GRAPH");
}

void declare_cores(FlagSet& app, SeedsFlags& flags) {
  CoreOptions& core = flags.options.extraction.core;
  app.add_option("--density", core.cover_density,
                 "cores: links of all pairs of hub and authority, in percent; default: 100")
      ->type_name("PERCENT");
  app.add_option("--size", core.size, "cores: of so many members instead of a density")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--new-members", core.new_member_count,
                 "cores: with --size, members of each side in a turn; default: 1")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--growth", flags.growth,
                 "cores: when a side cannot grow, the other goes on (either, default) or not "
                 "(lockstep)")
      ->type_name("HOW");
  app.add_option("--hub-cap", core.hubs_max, "cores: most hubs of one; 0: any; default: 999")
      ->check(whole_number())
      ->type_name("N");
  app.add_flag("--keep-breaking-member", core.keep_breaking_member,
               "cores: keep the member that broke the density");
  app.add_flag("--keep-inner-links", flags.options.extraction.inner_links,
               "cores: links inside a host count too");
  app.add_option("--hub", flags.hub, "cores: the seed is a random hub (default) or the top one")
      ->type_name("WHICH");
  app.add_option("--cores", flags.cores_file, "cores: write them all, a JSON object a line")
      ->type_name("FILE");
  app.add_flag("--distances", flags.distances, "cores: show how far they lie apart");
}

void declare_pandora(FlagSet& app, SeedsFlags& flags) {
  PandoraOptions& pandora = flags.options.pandora;
  app.add_option("--depths", pandora.coverage.depths,
                 "pandora: links within which seeds should reach things; default: 1,2,3")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--sets", pandora.coverage.set_count,
                 "pandora: reverse-reachable sets to draw; default: 12000")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--survival", flags.survival,
                 "pandora: who says which pages live, from the tests so far: rates of hosts and "
                 "directories, or liverank; default: rates")
      ->type_name("WHO");
  app.add_option("--price", pandora.test_price,
                 "pandora: of one test, as a share of all PageRank; default: 0.002")
      ->type_name("SHARE");
}

void declare_output(FlagSet& app, SeedsFlags& flags) {
  app.add_flag("--why", flags.why, "Add the reason to each seed");
  auto* evaluate = app.add_call(
      "--evaluate",
      [&flags](const std::string& word) {
        flags.evaluates = true;
        flags.evaluated = word;
      },
      "Show what crawls from the seeds find, beside random seeds: on GRAPH, or on a newer one");
  evaluate->expected(0, 1)->type_name("[GRAPH]");
  app.add_option("--depth", flags.depth_max, "With --evaluate: how deep to crawl; default: 6")
      ->within(1, 1000)
      ->type_name("N");
  app.add_option("--as", flags.form, "The form, one of the list below; default: list")
      ->type_name("FORM");
  declare_report(app, flags.report);
  app.add_flag("--json", flags.json, "One JSON object with everything");
  app.add_option("--threads", flags.graph.threads, "Threads; default: one for each core");
  app.add_flag("-q,--quiet", flags.quiet, "No progress and no notes");
}

// Options that mean something for one method alone.
const std::vector<std::string> kCoresOptions = {"--density",     "--size",
                                                "--new-members", "--growth",
                                                "--hub-cap",     "--keep-breaking-member",
                                                "--hub",         "--cores",
                                                "--distances",   "--keep-inner-links"};
const std::vector<std::string> kPandoraOptions = {"--depths", "--sets", "--price", "--survival"};

void refuse_others(const SeedsFlags& flags, std::string_view method,
                   const std::vector<std::string>& options) {
  if (flags.method == method) return;
  const GivenFlags given = flags.words->given();
  for (const std::string& option : options) {
    if (given.contains(option)) refuse(fmt::format("{} is an option of --by {}", option, method));
  }
}

void check_survival(const SeedsFlags& flags) {
  if (flags.survival.empty()) return;
  if (flags.survival != "rates" && flags.survival != "liverank") {
    refuse(fmt::format("--survival {}: not rates or liverank", flags.survival));
  }
  if (flags.truth.empty()) refuse("--survival is learned from tests: give --truth too");
}

}  // namespace

void check(const SeedsFlags& flags) {
  seed_form(flags.form);
  seed_method(flags.method);
  refuse_others(flags, "cores", kCoresOptions);
  refuse_others(flags, "pandora", kPandoraOptions);
  const bool has_tables = flags.distances || flags.evaluates || flags.why;
  if (flags.form != "list" && (has_tables || flags.json)) {
    refuse(
        fmt::format("--as {} writes seeds alone: leave --why, --distances, --evaluate and "
                    "--json out",
                    flags.form));
  }
  check_survival(flags);
  if (flags.options.tests_max > 0 && flags.truth.empty()) {
    refuse("--tests counts looks at the truth: give --truth too");
  }
  if (!flags.truth.empty() && !flags.replace.empty()) {
    refuse("--truth looks for seeds that live, --replace for what took their place: choose one");
  }
  if (flags.depth_max > 0 && !flags.evaluates && flags.report.empty()) {
    refuse("--depth is that of the crawls of --evaluate and --report: give one of them too");
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

}  // namespace webstrata
