// SPDX-License-Identifier: Apache-2.0

// All methods on one truth: the papers' tables for the user's own data.
//
//   const auto rows = compare(pages, truth, contestants(true), {.seeds = 20});

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/run.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

// A method with its parameters.
struct Contestant {
  std::string label;  // "pa-ratio random 5%"
  std::string method;
  std::string variant;  // "mean", "two-round"; empty: as the method is
  PlannerOptions options;
  bool is_of_papers = false;  // counts for the hindsight envelope
  bool is_random = true;      // differs from seed to seed
};

// The sample that it begins with: of its options, or of the method. Empty if it has none.
std::optional<SampleOptions> sample_of(const Contestant& contestant);

// "random", "pagerank", "3-per-site".
std::string kind_word(const SampleOptions& sample);
// Its label, and in parentheses the sample of its method unless the label names one.
std::string legend_of(const Contestant& contestant);

// Every method with its defaults; or the papers' methods with every sample and size (random and
// PageRank samples, 0.25, 1, 5 and 20 % of the pages; by in-degree 1 %, and for pa all sizes) and
// ours. pa and pa-ratio have PageRank samples of 2.5 % too: the five sizes of Figures 5a and 10a of
// the LiveRank paper and of Figure 2 of the French one.
std::vector<Contestant> default_contestants();
std::vector<Contestant> all_contestants();
// What users write: "methods" for the first list, "all" for the second, or a list such as
// "auto,asf". Throws Error(BadInput) for a name that is not in it.
std::vector<Contestant> named_contestants(std::string_view words);
// With these options instead of the method's own, and a label that names the sample if it was
// chosen.
Contestant with_options(Contestant contestant, const PlannerOptions& options);

struct CostRow {
  Contestant contestant;
  std::vector<double> costs;       // mean at each of the alphas; NaN where one was not reached
  std::vector<double> deviations;  // of single runs
  std::vector<double> worst;       // of all runs
  double area = 0;                 // mean
  double seconds = 0;              // CPU time per run
  std::vector<std::vector<double>> runs;  // costs of each seed, then the area
  std::vector<double> found;  // mean number of live pages after each of ComparisonOptions::tests
};

struct ComparisonOptions {
  std::vector<double> alphas{std::begin(kTableAlphas), std::end(kTableAlphas)};
  std::vector<std::uint64_t> tests = {};  // where CostRow::found looks, at most all pages
  std::uint64_t first_seed = 1;
  std::uint32_t seeds = 20;
  WorkOptions work = {};
};

// One run with this seed.
struct CostRun {
  std::vector<double> costs;  // at each alpha, then the area
  std::vector<double> found;
  double seconds = 0;
};
CostRun measure_once(const Population& pages, const Truth& truth, const Contestant& contestant,
                     std::uint64_t seed, const ComparisonOptions& options);
// The row of some runs, at least one.
CostRow summed_up(const Contestant& contestant, const std::vector<CostRun>& runs);
CostRow measure(const Population& pages, const Truth& truth, const Contestant& contestant,
                const ComparisonOptions& options);

// At each alpha, and for the area, the lowest of the papers' rows: chosen after the fact, so better
// than any choice made in advance.
struct Hindsight {
  std::vector<double> costs;
  std::vector<std::string> by;
  std::string best_fixed;  // the papers' row with the best area
  double best_area = 0;
};
Hindsight hindsight_of(const std::vector<CostRow>& rows);

}  // namespace webstrata
