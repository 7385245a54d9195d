// SPDX-License-Identifier: Apache-2.0

// A LiveRank run in the words of users: against what is known, or with requests to the web.
//
//   LiveRunner runner(field.pages, words, work);
//   const LiveRun run = runner.run_against(truth);

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "webstrata/jobs/live_words.h"
#include "webstrata/jobs/probe_oracle.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/run.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

struct LiveRunWords : CampaignWords {
  double alpha = 1;
  double price = 0;
  std::optional<std::size_t> batch;  // tests at a time; empty: set by the method
};

// The pages to test first, best first: as many as the budget allows, or as the method likes.
std::vector<Node> first_plan(const Population& pages, const CampaignWords& words,
                             const WorkOptions& work);

// Runs a planner with requests to the web, in larger batches than a method would choose by itself,
// so that many hosts are busy.
LiveRun run_probing(Planner& planner, ProbeOracle& probes, RunOptions options);

// Makes one run. `pages` must outlive it.
class LiveRunner {
 public:
  // Throws Error(BadInput) for words that mean nothing.
  LiveRunner(const Population& pages, const LiveRunWords& words, const WorkOptions& work);

  LiveRun run_against(const Truth& truth);
  LiveRun run_probing(ProbeOracle& probes);

  // What it knows afterwards.
  [[nodiscard]] Planner& planner() { return *planner_; }

 private:
  std::unique_ptr<Planner> planner_;
  std::unique_ptr<UrlLevel> domains_;  // if a dead domain ends its tests
  RunOptions options_;
};

}  // namespace webstrata
