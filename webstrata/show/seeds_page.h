// SPDX-License-Identifier: Apache-2.0

// What a page about seeds shows besides the seeds themselves, computed where it is not known yet.

#pragma once

#include <string>

#include "webstrata/seeds/evaluation.h"
#include "webstrata/show/pages/seeds_report.h"

namespace webstrata {

// Evaluates the seeds that this graph has.
EvaluatedSeeds evaluated_on(const Snapshot& graph, const SeedsFound& found,
                            const EvaluationOptions& options);

struct SeedsPageParts {
  std::string graph_name;
  std::string command;
  const Snapshot* newer = nullptr;  // null: there is none
  std::string newer_name = {};
  // What is known already.
  const SeedEvaluation* evaluation = nullptr;
  const EvaluatedSeeds* newer_evaluation = nullptr;
};

SeedsPage seeds_page(const Snapshot& graph, const SeedsFound& found, const SeedsPageParts& parts,
                     const EvaluationOptions& options);

}  // namespace webstrata
