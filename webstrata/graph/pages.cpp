// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/survival_test.cpp and tests/graph/pages_test.cpp.

#include "webstrata/graph/pages.h"

namespace webstrata {

bool is_page(const Snapshot& graph, Node node) {
  const NodeColumns& columns = graph.node_columns();
  if (const auto captures = columns.captures[node]; captures && *captures == 0) return false;
  const auto outcome = columns.outcome[node];
  return !outcome || (*outcome != Outcome::Gone && *outcome != Outcome::SoftGone);
}

std::vector<Node> pages_of(const Snapshot& graph) {
  std::vector<Node> pages;
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (is_page(graph, node)) pages.push_back(node);
  }
  return pages;
}

Snapshot within_scope(const Snapshot& graph, Scope scope) {
  const Column<std::uint32_t>& captures = graph.node_columns().captures;
  if (scope == Scope::All || captures.empty()) return graph;
  SnapshotBuilder builder(graph.node_count());
  std::vector<Node> kept;
  for (Node node = 0; node < graph.node_count(); ++node) {
    kept.clear();
    for (const Node target : graph.successors(node)) {
      if (captures[target] != 0U) kept.push_back(target);
    }
    builder.add(node, kept);
  }
  return graph.with_links_of(builder.finish());
}

std::optional<Node> survivor(const Snapshot& old, const Snapshot& newer, Node node) {
  const std::optional<Node> found = newer.find(old.name(node));
  const bool is_there =
      found && is_page(newer, *found) && newer.node_columns().outcome[*found] != Outcome::Moved;
  return is_there ? found : std::nullopt;
}

}  // namespace webstrata
