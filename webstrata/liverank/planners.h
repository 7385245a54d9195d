// SPDX-License-Identifier: Apache-2.0

// The LiveRank methods by name: what `liverank --by` offers.
//
//   const auto planner = make_planner("pa-ratio", pages, {.sample = {.size = 0.05}});
//
// A method is one file (<name>_planner.cpp) and one entry of the list.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/liverank/lore_parameters.h"
#include "webstrata/liverank/planner.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/sampling.h"

namespace webstrata {

// What `asf` does with sites that have no page in the sample.
enum class UnsampledSites : std::uint8_t {
  Last,      // after all others, as the papers do
  MeanRate,  // where a site with the sample's overall rate would be
};

struct PlannerOptions {
  std::uint64_t seed = 1;  // of all that is random
  // For methods that begin with a sample; empty: that of the method's entry.
  std::optional<SampleOptions> sample = {};
  std::optional<TieRule> ties = {};
  // pa, pa-ratio, pb: not 0: rank again after this number of tests (dynamic); below 1: a share of
  // the pages. 0: once, after the sample (two rounds). Empty: each method's default.
  std::optional<double> round = {};
  double damping = 0.85;  // pa, pa-ratio, recursive; PopulationOptions has that of PageRank
  // Push stops below this amount per link (rank/ppr.h); dynamic pa, pa-ratio, pb.
  double push_epsilon = 1e-4;
  UnsampledSites unsampled_sites = UnsampledSites::Last;
  std::optional<std::uint32_t> site_directories = {};  // asf: sites_of
  LoreParameters lore = {};                            // lore, auto
  BetaParameters pb = {};                              // pb
  WorkOptions work = {};
};

enum class PlannerClass : std::uint8_t { Static, SampleBased, Dynamic };
std::string_view to_string(PlannerClass planner_class) noexcept;

// Who described the method: Huynh, Mathieu and Viennot, or this project.
enum class PlannerSource : std::uint8_t { Papers, Ours };

// What of a method depends on the seed.
enum class Chance : std::uint8_t {
  None,    // nothing
  Sample,  // a sample that is drawn at random; all else follows from the answers
  Order,   // the order of its tests, whatever the sample
};

struct PlannerEntry {
  std::string_view name;
  std::string_view summary;
  PlannerClass planner_class;
  PlannerSource source;
  Chance chance;
  SampleOptions sample;  // that it begins with, unless options say otherwise
  // `pages` must outlive the planner.
  std::unique_ptr<Planner> (*make)(const Population& pages, const PlannerOptions& options);
};

const std::vector<PlannerEntry>& planners();
// Throws Error(BadInput) that lists the names.
const PlannerEntry& planner_entry(std::string_view name);
// Throws Error(BadInput) also if an option is out of range.
std::unique_ptr<Planner> make_planner(std::string_view name, const Population& pages,
                                      PlannerOptions options = {});
// How many of its first tests are drawn uniformly from all pages, so that the number of live pages
// can be estimated from them: its sample, if that is random or systematic; all tests of `random`.
struct UniformTests {
  std::uint64_t count = 0;
  bool is_systematic = false;
};
UniformTests uniform_tests(std::string_view name, const Population& pages,
                           const PlannerOptions& options);

}  // namespace webstrata
