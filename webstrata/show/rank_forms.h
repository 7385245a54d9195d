// SPDX-License-Identifier: Apache-2.0

// The output of `rank`: a line per node.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// Which of several graphs a line is about; empty: there is only one.
struct RankedWhere {
  std::string_view label;
  std::string_view graph;  // as it was typed
  std::string_view date;   // empty: ever
};

// Label, score and name, with tabs; both without the end of the line.
std::string rank_line(const Snapshot& graph, Node node, double score, const RankedWhere& where);
std::string rank_as_json(const Snapshot& graph, Node node, double score, const RankedWhere& where);

}  // namespace webstrata
