// SPDX-License-Identifier: Apache-2.0

// The features of `extra`, one row each: name and formula. extra_weights.h has, in the same order,
// the weight that each begins with and how much it varies.
//
// The weights were fitted once, by least squares over crawls of 40 topics of one encyclopedia and 9
// of one collection of packages; docs/METHODS.md ("EXTRA") names them and says how the weights do
// on others. A crawl of a hundred pages cannot find 37 weights by itself, but it can mend those
// that do not fit. Internal to the room.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "webstrata/explore/extra_weights.h"

namespace webstrata::extra {

// What the formulas are made of. β is the score of a page that links to the node (a parent), α that
// of the link. Scores of pages are divided by the scale of the crawl.
struct FeatureInput {
  double beta_max = 0;
  double alpha_max = 0;
  double both_max = 0;  // of β·α
  double beta_sum = 0;
  double alpha_sum = 0;
  double both_sum = 0;
  std::uint32_t links = 0;      // to the node
  double links_or_1 = 1;        // for means
  double log_links = 0;         // ln(1 + links)
  double named = 0;             // 1 if a link to the node speaks of the topic
  double named_links = 0;       // how many do
  double parents = 0;           // mean of β, a parent counting 1 / sqrt(its links)
  double scoring_parents = 0;   // parents with β > 0
  double no_parent_scores = 0;  // 1 if β is 0 for all
  double shares = 0;            // 50 times the sum of β / links of the parent
  double siblings = 0;          // mean of crawled pages that share a parent
  double near_siblings = 0;     // the same, drawn towards `parents`
  double sibling_weight = 0;
  double cash = 0;  // 50 times OPIC's
  // Means of crawled pages of the same group.
  double host = 0;
  double directory = 0;
  double first_word = 0;
  double last_word = 0;
  double mean = 0;  // of the crawl
};

struct Feature {
  std::string_view name;
  double (*formula)(const FeatureInput& of);
};

inline constexpr Feature kFeatureTable[] = {
    {"one", [](const FeatureInput&) { return 1.0; }},
    {"max of β", [](const FeatureInput& of) { return of.beta_max; }},
    {"max of α", [](const FeatureInput& of) { return of.alpha_max; }},
    {"max of β·α", [](const FeatureInput& of) { return of.both_max; }},
    {"mean of β", [](const FeatureInput& of) { return of.beta_sum / of.links_or_1; }},
    {"mean of α", [](const FeatureInput& of) { return of.alpha_sum / of.links_or_1; }},
    {"ln(1 + sum of β)", [](const FeatureInput& of) { return std::log1p(of.beta_sum); }},
    {"ln(1 + sum of α)", [](const FeatureInput& of) { return std::log1p(of.alpha_sum); }},
    {"ln(1 + sum of β·α)", [](const FeatureInput& of) { return std::log1p(of.both_sum); }},
    {"ln(1 + links)", [](const FeatureInput& of) { return of.log_links; }},
    {"share of parents that score",
     [](const FeatureInput& of) { return of.scoring_parents / of.links_or_1; }},
    {"parents", [](const FeatureInput& of) { return of.parents; }},
    {"named", [](const FeatureInput& of) { return of.named; }},
    {"named × max of β", [](const FeatureInput& of) { return of.named * of.beta_max; }},
    {"siblings", [](const FeatureInput& of) { return of.siblings; }},
    {"ln(1 + 50 cash)", [](const FeatureInput& of) { return std::log1p(of.cash); }},
    {"no parent scores", [](const FeatureInput& of) { return of.no_parent_scores; }},
    {"two links or more", [](const FeatureInput& of) { return of.links >= 2 ? 1.0 : 0.0; }},
    {"four links or more", [](const FeatureInput& of) { return of.links >= 4 ? 1.0 : 0.0; }},
    {"eight links or more", [](const FeatureInput& of) { return of.links >= 8 ? 1.0 : 0.0; }},
    {"host", [](const FeatureInput& of) { return of.host; }},
    {"directory", [](const FeatureInput& of) { return of.directory; }},
    {"first word", [](const FeatureInput& of) { return of.first_word; }},
    {"last word", [](const FeatureInput& of) { return of.last_word; }},
    {"parents × siblings", [](const FeatureInput& of) { return of.parents * of.siblings; }},
    {"siblings × last word", [](const FeatureInput& of) { return of.siblings * of.last_word; }},
    {"directory × last word", [](const FeatureInput& of) { return of.directory * of.last_word; }},
    {"named × siblings", [](const FeatureInput& of) { return of.named * of.siblings; }},
    {"ln(1 + 50 sum of β / out-links)",
     [](const FeatureInput& of) { return std::log1p(of.shares); }},
    {"50 mean of β / out-links", [](const FeatureInput& of) { return of.shares / of.links_or_1; }},
    {"siblings, drawn towards parents", [](const FeatureInput& of) { return of.near_siblings; }},
    {"ln(1 + weight of siblings)",
     [](const FeatureInput& of) { return std::log1p(of.sibling_weight); }},
    {"share of links that are named",
     [](const FeatureInput& of) { return of.named_links / of.links_or_1; }},
    {"ln(1 + named links)", [](const FeatureInput& of) { return std::log1p(of.named_links); }},
    {"mean of the crawl", [](const FeatureInput& of) { return of.mean; }},
    {"mean of the crawl × ln(1 + links)",
     [](const FeatureInput& of) { return of.mean * of.log_links; }},
    {"named × mean of the crawl", [](const FeatureInput& of) { return of.named * of.mean; }},
};
inline constexpr std::size_t kFeatures = std::size(kFeatureTable);
static_assert(std::size(kFeatureWeights) == kFeatures);

}  // namespace webstrata::extra
