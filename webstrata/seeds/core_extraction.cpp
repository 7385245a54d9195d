// SPDX-License-Identifier: Apache-2.0

// Extract-Seeds of the paper (Figure 3), without the choice of seeds.
// Tested by tests/seeds/core_extraction_test.cpp.

#include "webstrata/seeds/core_extraction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/graph/levels.h"
#include "webstrata/rank/hits.h"

namespace webstrata {
namespace {

// What every node starts with in addition to its previous score, as a share of the mean. HITS
// multiplies by about (second eigenvalue / first)² each time: 60 iterations recover a hidden part.
constexpr double kStartShare = 1e-3;

Snapshot linked_between_hosts(const Snapshot& graph, const ExtractionOptions& options) {
  if (options.inner_links || graph.node_count() == 0) return graph;
  if (!graph.has_names()) {
    throw Error(ErrorKind::BadInput,
                "cores: the graph has no URLs, so links within hosts cannot be recognised; "
                "give a file of URLs or keep inner links");
  }
  return without_links_inside_hosts(graph, options.work);
}

void lift(std::vector<double>& scores) {
  const double share = kStartShare / std::sqrt(static_cast<double>(scores.size()));
  for (double& score : scores) score += share;
}

}  // namespace

std::string_view to_string(CoresEnd end) noexcept {
  return end == CoresEnd::Count ? "count" : "no-links";
}

CoreExtractor::CoreExtractor(const Snapshot& graph, const ExtractionOptions& options)
    : options_(options),
      graph_(linked_between_hosts(graph, options)),
      removed_(graph.node_count(), 0) {
  check(options.core);
  if (options.hits_iterations < 1) {
    throw Error(ErrorKind::BadInput, "iterations of HITS: at least 1");
  }
  if (!(options.hits_tolerance >= 0)) {
    throw Error(ErrorKind::BadInput, "tolerance of HITS: at least 0");
  }
}

void CoreExtractor::rank_again() {
  HitsOptions options;
  options.iterations = options_.hits_iterations;
  options.tolerance = options_.hits_tolerance;
  options.removed = removed_;
  options.work = options_.work;
  options.work.progress = {};  // progress is counted in cores
  if (!options_.cold_start && !hubs_.empty()) {
    lift(hubs_);
    options.start_hubs = hubs_;
  }
  HitsResult ranked = hits(graph_, options);
  hubs_ = std::move(ranked.hubs);
  authorities_ = std::move(ranked.authorities);
}

void CoreExtractor::remove(const std::vector<Node>& nodes) {
  for (const Node node : nodes) removed_[node] = 1;
}

std::optional<BipartiteCore> CoreExtractor::next() {
  options_.work.check_cancelled();
  if (graph_.link_count() == 0) return std::nullopt;
  rank_again();
  BipartiteCore core = grow_core(graph_, {hubs_, authorities_, removed_}, options_.core);
  if (core.end == CoreEnd::NoLinks) return std::nullopt;
  remove(core.hubs);
  remove(core.authorities);
  ++found_;
  if (options_.work.progress) options_.work.progress({"finding cores", found_, 0, "cores"});
  return core;
}

CoresResult extract_cores(const Snapshot& graph, std::uint64_t count,
                          const ExtractionOptions& options) {
  CoreExtractor extractor(graph, options);
  CoresResult result;
  while (result.cores.size() < count) {
    std::optional<BipartiteCore> core = extractor.next();
    if (!core) {
      result.ended = CoresEnd::NoLinks;
      break;
    }
    result.cores.push_back(std::move(*core));
  }
  return result;
}

}  // namespace webstrata
