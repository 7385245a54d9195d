// SPDX-License-Identifier: Apache-2.0

// The size of a graph before and after links inside hosts are left out (Tables 1 and 2 of the paper
// on cores), and how its degrees are distributed.
//
//   const GraphTables tables = graph_tables(graph, {.fits_degrees = true});
//   tables.links_between_hosts, tables.in_degrees->exponent;

#pragma once

#include <cstdint>
#include <optional>

#include "webstrata/graph/snapshot.h"
#include "webstrata/rank/power_law.h"

namespace webstrata {

struct GraphTablesOptions {
  bool fits_degrees = false;
  PowerLawOptions fit = {};  // its work too is that of the whole
};

struct GraphTables {
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;
  std::optional<std::uint64_t> links_between_hosts = {};  // empty: the nodes have no names
  // Of nodes with links; empty if fewer than three different degrees occur, or none were fitted.
  std::optional<PowerLaw> in_degrees = {};
  std::optional<PowerLaw> out_degrees = {};
};

// Throws Error(Cancelled).
GraphTables graph_tables(const Snapshot& graph, const GraphTablesOptions& options = {});

}  // namespace webstrata
