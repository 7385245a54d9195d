// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py and tests/cli/probe_test.py.

#include "webstrata/jobs/live_run.h"

#include <algorithm>
#include <span>

namespace webstrata {
namespace {

// Enough for many hosts to be busy at once.
constexpr std::size_t kProbeBatch = 64;

PlannerOptions run_planner_options(const LiveRunWords& words, const WorkOptions& work) {
  PlannerOptions options = planner_options_of(words.method, words.budget, work);
  if (words.alpha < 1 && words.method.sample_size.empty()) {
    // Whoever stops by an estimate needs more than a handful of tests for it.
    if (!options.sample) options.sample = planner_entry(words.method.method).sample;
    options.sample->size_min = std::max(options.sample->size_min, kEstimateTests);
  }
  return options;
}

RunOptions run_options_of(const LiveRunWords& words, const Population& pages,
                          const PlannerOptions& options, const WorkOptions& work) {
  RunOptions run;
  run.budget = words.budget;
  run.alpha = words.alpha;
  run.price = words.price;
  run.dead_host_tests = words.dead_host_tests;
  run.dead_domain_tests = words.dead_domain_tests;
  if (!pages.levels.empty()) {
    run.hosts = &pages.levels.front();
    run.origins = &pages.origins;
  }
  sample_for_estimate(run, words.method.method, pages, options);
  run.batch = words.batch.value_or(0);
  run.work = work;
  return run;
}

}  // namespace

std::vector<Node> first_plan(const Population& pages, const CampaignWords& words,
                             const WorkOptions& work) {
  const auto planner = make_planner(words.method.method, pages,
                                    planner_options_of(words.method, words.budget, work));
  return planner->next(words.budget.value_or(planner->batch_size()));
}

LiveRun run_probing(Planner& planner, ProbeOracle& probes, RunOptions options) {
  if (options.batch == 0 && planner.batch_size() < kProbeBatch) options.batch = kProbeBatch;
  Oracle oracle =
      Oracle::of_batches([&probes](std::span<const Node> batch) { return probes.ask(batch); });
  return run_planner(planner, oracle, options);
}

LiveRunner::LiveRunner(const Population& pages, const LiveRunWords& words,
                       const WorkOptions& work) {
  const PlannerOptions options = run_planner_options(words, work);
  planner_ = make_planner(words.method.method, pages, options);
  options_ = run_options_of(words, pages, options, work);
  if (words.dead_domain_tests > 0 && pages.graph.has_names()) {
    domains_ = std::make_unique<UrlLevel>(url_domains(pages.graph));
  }
  options_.domains = domains_.get();
}

LiveRun LiveRunner::run_against(const Truth& truth) {
  Oracle oracle(truth.ask());
  return run_planner(*planner_, oracle, options_);
}

LiveRun LiveRunner::run_probing(ProbeOracle& probes) {
  return webstrata::run_probing(*planner_, probes, options_);
}

}  // namespace webstrata
