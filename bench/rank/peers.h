// SPDX-License-Identifier: Apache-2.0

// The peers of rank_bench: igraph, NetworKit and scipy in Python (bench/rank_peers.py), and
// WebGraph's Rust library, a program that cargo builds once (bench/rank_webgraph), if it can.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/rank/graphs.h"
#include "bench/timing.h"

namespace webstrata {

// The best run of each contestant, by "score: program, N threads"; items are iterations.
using Results = std::map<std::string, Run>;

std::string contestant(const std::string& score, const std::string& program, unsigned threads);
void keep(Results& results, const std::string& name, const Run& run);

inline const std::vector<std::string> kRankPeers = {"igraph", "scipy", "networkit", "webgraph"};

class RankPeers {
 public:
  // Those of `wanted` that are available; prints which are not. Compiling WebGraph takes minutes,
  // the first time.
  RankPeers(const BenchFolders& folders, const std::string& python,
            const std::vector<std::string>& wanted);

  // Writes the links to a file that they can read, and returns its path.
  [[nodiscard]] std::string write_links(const Snapshot& graph, const std::string& name) const;
  // Each this often after a call that does not count, for these scores ("pagerank", "hits").
  void run(const std::string& links, const Snapshot& graph, unsigned threads, int repetitions,
           const std::vector<std::string>& scores, Results& results) const;

 private:
  std::string scratch_;
  std::vector<std::string> commands_;  // links, nodes, threads, repetitions and scores follow
};

}  // namespace webstrata
