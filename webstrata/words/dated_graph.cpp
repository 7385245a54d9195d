// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/dated_graph_test.cpp and tests/cli/dated_graphs_test.py.

#include "webstrata/words/dated_graph.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/graph_file.h"
#include "webstrata/words/dates.h"

namespace webstrata {

DatedGraph dated_graph_of(std::string_view what, std::string_view word) {
  const std::size_t at = word.rfind('@');
  if (at == std::string_view::npos || at == 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} {}: its date is missing; write GRAPH@DATE, as in {}@2024-05", what,
                            word, at == 0 ? "cc-main-2024-host" : word));
  }
  DatedGraph graph;
  graph.path = word.substr(0, at);
  graph.time =
      parse_date_word(fmt::format("{} {}", what, word.substr(0, at + 1)), word.substr(at + 1))
          .first;
  recognise_graph(graph.path);  // throws if there is nothing
  return graph;
}

std::vector<DatedGraph> dated_graphs_of(std::string_view what,
                                        const std::vector<std::string>& words,
                                        std::string_view names_what,
                                        const std::vector<std::string>& names) {
  if (!names.empty() && names.size() != words.size()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: give one for each {}, in the same order: there are {} for {}",
                            names_what, what, names.size(), words.size()));
  }
  std::vector<DatedGraph> graphs;
  for (std::size_t i = 0; i < words.size(); ++i) {
    graphs.push_back(dated_graph_of(what, words[i]));
    if (!names.empty()) graphs.back().names = names[i];
  }
  return graphs;
}

}  // namespace webstrata
