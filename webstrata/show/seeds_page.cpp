// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/seeds_report_test.py, tests/python/reports_test.py.

#include "webstrata/show/seeds_page.h"

#include "webstrata/graph/pages.h"
#include "webstrata/seeds/core_distances.h"

namespace webstrata {
namespace {

SeedEvaluation evaluation_on_old(const Snapshot& graph, const SeedsFound& found,
                                 const EvaluationOptions& options) {
  std::vector<Node> seeds;
  for (const SeedCandidate& seed : found.chosen.seeds) seeds.push_back(seed.node);
  return evaluate_seeds(graph, seeds, options);
}

}  // namespace

EvaluatedSeeds evaluated_on(const Snapshot& graph, const SeedsFound& found,
                            const EvaluationOptions& options) {
  std::vector<Node> seeds;
  for (const SeedLine& line : found.lines) {
    const auto node = graph.find(line.url);
    if (node && is_page(graph, *node)) seeds.push_back(*node);
  }
  return {evaluate_seeds(graph, seeds, options), found.lines.size() - seeds.size()};
}

SeedsPage seeds_page(const Snapshot& graph, const SeedsFound& found, const SeedsPageParts& parts,
                     const EvaluationOptions& options) {
  SeedsPage page{.graph_name = parts.graph_name, .command = parts.command};
  page.tables =
      found.tables ? *found.tables : graph_tables(graph, {.fit = {.work = options.work}});
  page.evaluation = parts.evaluation ? *parts.evaluation : evaluation_on_old(graph, found, options);
  if (parts.newer) {
    page.newer_name = parts.newer_name;
    page.newer = parts.newer_evaluation ? *parts.newer_evaluation
                                        : evaluated_on(*parts.newer, found, options);
    page.survival = seed_survival(graph, *parts.newer, found.chosen.candidates,
                                  {.seed = options.seed, .work = options.work});
  }
  if (found.method == "cores") {
    page.distances =
        found.distances ? found.distances : core_distances(graph, found.chosen.cores, options.work);
  }
  return page;
}

}  // namespace webstrata
