// SPDX-License-Identifier: Apache-2.0

// The output of `rank`: a line per node.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/graph/snapshot.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// Which of several graphs a line is about; empty: there is only one.
struct RankedWhere {
  std::string_view label;
  std::string_view graph;  // as it was typed
  std::string_view date;   // empty: ever
};

// Label, if there is one, score and name.
Cells rank_columns(const RankedWhere& where);
Cells rank_cells(const Snapshot& graph, Node node, double score, const RankedWhere& where);
// Without the end of the line.
std::string rank_as_json(const Snapshot& graph, Node node, double score, const RankedWhere& where);

}  // namespace webstrata
