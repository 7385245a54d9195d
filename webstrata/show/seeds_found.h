// SPDX-License-Identifier: Apache-2.0

// What `webstrata seeds` found, and its output: tables for people, JSON for programs.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "webstrata/graph/hand_over.h"
#include "webstrata/seeds/core_distances.h"
#include "webstrata/seeds/evaluation.h"
#include "webstrata/seeds/graph_tables.h"
#include "webstrata/seeds/replacement.h"
#include "webstrata/seeds/seed_methods.h"
#include "webstrata/show/seed_forms.h"

namespace webstrata {

struct EvaluatedSeeds {
  SeedEvaluation evaluation;
  std::uint64_t vanished = 0;  // seeds that the graph does not have
};

struct SeedsFound {
  std::string method;
  std::uint64_t seed = 0;
  std::uint64_t wanted = 0;
  SeedsResult chosen;
  std::vector<SeedLine> lines;  // the final seeds, including replacements
  std::vector<Replacement> replacements;
  std::vector<std::string> replaced_names;  // of the pages that vanished, in the same order
  std::optional<CoreDistances> distances;
  std::optional<EvaluatedSeeds> evaluated;
  std::optional<GraphTables> tables;
};

// Fills the lines: with the seeds as they were chosen,
void add_chosen(const Snapshot& graph, SeedsFound& found);
// or where they vanished with pages of the newer graph that are like them.
void add_replaced(const Snapshot& graph, const Snapshot& newer, SeedsFound& found);
// Takes out the lines that must not be named; returns how many.
std::size_t leave_out_forgotten(SeedsFound& found, const HandOver& hand_over);
// The cores as they may be written down.
std::vector<BipartiteCore> without_forgotten(std::vector<BipartiteCore> cores,
                                             const Snapshot& graph, const HandOver& hand_over);

// One JSON object per line: the members of each core by name.
std::string cores_as_lines(const Snapshot& graph, const std::vector<BipartiteCore>& cores);

std::string distances_as_text(const CoreDistances& distances);
// One row per pair of cores, which are numbered from 1; no links where there is no way.
TextTable distances_table(const CoreDistances& distances);
std::string evaluation_as_text(const SeedsFound& found);
std::string tables_as_text(const GraphTables& tables);
// URL and reason, one seed per row.
TextTable why_table(const SeedsFound& found);
std::string evaluation_as_json(const EvaluatedSeeds& evaluated);
std::string tables_as_json(const GraphTables& tables);
// One object with everything.
std::string as_json(const Snapshot& graph, const SeedsFound& found);

}  // namespace webstrata
