// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/score_columns_test.cpp.

#include "webstrata/graph/score_columns.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/ask/link_scores.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

void require_uids(const Archive& archive, const Snapshot& graph, std::string_view name) {
  if (graph.has_uids()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: the scores '{}' are of pages; hosts, domains and joined spellings "
                          "have none",
                          archive.path().string(), name));
}

// Both lists ascend, so one pass finds what they share.
void set_row(const Snapshot& graph, const LinkScoreRow& row, Node source, Column<double>& column) {
  const auto targets = graph.successors(source);
  std::size_t place = 0;
  for (const LinkScore& link : row.links) {
    const auto target = graph.node(link.target);
    if (!target) continue;
    while (place < targets.size() && targets[place] < *target) ++place;
    if (place == targets.size()) return;
    if (targets[place] == *target && !is_missing(link.value)) {
      column.set(graph.first_link(source) + place, link.value);
    }
  }
}

}  // namespace

Column<double> node_scores_of(const Archive& archive, const Snapshot& graph,
                              std::string_view name) {
  require_uids(archive, graph, name);
  const std::vector<double> scores = load_scores(archive, name);
  Column<double> column(graph.node_count());
  for (Node node = 0; node < graph.node_count(); ++node) {
    const double score = scores[*graph.uid(node)];
    if (!is_missing(score)) column.set(node, score);
  }
  return column;
}

Column<double> link_scores_of(const Archive& archive, const Snapshot& graph,
                              std::string_view name) {
  require_uids(archive, graph, name);
  Column<double> column(graph.link_count());
  visit_link_scores(archive, name, [&](const LinkScoreRow& row) {
    if (const auto source = graph.node(row.source)) set_row(graph, row, *source, column);
  });
  return column;
}

Snapshot with_scores(const Archive& archive, const Snapshot& graph, const std::string& name) {
  NodeColumns nodes = graph.node_columns();
  nodes.scores[name] = node_scores_of(archive, graph, name);
  const Snapshot scored = graph.with_node_columns(std::move(nodes));
  const auto names = link_score_names(archive);
  if (std::ranges::find(names, name) == names.end()) return scored;
  LinkColumns links = graph.link_columns();
  links.scores[name] = link_scores_of(archive, graph, name);
  return scored.with_link_columns(std::move(links));
}

}  // namespace webstrata
