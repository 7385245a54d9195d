// SPDX-License-Identifier: Apache-2.0

// The bipartite cores of a graph, best first: rank by HITS, remove the best core, rank again.
//
//   const CoresResult found = extract_cores(graph, 56);
//   found.cores[0].hubs;                        // pages that link to ...
//   found.cores[0].authorities;                 // ... what they agree on
//   found.cores.size() < 56 && found.ended == CoresEnd::NoLinks;
//
// Links inside a host are for navigation and would make every large site a core, so they are left
// out first. A core is removed from the graph with all links at its nodes: cores do not overlap.
// HITS starts from its previous result, since a removal changes little; every node keeps a small
// share of the start, so that no part of the graph is lost.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "webstrata/seeds/bipartite_core.h"

namespace webstrata {

struct ExtractionOptions {
  CoreOptions core = {};
  int hits_iterations = 60;   // K of the paper
  double hits_tolerance = 0;  // above 0: HITS ends earlier once its scores change no more than this
  bool cold_start = false;    // HITS begins with ones each time, as in the paper
  bool inner_links = false;   // keep links inside hosts; else the graph needs names
  WorkOptions work = {};
};

enum class CoresEnd : std::uint8_t {
  Count,    // the requested number was found
  NoLinks,  // no links are left
};
std::string_view to_string(CoresEnd end) noexcept;

// Finds them one by one. Keeps one byte and two doubles per node, and the graph without the ignored
// links.
class CoreExtractor {
 public:
  // Throws Error(BadInput) if an option is out of range, or if the graph has no names and links
  // inside hosts should not count.
  explicit CoreExtractor(const Snapshot& graph, const ExtractionOptions& options = {});

  // The best remaining core, which is then removed from the graph; empty without links.
  // Time O(hits_iterations * (nodes + links)), then as grow_core().
  std::optional<BipartiteCore> next();
  // Without links inside hosts, but including the removed cores.
  [[nodiscard]] const Snapshot& graph() const noexcept { return graph_; }

 private:
  void remove(const std::vector<Node>& nodes);
  void rank_again();

  ExtractionOptions options_;
  Snapshot graph_;
  std::vector<std::uint8_t> removed_;
  std::vector<double> hubs_;
  std::vector<double> authorities_;
  std::uint64_t found_ = 0;
};

struct CoresResult {
  std::vector<BipartiteCore> cores;
  CoresEnd ended = CoresEnd::Count;
};

// Throws as CoreExtractor does.
CoresResult extract_cores(const Snapshot& graph, std::uint64_t count,
                          const ExtractionOptions& options = {});

}  // namespace webstrata
