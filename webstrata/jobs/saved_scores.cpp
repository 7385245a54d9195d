// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/rank_test.py.

#include "webstrata/jobs/saved_scores.h"

#include <fmt/format.h>

#include "webstrata/archive/ask/scores.h"
#include "webstrata/base/error.h"

namespace webstrata {

void require_archive_nodes(const GraphSource& source, const std::string& flag) {
  if (!source.archive) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: scores are kept in archives, and {} is a graph file", flag,
                            source.file.string()));
  }
  if (source.request.view.level != Level::Page || source.request.view.fold) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: archives keep scores of single pages; leave level and fold out", flag));
  }
}

void save_node_scores(const GraphSource& source, const Snapshot& graph, const std::string& name,
                      std::span<const double> scores) {
  const Archive& archive = source.archive.value();
  std::vector<double> column(archive.node_count(), missing_score());
  for (Node node = 0; node < graph.node_count(); ++node) {
    column[graph.uid(node).value()] = scores[node];
  }
  save_scores(archive.path(), name, archive.manifest().generation, column);
}

std::vector<double> load_node_scores(const GraphSource& source, const Snapshot& graph,
                                     const std::string& name, double missing) {
  const std::vector<double> column = load_scores(source.archive.value(), name);
  std::vector<double> scores(graph.node_count());
  for (Node node = 0; node < graph.node_count(); ++node) {
    const double score = column[graph.uid(node).value()];
    scores[node] = is_missing(score) ? missing : score;
  }
  return scores;
}

}  // namespace webstrata
