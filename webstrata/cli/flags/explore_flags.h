// SPDX-License-Identifier: Apache-2.0

// The flags of `webstrata explore`, and what their words mean.

#pragma once

#include <cstdint>
#include <string>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/explore/recrawl_plan.h"
#include "webstrata/explore/seed_sets.h"
#include "webstrata/explore/simulator.h"
#include "webstrata/graph/pages.h"
#include "webstrata/show/explore_study.h"

namespace webstrata {

struct ExploreFlags {
  GraphFlags graph;
  std::string topic;
  std::string smooth = "none";
  std::string scope;  // empty: captured
  std::string estimator = "extra";
  std::string experts;  // a list; empty: the default
  std::string compare;  // "all" or a list; empty: one crawl
  bool optimum = false;
  std::string strategies;  // lists; empty: the default
  std::string refreshes;
  std::uint64_t budget = 0;
  std::string rate;  // "300/15m"
  std::string time;  // "7d"
  std::uint64_t refresh = 1;
  StrategyOptions strategy;
  std::string ties = "first";
  std::string value = "sum";
  EstimatorOptions options;
  std::string recrawl;  // "30d"
  std::string policy = "hedged";
  bool off_site = false;
  std::string seeds;     // a file
  std::string seeds_by;  // a method of `seeds`
  SeedSetOptions sets{.sets = 0};
  std::string csv;
  std::string report;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

void declare_explore(FlagSet& app, ExploreFlags& flags);

// All throw Error(BadInput) for words that mean nothing, or nothing together.
void check(const ExploreFlags& flags);
// Pages, not counting seeds.
std::uint64_t budget_of(const ExploreFlags& flags);
EstimatorOptions estimator_options_of(const ExploreFlags& flags);
ExploreOptions options_of(const ExploreFlags& flags, const WorkOptions& work);
RecrawlOptions recrawl_options_of(const ExploreFlags& flags);
// Which links a simulated crawl may follow.
Scope scope_of(const ExploreFlags& flags);
ComparisonParts parts_of(const ExploreFlags& flags);

}  // namespace webstrata
