// SPDX-License-Identifier: Apache-2.0

// The graphs that rank_bench measures on.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct BenchFolders {
  std::string source;   // of the project
  std::string shared;   // holds data/law and data/debweb
  std::string scratch;  // where data is made once and kept
};

inline const std::vector<std::string> kBenchGraphs = {"cnr-2000", "debweb", "kron20"};

inline constexpr std::uint64_t kKroneckerSeed = 20;

// cnr-2000: pages of Italy's CNR, in URL order. debweb: everything that two releases of a
// documentation web ever held, out of an archive that the program builds. kron20: Graph500's
// R-MAT with 2^20 nodes and 16 links each before repeated ones go, both ways, nodes shuffled;
// drawn with kKroneckerSeed. Throws Error if the data is not there.
Snapshot bench_graph(const std::string& name, const BenchFolders& folders);

}  // namespace webstrata
