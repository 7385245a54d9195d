// SPDX-License-Identifier: Apache-2.0

// The flags of `webstrata seeds`, and what their words mean.

#pragma once

#include <cstdint>
#include <string>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/seeds/evaluation.h"
#include "webstrata/seeds/graph_tables.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {

struct SeedsFlags {
  GraphFlags graph;
  std::string method = "pandora";
  SeedOptions options;
  std::string growth = "either";
  std::string hub = "random";
  std::string truth;
  std::string survival;  // empty: the default
  std::string replace;
  bool evaluates = false;
  std::string evaluated;        // empty: GRAPH itself
  std::uint32_t depth_max = 0;  // 0: the default
  std::string scope = "captured";
  std::string cores_file;
  bool distances = false;
  bool degrees = false;
  std::uint32_t bootstrap = 100;
  bool why = false;
  std::string form = "list";
  std::string report;
  std::string csv;  // a folder
  TableFlags table;
  bool json = false;
  bool quiet = false;

  const FlagSet* words = nullptr;  // all of these, as they were typed
};

void declare_seeds(FlagSet& app, SeedsFlags& flags);

// Both throw Error(BadInput) for words that mean nothing, or nothing together.
void check(const SeedsFlags& flags);
SeedOptions options_of(const SeedsFlags& flags);
GraphTablesOptions tables_options_of(const SeedsFlags& flags, const WorkOptions& work);
EvaluationOptions evaluation_options_of(const SeedsFlags& flags, const WorkOptions& work);

}  // namespace webstrata
