// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/survival_test.cpp.

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

std::optional<Node> survivor(const Snapshot& old, const Snapshot& newer, Node node) {
  const std::optional<Node> found = newer.find(old.name(node));
  const bool is_there =
      found && is_page(newer, *found) && newer.node_columns().outcome[*found] != Outcome::Moved;
  return is_there ? found : std::nullopt;
}

}  // namespace webstrata
