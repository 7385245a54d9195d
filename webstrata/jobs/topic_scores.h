// SPDX-License-Identifier: Apache-2.0

// How much pages and links are about a topic: out of a file of scores, or out of the columns that
// `build --topic` saved in an archive.
//
//   http://a.example/ <tab> 1.69                            a page
//   http://a.example/ <tab> http://a.example/b <tab> 1      a link
//
// Empty lines and lines that begin with '#' are passed over; who is not named scores 0.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/words/graph_word.h"

namespace webstrata {

struct TopicScoresOfGraph {
  std::vector<double> node_scores;  // one for each node
  std::vector<double> link_scores;  // one for each link
  std::uint64_t unknown = 0;        // lines about pages and links that the graph does not have
};

// Throws Error(NotFound) if `topic` is neither a file nor a column of the graph's archive, and
// Error(BadInput), with file and line, for scores that are negative or no numbers, and if no line
// is about the graph.
TopicScoresOfGraph topic_scores(const std::string& topic, const GraphSource& source,
                                const Snapshot& graph);

}  // namespace webstrata
