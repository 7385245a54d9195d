// SPDX-License-Identifier: Apache-2.0

// The weights that `extra` begins with and the deviations of its features, in the order of
// extra_prior.h. Written by `explore_bench --fit --sets 2 --seed 1` from 177744 examples.
// Internal to the room.

#pragma once

#include "webstrata/explore/estimators.h"

namespace webstrata::extra {

inline constexpr PriorWeight kFeatureWeights[] = {
    {0.0177, 1.0000},   // one
    {0.0001, 0.9836},   // max of β
    {1.8934, 0.3331},   // max of α
    {-0.1761, 0.6962},  // max of β·α
    {-0.0057, 0.6876},  // mean of β
    {0.4366, 0.2423},   // mean of α
    {-0.0623, 0.9160},  // ln(1 + sum of β)
    {-3.0731, 0.2772},  // ln(1 + sum of α)
    {0.1434, 0.3630},   // ln(1 + sum of β·α)
    {-0.2149, 0.8211},  // ln(1 + links)
    {0.0702, 0.3864},   // share of parents that score
    {0.3193, 0.4642},   // parents
    {-2.0624, 0.3151},  // named
    {0.0925, 0.6958},   // named × max of β
    {0.3580, 0.4486},   // siblings
    {-0.1014, 0.1371},  // ln(1 + 50 cash)
    {0.1077, 0.3847},   // no parent scores
    {0.0375, 0.4873},   // two links or more
    {0.0601, 0.4850},   // four links or more
    {0.0349, 0.3972},   // eight links or more
    {0.4630, 0.3128},   // host
    {-0.0672, 0.3826},  // directory
    {0.4316, 0.4112},   // first word
    {0.2693, 0.4012},   // last word
    {0.2220, 0.7798},   // parents × siblings
    {0.0219, 0.7089},   // siblings × last word
    {0.1159, 0.6057},   // directory × last word
    {0.1208, 0.3799},   // named × siblings
    {0.0455, 1.1068},   // ln(1 + 50 sum of β / out-links)
    {0.0075, 5.5268},   // 50 mean of β / out-links
    {-0.4534, 0.4694},  // siblings, drawn towards parents
    {0.2308, 0.6569},   // ln(1 + weight of siblings)
    {-0.0713, 0.2356},  // share of links that are named
    {3.2987, 0.2717},   // ln(1 + named links)
    {-1.5795, 0.3793},  // mean of the crawl
    {0.1365, 0.8394},   // mean of the crawl × ln(1 + links)
    {-0.0420, 0.3351},  // named × mean of the crawl
};

}  // namespace webstrata::extra
