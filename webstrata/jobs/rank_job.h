// SPDX-License-Identifier: Apache-2.0

// Rankings of graphs in the words of users: where PageRank jumps to, how links fade, and which
// saved scores it begins with.
//
//   std::vector<GraphToRank> graphs = {{"lib.ws@2021", "lib.ws@2021", "", source_to_rank(…)}};
//   const Snapshot graph = load(graphs[0].source, work);
//   const RankingResult result = ranked(ranking, graphs[0].source, graph, words, options);

#pragma once

#include <string>
#include <vector>

#include "webstrata/graph/snapshot.h"
#include "webstrata/rank/rankings.h"
#include "webstrata/words/graph_word.h"

namespace webstrata {

// Empty: not asked for. The first three are for PageRank only.
struct RankWords {
  std::string preference;  // a file
  std::string freshness;   // "90d"
  std::string start;       // saved scores to begin with
  std::string save;        // the name under which any ranking's scores are saved
};

// A graph to rank, and what tells it from the others.
struct GraphToRank {
  std::string word;  // as it was typed
  std::string name;  // without the folders of this computer
  std::string label;
  GraphSource source;
};

// In seconds. Throws Error(BadInput).
double freshness_seconds(const std::string& word);

// The graph of `graph`, with the columns that `words` need. Throws Error(BadInput) if it cannot
// have them.
GraphSource source_to_rank(const GraphWords& graph, const RankWords& words);

// Dates are enough for graphs of one archive; else names; else the words as they were typed. Throws
// Error(BadInput) if one is there twice.
void label(std::vector<GraphToRank>& graphs);

// Ranks `graph`, which was loaded from `source`.
RankingResult ranked(const Ranking& ranking, const GraphSource& source, const Snapshot& graph,
                     const RankWords& words, RankingOptions options);

}  // namespace webstrata
