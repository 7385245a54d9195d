// SPDX-License-Identifier: Apache-2.0

// Recently seen links count more: weights for PageRank with time.
//
//   const auto weights = freshness_weights(graph, 90 * 86400);
//   pagerank(graph, {.link_weights = weights});

#pragma once

#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// exp(−age / tau_seconds) for every link, age counted from the last moment at which its node's
// freshest link was seen (link column last_seen). Only proportions among the links of one node
// matter to PageRank, so the current time does not, and a page that was last captured long ago
// loses nothing. A link whose time is not known gets the mean weight of the node's links whose time
// is known; if none is, all have 1. Throws Error(BadInput) if tau_seconds is not positive.
std::vector<double> freshness_weights(const Snapshot& graph, double tau_seconds);

}  // namespace webstrata
