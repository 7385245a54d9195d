// SPDX-License-Identifier: Apache-2.0

// The flags of `liverank`, `liverank plan` and `liverank learn`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/probe_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/jobs/live_run.h"

namespace webstrata {

struct LiveRankFlags : LiveRunWords {
  GraphFlags graph;
  std::string truth;
  std::string truth_urls;  // of a truth that is a BVGraph
  std::string why;
  std::string compare;
  std::uint32_t seeds = 5;
  std::string csv;     // a file, or a folder for the numbers of all pictures
  std::string report;  // a page with pictures
  std::uint64_t per_day = 0;
  std::string order;
  unsigned shards = 1;
  bool asks = false;  // --probe: real requests
  ProbeFlags probe;
  std::string found;  // where the outcomes go
  bool update = false;
  std::string state;                   // of plan and learn
  std::string results;                 // of learn
  std::optional<std::uint64_t> tests;  // of a plan
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

void declare_run(FlagSet& app, LiveRankFlags& flags);
void declare_plan(FlagSet& app, LiveRankFlags& flags);
void declare_learn(FlagSet& app, LiveRankFlags& flags);

// Throws Error(BadInput) for words that mean nothing, or nothing together.
void check(const LiveRankFlags& flags);

// Whether --csv names a folder: one that is there, or a word that ends like one.
bool has_csv_folder(const LiveRankFlags& flags);
// Whether there will be pictures, or their numbers.
bool draws(const LiveRankFlags& flags);

}  // namespace webstrata
