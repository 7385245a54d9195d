// SPDX-License-Identifier: Apache-2.0

// Runs a planner: plan, test, learn, until the budget or a rule says stop.
//
//   Oracle oracle(ask_table(truth));
//   const LiveRun run = run_planner(*planner, oracle, {.budget = 200000});
//   run.curve.cost(0.5, truth.live_count());

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/liverank/measures.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/url_groups.h"

namespace webstrata {

struct RunOptions {
  std::optional<std::uint64_t> budget = {};  // tests; empty: as many as there are pages
  // Stop once this share of the live pages is found. Their number n_a is estimated from the pages
  // that are planned first: `sample_tests` of them must be a random or systematic sample.
  double alpha = 1;
  std::uint64_t sample_tests = 0;
  bool sample_is_systematic = false;
  // Tested before the planner is asked: a sample for that estimate, if the method itself does not
  // begin with one that is drawn uniformly.
  std::vector<Node> first = {};
  // Stop when a test costs more than it gains: fewer live pages per test than this, in the last
  // kPriceWindow tests.
  double price = 0;
  // Host evidence (host_evidence.h): when this many pages of an origin were tested and all were
  // dead, or its host has no address, the rest of it counts as dead without a test. 0: every page
  // has to be tested.
  std::uint32_t dead_host_tests = 0;
  std::uint32_t dead_domain_tests = 0;  // the same for a registered domain
  const UrlLevel* hosts = nullptr;      // needed for both
  const UrlLevel* domains = nullptr;    // needed for dead_domain_tests (url_domains)
  const UrlLevel* origins = nullptr;  // null: hosts
  std::size_t batch = 0;              // tests at a time; 0: chosen by the planner
  WorkOptions work = {};
};
inline constexpr std::size_t kPriceWindow = 200;
// The minimum uniform sample for an estimate that decides: with 200 tests, the standard error of a
// share is at most 3.5 %.
inline constexpr std::uint64_t kEstimateTests = 200;

// Says where the estimate of n_a comes from: from the method's own sample if that is uniform. If it
// is not, and alpha needs the estimate, kEstimateTests pages are drawn beside it and tested first.
void sample_for_estimate(RunOptions& run, std::string_view method, const Population& pages,
                         const PlannerOptions& options);

enum class RunEnd : std::uint8_t { AllPages, Budget, Alpha, Price };
std::string_view to_string(RunEnd end) noexcept;

struct LiveRun {
  std::vector<Node> order;         // the pages tested
  std::vector<std::uint8_t> live;  // parallel to `order`
  Curve curve;
  std::uint64_t tests = 0;
  std::uint64_t found = 0;
  std::uint64_t settled = 0;  // pages of dead hosts that were not tested
  std::uint64_t batches = 0;
  std::optional<Estimate> estimate;  // of n_a, if there was a sample for it
  OutcomeCounts outcomes = {};
  std::uint64_t no_host = 0;  // answers that the host has no address
  RunEnd ended = RunEnd::AllPages;
};

// Throws Error(BadInput) if alpha or price is out of range; Error(Cancelled).
LiveRun run_planner(Planner& planner, Oracle& oracle, const RunOptions& options = {});

}  // namespace webstrata
