// SPDX-License-Identifier: Apache-2.0

// Where to begin a crawl: seeds chosen on an old graph, by any of the methods.
//
//   const SeedsResult chosen = choose_seeds(graph, "pandora", {.count = 10});
//   chosen.seeds[0].why;
//
//   // only pages that are still there:
//   choose_seeds(old, "cores", {.count = 10, .test = survival_by_name(old, newer)});

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/seeds/core_extraction.h"
#include "webstrata/seeds/coverage_sets.h"
#include "webstrata/seeds/seed_picker.h"
#include "webstrata/seeds/survival.h"

namespace webstrata {

enum class HubChoice : std::uint8_t { Random, Top };

struct PandoraOptions {
  CoverageOptions coverage = {};  // its seed and work come from SeedOptions
  double test_price = 0.002;      // of one test, as a share of all score
  // The belief about untested pages; by default GroupSurvival. Must outlive the choice.
  SurvivalModel* survival = nullptr;
};

struct SeedOptions {
  std::uint64_t count = 10;     // alive ones
  std::uint64_t seed = 1;       // of all that is random
  SurvivalTest test = {};       // empty: every page counts as alive, and nothing is tested
  std::uint64_t tests_max = 0;  // 0: as many as it takes
  std::span<const double> pagerank = {};  // one per node, if known; otherwise it is computed
  ExtractionOptions extraction = {};      // of cores; its work comes from here
  HubChoice hub_choice = HubChoice::Random;
  PandoraOptions pandora = {};
  WorkOptions work = {};
};

enum class SeedsEnd : std::uint8_t {
  Count,         // the requested number was found
  Tests,         // tests_max came first
  NoCandidates,  // the method has no more candidates
};
std::string_view to_string(SeedsEnd end) noexcept;

struct SeedsResult {
  std::vector<SeedCandidate> seeds;     // alive, in the order of choice
  std::vector<SeedCandidate> vanished;  // tested and not alive
  std::vector<Node> candidates;         // both of these, in the order of choice
  std::uint64_t tests = 0;
  SeedsEnd ended = SeedsEnd::Count;
  std::vector<BipartiteCore> cores;  // of the method `cores`: core i gave candidate i
};

struct SeedMethod {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<SeedPicker> (*make)(const Snapshot& graph, const SeedOptions& options);
};

const std::vector<SeedMethod>& seed_methods();
// Throws Error(BadInput) if there is none of that name.
const SeedMethod& seed_method(std::string_view name);

// Throws Error(BadInput) if an option is out of range, or if the graph has fewer pages than
// requested seeds; Error(Cancelled).
SeedsResult choose_seeds(const Snapshot& graph, std::string_view method,
                         const SeedOptions& options = {});

// PageRank of all nodes as the methods use it: damping 0.85, uniform. It sums to 1.
std::vector<double> seed_scores(const Snapshot& graph, const WorkOptions& work = {},
                                double tolerance = 1e-9);

}  // namespace webstrata
