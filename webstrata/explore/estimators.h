// SPDX-License-Identifier: Apache-2.0

// The estimators by name: what `explore --by` offers.
//
//   const auto estimator = make_estimator("lnh-max", known, {.budget = 100000});
//
// An estimator is one file (estimators/<name>_estimator.cpp) and one entry of the list, or a few
// where one idea has variants.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/explore/estimator.h"

namespace webstrata {

inline constexpr std::size_t kBanditExpertsMax = 32;

// Where a learned weight begins, and the standard deviation of its feature: the smaller it is, the
// sooner the weight moves.
struct PriorWeight {
  double weight = 0;
  double deviation = 1;
};

struct EstimatorOptions {
  std::uint64_t seed = 1;  // of all that is random
  TieBreak ties = TieBreak::First;
  // Steps of the whole crawl: hybrid switches and extra warms up in proportion.
  std::uint64_t budget = 1000;
  // lnh, hybrid: pages that were seeds do not train it. (They were chosen for their scores.)
  bool without_seeds = false;
  // nr: how much of a page's rank is its own score.
  double nr_damping = 0.2;
  double nr_tolerance = 1e-6;  // maximum residual of the equations of nr
  // hybrid: steps with neighbours alone; empty: a tenth of the budget, at most 1,000.
  std::optional<std::uint64_t> switch_steps = {};
  // hybrid: the estimator of these steps; not a hybrid.
  std::string hybrid_first = "nh-ne-sum";
  // bandit: the estimators of the paper that it chooses among, 2 to kBanditExpertsMax.
  std::vector<std::string> experts = {"nh-n-sum", "nh-ne-sum", "lnh-max", "opic"};
  // extra: one for each feature, instead of those that it has; for fitting them.
  std::span<const PriorWeight> extra_weights = {};
  // oracle: the true score of every node. Only a simulator has them.
  std::span<const double> truth = {};
};

struct EstimatorEntry {
  std::string_view name;
  std::string_view summary;
  bool is_of_paper;  // belongs to the paper's estimators
  // `known` must outlive the estimator, and have no nodes yet.
  std::unique_ptr<Estimator> (*make)(const KnownGraph& known, const EstimatorOptions& options);
};

const std::vector<EstimatorEntry>& estimators();
// Throws Error(BadInput) that lists the names.
const EstimatorEntry& estimator_entry(std::string_view name);
// Throws Error(BadInput) also if an option is out of range.
std::unique_ptr<Estimator> make_estimator(std::string_view name, const KnownGraph& known,
                                          const EstimatorOptions& options = {});

}  // namespace webstrata
