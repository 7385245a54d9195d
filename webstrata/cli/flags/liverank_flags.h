// The flags of `liverank`, `liverank plan` and `liverank learn`, and what their words mean.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/probe_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

// What a plan depends on beside the graph.
struct MethodFlags {
  std::string method = "auto";
  std::uint64_t seed = 1;
  std::string sample;       // "pagerank", "systematic", ...
  std::string sample_size;  // "500", "0.01", "1%", "40% of budget"
  bool no_neighbours = false;
  std::string ties;
  double round = -1;  // below 0: the method's own
  std::string site = "auto";
  std::string unsampled = "last";
  std::string target = "present";
  std::string scope = "captured";
  bool undirected = false;
};

struct LiveRankFlags {
  GraphFlags graph;
  MethodFlags method;
  std::string truth;
  std::string same = "auto";
  std::string active_within = "180d";
  std::optional<std::uint64_t> budget;
  double alpha = 1;
  double price = 0;
  std::uint32_t dead_host_tests = 0;
  std::string why;
  std::string compare;
  std::uint32_t seeds = 5;
  std::string csv;     // a file, or a folder for the numbers of all pictures
  std::string report;  // a page with pictures
  std::uint64_t per_day = 0;
  std::string order;
  unsigned shards = 1;
  std::optional<std::size_t> batch;
  bool asks = false;  // --probe: real requests
  ProbeFlags probe;
  std::string found;  // where the outcomes go
  bool update = false;
  std::string state;                   // of plan and learn
  std::string results;                 // of learn
  std::optional<std::uint64_t> tests;  // of a plan
  bool json = false;
  bool quiet = false;
};

void declare_run(FlagSet& app, LiveRankFlags& flags);
void declare_plan(FlagSet& app, LiveRankFlags& flags);
void declare_learn(FlagSet& app, LiveRankFlags& flags);

// These throw Error(BadInput) for words that mean nothing.
PlannerOptions planner_options_of(const MethodFlags& flags, std::optional<std::uint64_t> budget,
                                  const WorkOptions& work);
PopulationOptions population_options_of(const MethodFlags& flags, const WorkOptions& work);
TruthOptions truth_options_of(const LiveRankFlags& flags);

// The settings that a plan depends on, as the state file keeps them.
std::map<std::string, std::string> settings_of(const LiveRankFlags& flags);

}  // namespace webstrata
