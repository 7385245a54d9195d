// SPDX-License-Identifier: Apache-2.0

// Seeds as a page with pictures: the figures of the seeds paper (Daneshpajouh, Mohammadi Nasiri,
// Ghodsi 2008) for any graph and any method.

#pragma once

#include <optional>
#include <string>

#include "webstrata/report/html_report.h"
#include "webstrata/show/seeds_found.h"

namespace webstrata {

// What is drawn in addition to what the command prints.
struct SeedsPage {
  std::string graph_name;                    // the name of the seeds' graph as the user typed it
  std::string command;                       // how the page was made
  std::string newer_name = {};               // empty: there is no newer one
  SeedEvaluation evaluation = {};            // on the graph of the seeds
  std::optional<EvaluatedSeeds> newer = {};  // on the newer one
  std::optional<SeedSurvival> survival = {};
  std::optional<CoreDistances> distances = {};
  GraphTables tables = {};  // of the graph of the seeds
};

report::HtmlReport seeds_report(const Snapshot& graph, const SeedsFound& found,
                                const SeedsPage& page);

}  // namespace webstrata
