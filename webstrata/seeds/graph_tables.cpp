// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/seeds_test.py; the fit by tests/rank/power_law_test.cpp.

#include "webstrata/seeds/graph_tables.h"

#include <vector>

#include "webstrata/graph/levels.h"

namespace webstrata {

GraphTables graph_tables(const Snapshot& graph, const GraphTablesOptions& options) {
  GraphTables tables{.nodes = graph.node_count(), .links = graph.link_count()};
  if (graph.has_names()) {
    tables.links_between_hosts = without_links_inside_hosts(graph, options.fit.work).link_count();
  }
  if (!options.fits_degrees) return tables;
  std::vector<std::uint64_t> in;
  std::vector<std::uint64_t> out;
  for (Node node = 0; node < graph.node_count(); ++node) {
    in.push_back(graph.in_degree(node));
    out.push_back(graph.out_degree(node));
  }
  tables.in_degrees = fit_power_law(in, options.fit);
  tables.out_degrees = fit_power_law(out, options.fit);
  return tables;
}

}  // namespace webstrata
