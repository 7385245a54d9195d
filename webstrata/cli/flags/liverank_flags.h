// SPDX-License-Identifier: Apache-2.0

// The flags of `liverank`, `liverank plan` and `liverank learn`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/probe_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/jobs/live_words.h"

namespace webstrata {

struct LiveRankFlags : CampaignWords {
  GraphFlags graph;
  std::string truth;
  double alpha = 1;
  double price = 0;
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

}  // namespace webstrata
