// SPDX-License-Identifier: Apache-2.0

// The features of `extra`, one row each: name, the weight that it begins with, how much the feature
// varies, and its formula.
//
// The weights were fitted once, by least squares over crawls of 40 topics of one encyclopedia and 9
// of one collection of packages; docs/METHODS.md ("EXTRA") names them and says how the weights do
// on others. `explore_bench --fit` (bench/explore/fit.cpp) fits them again on the same topics and
// prints both. A crawl of a hundred pages cannot find 37 weights by itself, but it can mend those
// that do not fit. Internal to the room.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

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
  double weight;
  double deviation;
  double (*formula)(const FeatureInput& of);
};

inline constexpr Feature kFeatureTable[] = {
    {"one", -0.0207, 1.0000, [](const FeatureInput&) { return 1.0; }},
    {"max of β", 0.0117, 1.0640, [](const FeatureInput& of) { return of.beta_max; }},
    {"max of α", 0.2859, 0.2744, [](const FeatureInput& of) { return of.alpha_max; }},
    {"max of β·α", -0.1056, 0.6779, [](const FeatureInput& of) { return of.both_max; }},
    {"mean of β", 0.0049, 0.7231,
     [](const FeatureInput& of) { return of.beta_sum / of.links_or_1; }},
    {"mean of α", 0.3563, 0.1520,
     [](const FeatureInput& of) { return of.alpha_sum / of.links_or_1; }},
    {"ln(1 + sum of β)", 0.0083, 0.9454,
     [](const FeatureInput& of) { return std::log1p(of.beta_sum); }},
    {"ln(1 + sum of α)", 0.3496, 0.2172,
     [](const FeatureInput& of) { return std::log1p(of.alpha_sum); }},
    {"ln(1 + sum of β·α)", 0.0797, 0.3219,
     [](const FeatureInput& of) { return std::log1p(of.both_sum); }},
    {"ln(1 + links)", -0.1965, 0.8461, [](const FeatureInput& of) { return of.log_links; }},
    {"share of parents that score", 0.0534, 0.3861,
     [](const FeatureInput& of) { return of.scoring_parents / of.links_or_1; }},
    {"parents", -0.0023, 0.4612, [](const FeatureInput& of) { return of.parents; }},
    {"named", -0.6166, 0.2568, [](const FeatureInput& of) { return of.named; }},
    {"named × max of β", 0.0462, 0.6689,
     [](const FeatureInput& of) { return of.named * of.beta_max; }},
    {"siblings", 0.0133, 0.4033, [](const FeatureInput& of) { return of.siblings; }},
    {"ln(1 + 50 cash)", -0.1731, 0.1141,
     [](const FeatureInput& of) { return std::log1p(of.cash); }},
    {"no parent scores", 0.1237, 0.4038,
     [](const FeatureInput& of) { return of.no_parent_scores; }},
    {"two links or more", 0.0695, 0.4792,
     [](const FeatureInput& of) { return of.links >= 2 ? 1.0 : 0.0; }},
    {"four links or more", 0.0648, 0.4922,
     [](const FeatureInput& of) { return of.links >= 4 ? 1.0 : 0.0; }},
    {"eight links or more", -0.0018, 0.4076,
     [](const FeatureInput& of) { return of.links >= 8 ? 1.0 : 0.0; }},
    {"host", 0.2569, 0.2721, [](const FeatureInput& of) { return of.host; }},
    {"directory", -0.0465, 0.3653, [](const FeatureInput& of) { return of.directory; }},
    {"first word", 0.2551, 0.3672, [](const FeatureInput& of) { return of.first_word; }},
    {"last word", 0.2300, 0.3572, [](const FeatureInput& of) { return of.last_word; }},
    {"parents × siblings", 0.1552, 0.7398,
     [](const FeatureInput& of) { return of.parents * of.siblings; }},
    {"siblings × last word", 0.0112, 0.6363,
     [](const FeatureInput& of) { return of.siblings * of.last_word; }},
    {"directory × last word", 0.1160, 0.5436,
     [](const FeatureInput& of) { return of.directory * of.last_word; }},
    {"named × siblings", 0.0803, 0.3075,
     [](const FeatureInput& of) { return of.named * of.siblings; }},
    {"ln(1 + 50 sum of β / out-links)", 0.0589, 1.0638,
     [](const FeatureInput& of) { return std::log1p(of.shares); }},
    {"50 mean of β / out-links", 0.0078, 2.4565,
     [](const FeatureInput& of) { return of.shares / of.links_or_1; }},
    {"siblings, drawn towards parents", -0.0906, 0.4376,
     [](const FeatureInput& of) { return of.near_siblings; }},
    {"ln(1 + weight of siblings)", 0.1727, 0.7161,
     [](const FeatureInput& of) { return std::log1p(of.sibling_weight); }},
    {"share of links that are named", 0.0335, 0.1454,
     [](const FeatureInput& of) { return of.named_links / of.links_or_1; }},
    {"ln(1 + named links)", 0.2925, 0.2115,
     [](const FeatureInput& of) { return std::log1p(of.named_links); }},
    {"mean of the crawl", -0.8104, 0.3436, [](const FeatureInput& of) { return of.mean; }},
    {"mean of the crawl × ln(1 + links)", 0.0690, 0.7634,
     [](const FeatureInput& of) { return of.mean * of.log_links; }},
    {"named × mean of the crawl", -0.1354, 0.2697,
     [](const FeatureInput& of) { return of.named * of.mean; }},
};
inline constexpr std::size_t kFeatures = std::size(kFeatureTable);

}  // namespace webstrata::extra
