// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/rank_test.py.

#include "webstrata/cli/flags/rank_flags.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/whole_number.h"
#include "webstrata/cli/frame/command.h"

namespace webstrata {
namespace {

// HITS has no bound on its iterations but this; it converges slowly where two communities are
// nearly as strong as each other.
constexpr int kHitsIterationsMax = 1000;

DeadEnds dead_ends_of(const std::string& word) {
  if (word == "uniform") return DeadEnds::Uniform;
  if (word == "preference") return DeadEnds::Preference;
  if (word == "drop") return DeadEnds::Drop;
  refuse(fmt::format("--dead-ends {}: not uniform, preference or drop", word));
}

PageRankMethod method_of(const std::string& word) {
  if (word == "gauss-seidel") return PageRankMethod::GaussSeidel;
  if (word == "power") return PageRankMethod::Power;
  refuse(fmt::format("--method {}: not gauss-seidel or power", word));
}

// What only PageRank follows must not be ignored in silence.
void refuse_for_others(const RankFlags& flags) {
  if (flags.by == "pagerank") return;
  const std::pair<std::string_view, bool> told[] = {{"--preference", !flags.preference.empty()},
                                                    {"--freshness", !flags.freshness.empty()},
                                                    {"--start", !flags.start.empty()}};
  for (const auto& [name, is_given] : told) {
    if (is_given) refuse(fmt::format("{} is for --by pagerank, not {}", name, flags.by));
  }
}

}  // namespace

RankingOptions options_of(const RankFlags& flags, const WorkOptions& work) {
  refuse_for_others(flags);
  RankingOptions options;
  options.pagerank.damping = flags.damping;
  options.pagerank.tolerance = flags.tolerance;
  options.pagerank.dead_ends = dead_ends_of(flags.dead_ends);
  options.pagerank.method = method_of(flags.method);
  options.hits.tolerance = flags.tolerance;
  options.hits.iterations = kHitsIterationsMax;
  if (flags.iterations > 0) {
    options.pagerank.iterations_max = options.hits.iterations = flags.iterations;
  }
  if (flags.samples > 0 && flags.registers > 0) {
    refuse("--samples and --registers cannot be combined: both estimate");
  }
  options.harmonic.samples = flags.samples;
  options.registers = flags.registers;
  options.harmonic.seed = flags.seed;
  options.pagerank.work = options.hits.work = options.harmonic.work = work;
  return options;
}

std::vector<GraphToRank> graphs_of(const RankFlags& flags) {
  if (!flags.more_graphs.empty() && !flags.save.empty()) {
    refuse("--save needs a single graph");
  }
  std::vector<std::string> words = {flags.graph.word};
  words.insert(words.end(), flags.more_graphs.begin(), flags.more_graphs.end());
  std::vector<GraphToRank> graphs;
  for (const std::string& word : words) {
    GraphWords one = flags.graph;
    one.word = word;
    graphs.push_back({word, name_of(word), "", source_to_rank(one, flags)});
  }
  label(graphs);
  if (graphs.size() == 1) graphs[0].label = graphs[0].name;
  return graphs;
}

void declare_rank(FlagSet& app, RankFlags& flags) {
  declare_graph(app, flags.graph);
  app.add_option("MORE", flags.more_graphs,
                 "More graphs, such as other dates of the archive; each is ranked on its own")
      ->type_name("GRAPH");
  app.group("Method");
  app.add_option("--by", flags.by, "Ranking, from the list below (default pagerank)")
      ->suggests(entry_names(rankings()))
      ->type_name("RANKING");
  app.group("Output");
  app.add_option("--top", flags.top, "Print only the N highest scores (default: all)")
      ->check(whole_number())
      ->type_name("N");
  app.group("Method");
  app.add_option("--damping", flags.damping,
                 "pagerank: probability of following a link instead of jumping (default 0.85)")
      ->type_name("D");
  app.add_option("--dead-ends", flags.dead_ends,
                 "pagerank: what happens at nodes without links: uniform, preference or drop "
                 "(default uniform)")
      ->suggests({"uniform", "preference", "drop"})
      ->type_name("POLICY");
  app.add_option("--tolerance", flags.tolerance,
                 "pagerank: largest L1 distance to the exact scores; hubs and authorities: largest "
                 "change in one iteration (default 1e-9)")
      ->type_name("T");
  app.add_option(
         "--iterations", flags.iterations,
         "Maximum number of iterations (default: 200 for pagerank, 1000 for hubs and authorities)")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--method", flags.method, "pagerank: gauss-seidel or power (default gauss-seidel)")
      ->suggests({"gauss-seidel", "power"})
      ->type_name("METHOD");
  app.add_option("--preference", flags.preference,
                 "pagerank: nodes to jump to, one name per line, with an optional tab and weight "
                 "(default: all nodes equally)")
      ->type_name("FILE");
  app.add_option("--freshness", flags.freshness,
                 "pagerank: a link last seen this long before the freshest link of its page has "
                 "the weight 1/e (default: equal weights)")
      ->type_name("TIME");
  app.add_option("--start", flags.start,
                 "pagerank: saved scores to start from, such as those of an earlier crawl")
      ->type_name("NAME");
  app.group("Output");
  app.add_option("--save", flags.save, "Save the scores in the archive under this name")
      ->type_name("NAME");
  app.group("Method");
  app.add_option("--samples", flags.samples,
                 "harmonic: number of nodes to search from (default: all up to 16384, else 1024)")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--registers", flags.registers,
                 "harmonic: estimate with HyperBall and N registers, such as 256")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--seed", flags.seed, "harmonic: seed of the sample or estimate (default 1)")
      ->check(whole_number())
      ->type_name("SEED");
  declare_report(app, flags.report);
  app.add_option("--threads", flags.graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  Flag* json = app.add_flag(
      "--json", flags.json,
      "Print one JSON object per line: node, url, score; for several graphs also graph and date");
  declare_table(app, flags.table)->excludes(json);
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no notes")->group(kGeneralGroup);
}

}  // namespace webstrata
