// SPDX-License-Identifier: Apache-2.0

// Many crawls of one simulated web: every method from every seed set, on all threads.
//
//   const auto sets = draw_seed_sets(web.node_scores(), {.sets = 20});
//   const Study study = run_study(web, sets, contenders({"extra", "nh-ne-sum"}), {.budget = 1500});
//   study.relative(0, Worth::Sum, set, 0.5);    // of what the oracle finds, half-way
//
// The oracle always runs, first. All figures exclude the seeds' own scores. The result is the same
// for any number of threads.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/explore/simulator.h"

namespace webstrata {

struct Contender {
  std::string label;
  std::string estimator;
  EstimatorOptions options = {};  // its seed is taken from the study's
  StrategyOptions strategy = {};
  std::uint64_t refresh = 1;
};
std::vector<Contender> contenders(const std::vector<std::string>& estimators);

enum class CrawlValue : std::uint8_t { Sum, Count };

struct StudyOptions {
  std::uint64_t budget = 1000;
  std::uint64_t seed = 1;
  std::size_t points_max = 400;  // of a curve
  WorkOptions work = {};
};

// What one crawl found, at each of Study::steps.
struct CrawlCurve {
  std::vector<double> sum;
  std::vector<double> count;
  std::uint64_t steps = 0;  // made; fewer than the budget if the frontier ran empty
  double seconds = 0;       // of CPU time

  [[nodiscard]] const std::vector<double>& of(CrawlValue value) const noexcept {
    return value == CrawlValue::Sum ? sum : count;
  }
};

struct StudyRow {
  Contender contender;
  std::vector<CrawlCurve> crawls;  // one for each seed set
};

struct Study {
  std::uint64_t budget = 0;
  std::uint64_t seed = 1;
  std::size_t set_size = 0;          // of the first set
  std::vector<std::uint64_t> steps;  // ascending, from 1 to the budget
  StudyRow oracle;
  std::vector<StudyRow> rows;

  // Where in `steps` that share of the budget is reached.
  [[nodiscard]] std::size_t point_at(double share) const noexcept;
  // Found by a crawl, divided by what the oracle found from the same seeds; 1 if neither found
  // anything, and where the oracle found nothing.
  [[nodiscard]] double relative(const StudyRow& row, CrawlValue value, std::size_t set,
                                std::size_t point) const noexcept;
  [[nodiscard]] double mean_relative(const StudyRow& row, CrawlValue value,
                                     std::size_t point) const noexcept;
};

// Throws as explore() does, and Error(BadInput) if there are no seed sets.
Study run_study(const SimulatedWeb& web, const std::vector<std::vector<Node>>& seed_sets,
                const std::vector<Contender>& contenders, const StudyOptions& options = {});

// The mean of pairwise differences with an interval of 95 % by the bootstrap (pairs drawn with
// repetition, 2,000 times).
struct PairedDifference {
  double mean = 0;
  double low = 0;
  double high = 0;
};
PairedDifference paired_bootstrap(std::span<const double> a, std::span<const double> b,
                                  std::uint64_t seed = 1);

}  // namespace webstrata
