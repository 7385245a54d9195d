// SPDX-License-Identifier: Apache-2.0

// What a LiveRank run and a campaign depend on besides the graph, as users write it.
//
//   const Population pages = population_of(graph, population_options_of(words.method, work));

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/liverank/comparison.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

struct MethodWords {
  std::string method = "auto";
  std::uint64_t seed = 1;
  std::string sample;       // "pagerank", "systematic", ...
  std::string sample_size;  // "500", "0.01", "1%", "40%-of-budget"
  bool no_neighbours = false;
  std::uint32_t per_site = 0;  // random pages of each site; 0: the sample does not look at sites
  std::string ties;
  double round = -1;          // below 0: the method's own
  std::string site = "auto";  // "host", "directory", or a number of directories
  std::string unsampled = "last";
  std::string target = "present";
  std::string scope = "captured";
  bool undirected = false;
  double damping = 0.85;
};

struct CampaignWords {
  MethodWords method;
  std::string same = "auto";
  std::string active_within = "180d";
  std::uint32_t dead_host_tests = 0;
  std::uint32_t dead_domain_tests = 0;
  std::optional<std::uint64_t> budget;
};

// These throw Error(BadInput) for words that mean nothing.
PlannerOptions planner_options_of(const MethodWords& words, std::optional<std::uint64_t> budget,
                                  const WorkOptions& work);
// The methods that --compare names, with the sample, ties, rounds and sites of `words`. `all` tries
// samples of its own, so it takes only ties, sites and damping.
std::vector<Contestant> contestants_of(std::string_view compare, const MethodWords& words);
PopulationOptions population_options_of(const MethodWords& words, const WorkOptions& work);
TruthOptions truth_options_of(const CampaignWords& words);

// The words as a campaign's state file keeps them, by name.
std::map<std::string, std::string> settings_of(const CampaignWords& words);

}  // namespace webstrata
