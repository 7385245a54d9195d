// SPDX-License-Identifier: Apache-2.0

// A campaign over days: `liverank plan` names pages, others test them, `liverank learn` takes the
// answers, and so on. A state file holds all of it as lines of text:
//
//   webstrata liverank 1
//   set <tab> by <tab> lore                  and other words that the plan depends on
//   asked <tab> url                          named in a plan
//   answer <tab> url <tab> gone              the word of the results, in the order of learning
//
// The planner is made again from it each time, so the same file gives the same plan.
//
//   LiveState state = begun_state("campaign.tsv", words);
//   const CampaignPlan plan = plan_campaign(state, graph, words, 500, hand_over, work);
//   write_live_state("campaign.tsv", state);

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/facts/outcome.h"
#include "webstrata/graph/hand_over.h"
#include "webstrata/jobs/live_words.h"
#include "webstrata/liverank/planner.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

struct LiveAnswer {
  std::string url;
  std::string word;  // as in truth_file.h
};

struct LiveState {
  std::map<std::string, std::string> settings;
  std::vector<std::string> asked;
  std::vector<LiveAnswer> answers;
};

// Throws Error(NotFound), Error(BadInput) that names the line.
LiveState read_live_state(const std::filesystem::path& path);
// The file appears whole or not at all.
void write_live_state(const std::filesystem::path& path, const LiveState& state);

// The state of a campaign that these words began, or of a new one if there is no such file. Throws
// also Error(BadInput) if it was begun with other words.
LiveState begun_state(const std::filesystem::path& path, const CampaignWords& words);

struct RestoreOptions {
  TruthOptions truth = {};
  std::uint32_t dead_host_tests = 0;  // as in RunOptions
  std::uint32_t dead_domain_tests = 0;
};

struct RestoreReport {
  LearnReport learned;
  std::uint64_t unknown_urls = 0;  // answers about pages that the graph does not have
  std::uint64_t settled = 0;       // pages of dead hosts and domains that no plan will name
};
// Tells a fresh planner what the campaign knows. What must be active counts back from the latest
// activity of all answers. Throws Error(BadInput) for a word that means nothing.
RestoreReport restore(const LiveState& state, const Population& pages,
                      const RestoreOptions& options, Planner& planner);

struct PlanRequest {
  std::string method = "auto";
  PlannerOptions options = {};
  bool has_sample_size = false;              // the user named one; else the first plan chooses
  std::optional<std::uint64_t> tests = {};   // pages to name; empty: as the method likes
  std::optional<std::uint64_t> budget = {};  // of all plans together
  RestoreOptions restore = {};
};

struct CampaignPlan {
  std::vector<Node> pages;  // to test next, best first
  RestoreReport known;
  std::uint64_t forgotten = 0;  // pages left out because the archive forgot them
  std::uint64_t decided = 0;
  std::uint64_t live = 0;
  std::uint64_t page_count = 0;        // of the population
  std::vector<std::string> urls = {};  // of `pages`
};

// Names the next pages, and notes them in `state`. What `hand_over` may not name leaves the state.
CampaignPlan next_plan(LiveState& state, const Population& pages, const PlanRequest& request,
                       const HandOver& hand_over);

// The same for a graph and words: makes the population, and names the URLs. `tests`: pages to name;
// empty: as the method likes. Throws Error(BadInput) for words that mean nothing.
CampaignPlan plan_campaign(LiveState& state, const Snapshot& graph, const CampaignWords& words,
                           std::optional<std::uint64_t> tests, const HandOver& hand_over,
                           const WorkOptions& work);

// Adds answers. Throws Error(BadInput) for a word that means nothing for the campaign's target.
std::uint64_t learn(LiveState& state, const std::vector<LiveAnswer>& answers);
// Adds the lines of a file of results (truth_file.h) to the answers; returns how many there were.
std::uint64_t learn(LiveState& state, const std::string& results);

}  // namespace webstrata
