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
#include <string_view>
#include <vector>

#include "webstrata/words/graph_word.h"

namespace webstrata {

// What the numbers of a file are.
enum class Smooth : std::uint8_t {
  None,  // scores
  Log,   // counts x, which become scores 1 + ln x
};
// "none", "log". `what` names the word in messages. Throws Error(BadInput).
Smooth parse_smooth_word(std::string_view what, std::string_view word);

struct TopicScoresOfGraph {
  std::vector<double> node_scores;  // one for each node
  std::vector<double> link_scores;  // one for each link
  std::uint64_t unknown = 0;        // lines about pages and links that the graph does not have
};

// Throws Error(NotFound) if `topic` is neither a file nor a column of the graph's archive, and
// Error(BadInput), with file and line, for scores that are negative or no numbers, for counts
// between 0 and 1, if no line is about the graph, and for counts of a column, which has scores.
TopicScoresOfGraph topic_scores(const std::string& topic, const GraphSource& source,
                                const Snapshot& graph, Smooth smooth = Smooth::None);

}  // namespace webstrata
