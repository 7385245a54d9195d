// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/explore/estimators.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "webstrata/base/error.h"
#include "webstrata/explore/estimator_makers.h"

namespace webstrata {
namespace {

using MakeEstimator = EstimatorPointer(const KnownGraph& known, const EstimatorOptions& options);

template <NeighbourKind kind, NeighbourJoin join>
constexpr MakeEstimator* nh = [](const KnownGraph& known, const EstimatorOptions& options) {
  return make_nh_estimator(known, options, kind, join);
};
template <NeighbourJoin join>
constexpr MakeEstimator* lnh = [](const KnownGraph& known, const EstimatorOptions& options) {
  return make_lnh_estimator(known, options, join);
};
template <NeighbourJoin join>
constexpr MakeEstimator* hybrid = [](const KnownGraph& known, const EstimatorOptions& options) {
  return make_hybrid_estimator(known, options, join);
};
template <RankJoin join>
constexpr MakeEstimator* nr = [](const KnownGraph& known, const EstimatorOptions& options) {
  return make_nr_estimator(known, options, join);
};
constexpr MakeEstimator* nr_full = [](const KnownGraph& known, const EstimatorOptions& options) {
  return make_nr_full_estimator(known, options, RankJoin::Average);
};
template <CashShare share>
constexpr MakeEstimator* opic = [](const KnownGraph& known, const EstimatorOptions& options) {
  return make_opic_estimator(known, options, share);
};

void check(const EstimatorOptions& options) {
  if (!(options.nr_damping > 0 && options.nr_damping <= 1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("damping of nr {}: it is above 0 and at most 1", options.nr_damping));
  }
  if (!(options.nr_tolerance > 0)) {
    throw Error(ErrorKind::BadInput, "the tolerance of nr is above 0");
  }
  if (options.hybrid_first.starts_with("hybrid")) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: a hybrid cannot begin with a hybrid", options.hybrid_first));
  }
}

}  // namespace

const std::vector<EstimatorEntry>& estimators() {
  using enum NeighbourKind;
  using enum NeighbourJoin;
  static const std::vector<EstimatorEntry> all = {
      {"extra", "a learner on everything known, and a bandit over simple estimates", false,
       make_extra_estimator},
      {"bandit", "several of those below by turns, more often those that find more", false,
       make_bandit_estimator},
      {"nh-n-sum", "sum of the scores of the pages that link to it", true, nh<Nodes, Sum>},
      {"nh-n-avg", "average of those", true, nh<Nodes, Average>},
      {"nh-n-max", "the largest of those", true, nh<Nodes, Max>},
      {"nh-e-sum", "sum of the scores of the links to it", true, nh<Links, Sum>},
      {"nh-e-avg", "average of those", true, nh<Links, Average>},
      {"nh-e-max", "the largest of those", true, nh<Links, Max>},
      {"nh-ne-sum", "sum of both scores multiplied", true, nh<Both, Sum>},
      {"nh-ne-avg", "average of those", true, nh<Both, Average>},
      {"nh-ne-max", "the largest of those", true, nh<Both, Max>},
      {"lnh-sum", "the three sums, with weights learned from crawled pages", true, lnh<Sum>},
      {"lnh-avg", "the three averages, likewise", true, lnh<Average>},
      {"lnh-max", "the three maxima, likewise", true, lnh<Max>},
      {"hybrid-sum", "nh-ne-sum at first, then lnh-sum", true, hybrid<Sum>},
      {"hybrid-avg", "nh-ne-sum at first, then lnh-avg", true, hybrid<Average>},
      {"hybrid-max", "nh-ne-sum at first, then lnh-max", true, hybrid<Max>},
      {"nr", "Navigational Rank: back from good pages to what leads to them, then forward", true,
       nr<RankJoin::Average>},
      {"nr-sum", "the same with sums in place of averages", true, nr<RankJoin::Sum>},
      {"nr-full", "nr computed from scratch at every step: slow, for checks", true, nr_full},
      {"opic", "cash that pages hand on along links", true, opic<CashShare::Equal>},
      {"opic-link", "cash split by the scores of links", true, opic<CashShare::Links>},
      {"opic-node", "cash split by the scores of targets", true, opic<CashShare::Nodes>},
      {"opic-both", "cash split by both scores multiplied", true, opic<CashShare::Both>},
      {"bf", "breadth first", true, make_bf_estimator},
      {"random", "any page of the frontier", true, make_random_estimator},
      {"oracle", "the true scores: what the others are measured by", false, make_oracle_estimator},
  };
  return all;
}

const EstimatorEntry& estimator_entry(std::string_view name) {
  const auto place = std::ranges::find(estimators(), name, &EstimatorEntry::name);
  if (place != estimators().end()) return *place;
  std::vector<std::string_view> names;
  for (const EstimatorEntry& entry : estimators()) names.push_back(entry.name);
  throw Error(ErrorKind::BadInput, fmt::format("no estimator is called {}: choose one of {}", name,
                                               fmt::join(names, ", ")));
}

std::unique_ptr<Estimator> make_estimator(std::string_view name, const KnownGraph& known,
                                          const EstimatorOptions& options) {
  check(options);
  return estimator_entry(name).make(known, options);
}

}  // namespace webstrata
