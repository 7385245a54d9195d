// SPDX-License-Identifier: Apache-2.0

// The parts of explore_bench.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace webstrata {

struct ExploreBench {
  std::filesystem::path shared;
  std::vector<std::string> data = {};    // empty: all
  std::vector<std::string> topics = {};  // empty: those of each data set
  std::vector<std::string> only = {};    // estimators; empty: all
  std::uint64_t sets = 20;
  std::uint64_t seed = 1;
  std::uint64_t budget_max = 1500;
  unsigned threads = 0;
  bool is_brief = false;             // no rows of single topics
  std::filesystem::path write = {};  // of the fit; empty: standard output
};

// Steps per second by estimator, at frontiers of 10^4, 10^5 and 10^6 nodes.
void measure_speed(const ExploreBench& bench);
// Shares of what the oracle finds, at 5, 20, 50 and 100 % of the budget, compared with the best of
// the paper's estimators in hindsight, with paired bootstrap.
void measure_quality(const ExploreBench& bench);
// What the paper found about randomness, refresh rates, hybrids and baselines.
void measure_findings(const ExploreBench& bench);

// Fits the weights of extra_weights.h on the development topics, and writes that file.
void fit_extra(const ExploreBench& bench);

// Freshness by policy of recrawling, on the history of openbsd-www.
void measure_recrawl(const ExploreBench& bench);

}  // namespace webstrata
