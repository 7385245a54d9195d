// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/rank_test.py.

#include "webstrata/jobs/rank_job.h"

#include <set>

#include <fmt/format.h>

#include "webstrata/archive/disk/options.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/preference_file.h"
#include "webstrata/jobs/saved_scores.h"
#include "webstrata/rank/freshness.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse_to_rank(const std::string& message) {
  throw Error(ErrorKind::BadInput, message);
}

}  // namespace

double freshness_seconds(const std::string& word) {
  const Time seconds = parse_range(word);
  if (seconds > 0) return static_cast<double>(seconds);
  refuse_to_rank(fmt::format("freshness {}: not a length of time such as 90d or 1y", word));
}

GraphSource source_to_rank(const GraphWords& graph, const RankWords& words) {
  GraphSource source = graph_of(graph);
  if (!words.start.empty()) require_archive_nodes(source, "--start");
  if (!words.save.empty()) require_archive_nodes(source, "--save");
  if (words.freshness.empty()) return source;
  if (!source.archive) {
    refuse_to_rank(fmt::format("freshness: {} is a graph file, which has no times", graph.word));
  }
  source.request.link_columns.seen = true;
  return source;
}

void label(std::vector<GraphToRank>& graphs) {
  using LabelOf = std::string (*)(const GraphToRank&);
  const LabelOf ways[] = {
      [](const GraphToRank& one) { return one.source.date; },
      [](const GraphToRank& one) { return one.name; },
      [](const GraphToRank& one) { return one.word; },
  };
  for (const LabelOf label_of : ways) {
    std::set<std::string> labels;
    for (GraphToRank& one : graphs) labels.insert(one.label = label_of(one));
    if (labels.size() == graphs.size() && !labels.contains("")) return;
  }
  refuse_to_rank("the same graph is given twice");
}

RankingResult ranked(const Ranking& ranking, const GraphSource& source, const Snapshot& graph,
                     const RankWords& words, RankingOptions options) {
  const double fades = words.freshness.empty() ? 0 : freshness_seconds(words.freshness);
  std::vector<double> preference, weights, start;
  if (!words.preference.empty()) preference = read_preference(graph, words.preference);
  if (fades > 0) weights = freshness_weights(graph, fades);
  if (!words.start.empty()) {
    start = load_node_scores(source, graph, words.start, 1.0 / graph.node_count());
  }
  options.pagerank.start = start;
  options.pagerank.preference = preference;
  options.pagerank.link_weights = weights;
  return ranking.run(graph, options);
}

}  // namespace webstrata
