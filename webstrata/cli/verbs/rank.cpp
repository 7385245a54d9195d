// SPDX-License-Identifier: Apache-2.0

// webstrata rank: a score for every node of a graph, highest first.
// Graphs are loaded and ranked one after the other, and kept only if a report needs them all.
// Options that belong to another ranking are refused.
// Tested by tests/cli/rank_test.py and tests/rank/peers_test.py.

#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/disk/options.h"
#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/whole_number.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/graph/preference_file.h"
#include "webstrata/jobs/saved_scores.h"
#include "webstrata/rank/freshness.h"
#include "webstrata/rank/rankings.h"
#include "webstrata/show/pages/rank_report.h"

namespace webstrata {
namespace {

// HITS has no bound on its iterations but this; it converges slowly where two communities are
// nearly as strong as each other.
constexpr int kHitsIterationsMax = 1000;

struct RankFlags {
  GraphFlags graph;
  std::vector<std::string> more_graphs;
  std::string by = "pagerank";
  std::size_t top = std::numeric_limits<std::size_t>::max();
  double damping = PageRankOptions{}.damping;
  double tolerance = PageRankOptions{}.tolerance;
  int iterations = 0;  // 0: as each method has it
  std::string dead_ends = "uniform";
  std::string method = "gauss-seidel";
  std::string preference;
  std::string freshness;
  std::string start;  // saved scores to begin with
  std::string save;
  std::string report;
  std::uint32_t samples = 0;
  std::uint32_t registers = 0;
  std::uint64_t seed = HarmonicOptions{}.seed;
  bool json = false;
  bool quiet = false;
};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

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

double seconds_of(const std::string& word) {
  const Time seconds = parse_range(word);
  if (seconds > 0) return static_cast<double>(seconds);
  refuse(fmt::format("--freshness {}: not a length of time such as 90d or 1y", word));
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

// ---- one graph or several -----------------------------------------------------------------------

// A graph to rank, and what tells it from the others.
struct Ranked {
  std::string word;
  std::string label;
  GraphSource source;
};

GraphSource source_of(const RankFlags& flags, const std::string& word) {
  GraphFlags one = flags.graph;
  one.word = word;
  GraphSource source = graph_of(one);
  if (!flags.start.empty()) require_archive_nodes(source, "--start");
  if (!flags.save.empty()) require_archive_nodes(source, "--save");
  if (flags.freshness.empty()) return source;
  if (!source.archive) {
    refuse(fmt::format("--freshness: {} is a graph file, which has no times", word));
  }
  source.request.link_columns.seen = true;
  return source;
}

// Dates are enough for graphs of one archive; else names; else the words as they were typed.
void label(std::vector<Ranked>& graphs) {
  using LabelOf = std::string (*)(const Ranked&);
  const LabelOf ways[] = {
      [](const Ranked& one) { return one.source.date; },
      [](const Ranked& one) { return name_of(one.word); },
      [](const Ranked& one) { return one.word; },
  };
  for (const LabelOf label_of : ways) {
    std::set<std::string> labels;
    for (Ranked& one : graphs) labels.insert(one.label = label_of(one));
    if (labels.size() == graphs.size() && !labels.contains("")) return;
  }
  refuse("the same graph is given twice");
}

std::vector<Ranked> graphs_of(const RankFlags& flags) {
  if (!flags.more_graphs.empty() && !flags.save.empty()) {
    refuse("--save needs a single graph");
  }
  std::vector<Ranked> graphs = {{flags.graph.word, "", source_of(flags, flags.graph.word)}};
  for (const std::string& word : flags.more_graphs) {
    graphs.push_back({word, "", source_of(flags, word)});
  }
  label(graphs);
  if (graphs.size() == 1) graphs[0].label = name_of(graphs[0].word);
  return graphs;
}

// Scores that are less exact than they were asked to be say so.
void tell_quality(const Ranking& ranking, const RankingResult& result, const RankFlags& flags) {
  if (!result.converged) {
    complain(fmt::format("{}: tolerance {} not reached after {} iterations; raise --iterations",
                         ranking.name, flags.tolerance, result.iterations));
  } else if (ranking.name == "harmonic" && result.error_bound > 0 && !flags.quiet) {
    complain(
        fmt::format("harmonic: from a sample; 95 % of scores are within {:.4g} of the exact one; "
                    "more --samples make it smaller",
                    result.error_bound));
  } else if (result.standard_error > 0 && !flags.quiet) {
    complain(
        fmt::format("harmonic: estimated; the standard error of a score s is at most "
                    "{:.3f} (s + 1); more --registers make it smaller",
                    result.standard_error));
  }
}

void print(Lines& lines, const Ranked& one, const RankedGraph& ranked, const RankFlags& flags) {
  const bool is_one_of_several = !flags.more_graphs.empty();
  for (const Node node : top_nodes(ranked.result.scores, flags.top)) {
    const double score = ranked.result.scores[node];
    if (flags.json) {
      JsonWriter json(lines.buffer());
      json.begin_object();
      if (is_one_of_several) json.field("graph", one.word);
      if (is_one_of_several && !one.source.date.empty()) json.field("date", one.source.date);
      json.field("node", node).field("url", ranked.graph.name(node));
      json.field("score", score).end_object();
      lines.buffer() += "\n";
      lines.written();
    } else {
      const std::string where = is_one_of_several ? ranked.label + "\t" : "";
      lines.add(fmt::format("{}{}\t{}", where, score, ranked.graph.name(node)));
    }
  }
  lines.flush();
}

// ---- the page -----------------------------------------------------------------------------------

std::string chance_of(const RankFlags& flags, const std::vector<RankedGraph>& graphs) {
  const bool is_sampled = flags.by == "harmonic" && graphs.back().result.error_bound > 0;
  return is_sampled ? fmt::format("Scores from a sample drawn with seed {}.", flags.seed)
                    : "Nothing here is random: there is no seed.";
}

void write_report(const std::vector<RankedGraph>& graphs, const RankFlags& flags) {
  std::string command = "webstrata rank " + name_of(flags.graph.word);
  for (const std::string& word : flags.more_graphs) command += " " + name_of(word);
  command += " --by " + flags.by;
  if (flags.graph.level != "page") command += " --level " + flags.graph.level;
  const RankPage page{.ranking = flags.by,
                      .level = flags.graph.level,
                      .command = command,
                      .chance = chance_of(flags, graphs)};
  report::write_html(rank_report(graphs, page), flags.report);
}

// ---- the whole ----------------------------------------------------------------------------------

RankingResult rank(const Ranking& ranking, const GraphSource& source, const Snapshot& graph,
                   const RankFlags& flags, RankingOptions options) {
  const double fades = flags.freshness.empty() ? 0 : seconds_of(flags.freshness);
  std::vector<double> preference, weights, start;
  if (!flags.preference.empty()) preference = read_preference(graph, flags.preference);
  if (fades > 0) weights = freshness_weights(graph, fades);
  if (!flags.start.empty()) {
    start = load_node_scores(source, graph, flags.start, 1.0 / graph.node_count());
  }
  options.pagerank.start = start;
  options.pagerank.preference = preference;
  options.pagerank.link_weights = weights;
  return ranking.run(graph, options);
}

// Graphs stay in memory only where a page needs all of them.
ExitCode run(const RankFlags& flags) {
  ProgressLine line(!flags.quiet);
  const Ranking& ranking = find_ranking(flags.by);
  const RankingOptions options = options_of(flags, work_on(line, flags.graph.threads));
  if (!flags.freshness.empty()) seconds_of(flags.freshness);  // before the work begins
  Lines lines;
  ExitCode code = ExitCode::FoundNothing;
  std::vector<RankedGraph> kept;
  for (const Ranked& one : graphs_of(flags)) {
    RankedGraph ranked{name_of(one.word), one.label, load(one.source, options.pagerank.work), {}};
    if (ranked.graph.node_count() == 0) {
      line.clear();
      complain(fmt::format("{}: the graph has no nodes", one.word));
      continue;
    }
    ranked.result = rank(ranking, one.source, ranked.graph, flags, options);
    line.clear();
    tell_quality(ranking, ranked.result, flags);
    if (!flags.save.empty()) {
      save_node_scores(one.source, ranked.graph, flags.save, ranked.result.scores);
    }
    print(lines, one, ranked, flags);
    code = ExitCode::Done;
    if (!flags.report.empty()) kept.push_back(std::move(ranked));
  }
  if (!kept.empty()) write_report(kept, flags);
  return code;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<RankFlags>();
  declare_graph(app, flags->graph);
  app.add_option("MORE", flags->more_graphs,
                 "More graphs, such as other dates of the archive; each is ranked on its own")
      ->type_name("GRAPH");
  app.group("Method");
  app.add_option("--by", flags->by, "Ranking, from the list below (default pagerank)")
      ->suggests(entry_names(rankings()))
      ->type_name("RANKING");
  app.group("Output");
  app.add_option("--top", flags->top, "Print only the N highest scores (default: all)")
      ->check(whole_number())
      ->type_name("N");
  app.group("Method");
  app.add_option("--damping", flags->damping,
                 "pagerank: probability of following a link instead of jumping (default 0.85)")
      ->type_name("D");
  app.add_option("--dead-ends", flags->dead_ends,
                 "pagerank: what happens at nodes without links: uniform, preference or drop "
                 "(default uniform)")
      ->suggests({"uniform", "preference", "drop"})
      ->type_name("POLICY");
  app.add_option("--tolerance", flags->tolerance,
                 "pagerank: largest L1 distance to the exact scores; hubs and authorities: largest "
                 "change in one iteration (default 1e-9)")
      ->type_name("T");
  app.add_option(
         "--iterations", flags->iterations,
         "Maximum number of iterations (default: 200 for pagerank, 1000 for hubs and authorities)")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--method", flags->method,
                 "pagerank: gauss-seidel or power (default gauss-seidel)")
      ->suggests({"gauss-seidel", "power"})
      ->type_name("METHOD");
  app.add_option("--preference", flags->preference,
                 "pagerank: nodes to jump to, one name per line, with an optional tab and weight "
                 "(default: all nodes equally)")
      ->type_name("FILE");
  app.add_option("--freshness", flags->freshness,
                 "pagerank: a link last seen this long before the freshest link of its page has "
                 "the weight 1/e (default: equal weights)")
      ->type_name("TIME");
  app.add_option("--start", flags->start,
                 "pagerank: saved scores to start from, such as those of an earlier crawl")
      ->type_name("NAME");
  app.group("Output");
  app.add_option("--save", flags->save, "Save the scores in the archive under this name")
      ->type_name("NAME");
  app.group("Method");
  app.add_option("--samples", flags->samples,
                 "harmonic: number of nodes to search from (default: all up to 16384, else 1024)")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--registers", flags->registers,
                 "harmonic: estimate with HyperBall and N registers, such as 256")
      ->check(whole_number())
      ->type_name("N");
  app.add_option("--seed", flags->seed, "harmonic: seed of the sample or estimate (default 1)")
      ->check(whole_number())
      ->type_name("SEED");
  declare_report(app, flags->report);
  app.add_option("--threads", flags->graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  app.add_flag(
      "--json", flags->json,
      "Print one JSON object per line: node, url, score; for several graphs also graph and date");
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

std::string ranking_list() {
  std::string text;
  for (const Ranking& ranking : rankings()) {
    text += fmt::format("  {:12} {}\n", ranking.name, ranking.summary);
  }
  return text;
}

}  // namespace

Command rank_command() {
  static const std::string description = fmt::format(
      "Prints score and name, separated by a tab, highest first; equal scores in node order.\n\n"
      "Rankings:\n{}\n"
      "Examples:\n"
      "  webstrata rank lib.ws --top 10\n"
      "  webstrata rank lib.ws@2021 --level host --by harmonic --json\n"
      "  webstrata rank lib.ws@2021 lib.ws@2023 --top 10 --report rank.html",
      ranking_list());
  return {"rank", "Score pages, hosts or domains: PageRank, HITS, degrees, centrality", description,
          declare};
}

}  // namespace webstrata
