// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/dated_graph_test.cpp and tests/cli/dated_graphs_test.py.

#include "webstrata/words/dated_graph.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/arc_labels.h"
#include "webstrata/graph/graph_file.h"
#include "webstrata/words/dates.h"

namespace webstrata {

namespace {

Time time_of(std::string_view what, std::string_view graph, std::string_view date) {
  return parse_date_word(fmt::format("{} {}@", what, graph), date).first;
}

}  // namespace

DatedGraph dated_graph_of(std::string_view what, std::string_view word) {
  const std::size_t at = word.rfind('@');
  if (at == std::string_view::npos || at == 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} {}: its date is missing; write GRAPH@DATE, as in {}@2024-05", what,
                            word, at == 0 ? "cc-main-2024-host" : word));
  }
  DatedGraph graph;
  graph.path = word.substr(0, at);
  graph.time = time_of(what, word.substr(0, at), word.substr(at + 1));
  recognise_graph(graph.path);  // throws if there is nothing
  return graph;
}

std::vector<DatedGraph> dated_snapshots_of(std::string_view what, std::string_view word,
                                           std::string_view names) {
  constexpr unsigned kSnapshotsMax = 64;
  const std::size_t at = word.rfind('@');
  const auto links =
      at == std::string_view::npos || at == 0 ? std::nullopt : underlying_graph(word.substr(0, at));
  if (!links) {
    DatedGraph graph = dated_graph_of(what, word);
    graph.names = names;
    return {graph};
  }
  recognise_graph(*links);
  DatedGraph graph{.path = *links, .labels = word.substr(0, at)};
  graph.names = names.empty() ? names_next_to(bvgraph_base(graph.labels)) : names;
  std::vector<DatedGraph> graphs;
  for (std::string_view dates = word.substr(at + 1);;) {
    const std::size_t comma = std::min(dates.find(','), dates.size());
    graph.time = time_of(what, word.substr(0, at), dates.substr(0, comma));
    graph.label_bit = static_cast<unsigned>(graphs.size());
    graphs.push_back(graph);
    if (comma == dates.size()) return graphs;
    dates.remove_prefix(comma + 1);
    if (graphs.size() == kSnapshotsMax) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{} {}: more than {} dates", what, word, kSnapshotsMax));
    }
  }
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
    const std::string_view names_of_this = names.empty() ? std::string_view() : names[i];
    for (DatedGraph& graph : dated_snapshots_of(what, words[i], names_of_this)) {
      graphs.push_back(std::move(graph));
    }
  }
  return graphs;
}

}  // namespace webstrata
