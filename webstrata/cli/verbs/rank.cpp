// SPDX-License-Identifier: Apache-2.0

// webstrata rank: a score for every node of a graph, highest first.
// Graphs are loaded and ranked one after the other, and kept only if a report needs them all.
// Options that belong to another ranking are refused.
// Tested by tests/cli/rank_test.py and tests/rank/peers_test.py.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/cli/flags/rank_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/jobs/saved_scores.h"
#include "webstrata/show/pages/rank_report.h"
#include "webstrata/show/rank_forms.h"

namespace webstrata {
namespace {

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

// The header, if there is one, comes before the first graph only.
void print(Lines& lines, std::optional<TableLines>& table, const GraphToRank& one,
           const RankedGraph& ranked, const RankFlags& flags) {
  RankedWhere where;
  if (!flags.more_graphs.empty()) where = {ranked.label, one.word, one.source.date};
  if (!table) table.emplace(lines, rank_columns(where), flags.table);
  for (const Node node : top_nodes(ranked.result.scores, flags.top)) {
    const double score = ranked.result.scores[node];
    if (flags.json) {
      lines.add(rank_as_json(ranked.graph, node, score, where));
    } else {
      table->add(rank_cells(ranked.graph, node, score, where));
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

// Graphs stay in memory only where a page needs all of them.
ExitCode run(const RankFlags& flags) {
  ProgressLine line(!flags.quiet);
  const Ranking& ranking = find_ranking(flags.by);
  const RankingOptions options = options_of(flags, work_on(line, flags.graph.threads));
  if (!flags.freshness.empty()) freshness_seconds(flags.freshness);  // before the work begins
  const bool only_prints = flags.report.empty() && flags.save.empty();
  Lines lines("", only_prints ? WhenClosed::Stop : WhenClosed::GoOn);
  std::optional<TableLines> table;
  ExitCode code = ExitCode::FoundNothing;
  std::vector<RankedGraph> kept;
  for (const GraphToRank& one : graphs_of(flags)) {
    RankedGraph graph{one.name, one.label, load(one.source, options.pagerank.work), {}};
    if (graph.graph.node_count() == 0) {
      line.clear();
      complain(fmt::format("{}: the graph has no nodes", one.word));
      continue;
    }
    graph.result = ranked(ranking, one.source, graph.graph, flags, options);
    line.clear();
    tell_quality(ranking, graph.result, flags);
    if (!flags.save.empty()) {
      save_node_scores(one.source, graph.graph, flags.save, graph.result.scores);
    }
    print(lines, table, one, graph, flags);
    code = ExitCode::Done;
    if (!flags.report.empty()) kept.push_back(std::move(graph));
  }
  if (!kept.empty()) write_report(kept, flags);
  return code;
}

std::function<ExitCode()> declare_rank_command(FlagSet& app) {
  const auto flags = std::make_shared<RankFlags>();
  declare_rank(app, *flags);
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
          declare_rank_command};
}

}  // namespace webstrata
