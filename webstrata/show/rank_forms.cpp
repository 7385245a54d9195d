// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/rank_test.py.

#include "webstrata/show/rank_forms.h"

#include <fmt/format.h>

#include "webstrata/base/json.h"

namespace webstrata {

Cells rank_columns(const RankedWhere& where) {
  return where.label.empty() ? Cells{"score", "url"} : Cells{"graph", "score", "url"};
}

Cells rank_cells(const Snapshot& graph, Node node, double score, const RankedWhere& where) {
  Cells cells = {fmt::format("{}", score), graph.name(node)};
  if (!where.label.empty()) cells.emplace(cells.begin(), where.label);
  return cells;
}

std::string rank_as_json(const Snapshot& graph, Node node, double score, const RankedWhere& where) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  if (!where.graph.empty()) json.field("graph", where.graph);
  if (!where.date.empty()) json.field("date", where.date);
  json.field("node", node).field("url", graph.name(node));
  json.field("score", score).end_object();
  return line;
}

}  // namespace webstrata
