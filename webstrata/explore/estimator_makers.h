// SPDX-License-Identifier: Apache-2.0

// The makers of the list in estimators.cpp. Internal to the room.

#pragma once

#include <memory>

#include "webstrata/explore/estimators.h"
#include "webstrata/explore/neighbour_features.h"
#include "webstrata/explore/opic_cash.h"

namespace webstrata {

using EstimatorPointer = std::unique_ptr<Estimator>;

// How nr combines the contributions of several links.
enum class RankJoin : std::uint8_t { Average, Sum };

EstimatorPointer make_extra_estimator(const KnownGraph& known, const EstimatorOptions& options);
EstimatorPointer make_bandit_estimator(const KnownGraph& known, const EstimatorOptions& options);
EstimatorPointer make_random_estimator(const KnownGraph& known, const EstimatorOptions& options);
EstimatorPointer make_bf_estimator(const KnownGraph& known, const EstimatorOptions& options);
EstimatorPointer make_oracle_estimator(const KnownGraph& known, const EstimatorOptions& options);
EstimatorPointer make_nh_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                   NeighbourKind kind, NeighbourJoin join);
EstimatorPointer make_lnh_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                    NeighbourJoin join);
EstimatorPointer make_hybrid_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                       NeighbourJoin join);
EstimatorPointer make_nr_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                   RankJoin join);
EstimatorPointer make_nr_full_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                        RankJoin join);
EstimatorPointer make_opic_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                     CashShare share);

}  // namespace webstrata
