// SPDX-License-Identifier: Apache-2.0

// Scores as a page with pictures: their distribution, the highest, and what rises and falls when
// the same graph is ranked at several dates.

#pragma once

#include <span>
#include <string>

#include "webstrata/graph/snapshot.h"
#include "webstrata/rank/rankings.h"
#include "webstrata/report/html_report.h"

namespace webstrata {

struct RankedGraph {
  std::string name;   // as the user typed it
  std::string label;  // what distinguishes it from the others: its date, or its name
  Snapshot graph;
  RankingResult result;
};

struct RankPage {
  std::string ranking;  // "pagerank"
  std::string level;    // "page"
  std::string command;  // how the page was made, without the folders of this computer
  std::string chance;   // one sentence: which seed the scores depend on, or none
};

// At least one graph, in the order of dates; none is empty.
report::HtmlReport rank_report(std::span<const RankedGraph> graphs, const RankPage& page);

}  // namespace webstrata
