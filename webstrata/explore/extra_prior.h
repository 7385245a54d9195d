// What `extra` believes before its first page: a weight for each feature, and how much the feature
// varies.
//
// Learned once, by least squares over crawls of 40 topics of one encyclopedia and 9 of one
// collection of packages; docs/METHODS.md names them and says how the weights do on others. A crawl
// of a hundred pages cannot find 37 weights by itself, but it can mend those that do not fit. In
// the order of ExtraFeatures::fill. Internal to the room.

#pragma once

#include <cstddef>
#include <iterator>

namespace webstrata::extra {

struct FeaturePrior {
  double weight;
  double deviation;
};

// "Named": a link to the node speaks of the topic. Scores are divided by the scale of the crawl.
inline constexpr FeaturePrior kPrior[] = {
    {-0.0207, 1.0000},  // one
    {0.0117, 1.0640},   // max of β
    {0.2859, 0.2744},   // max of α
    {-0.1056, 0.6779},  // max of β·α
    {0.0049, 0.7231},   // mean of β
    {0.3563, 0.1520},   // mean of α
    {0.0083, 0.9454},   // ln(1 + sum of β)
    {0.3496, 0.2172},   // ln(1 + sum of α)
    {0.0797, 0.3219},   // ln(1 + sum of β·α)
    {-0.1965, 0.8461},  // ln(1 + links)
    {0.0534, 0.3861},   // share of parents that score
    {-0.0023, 0.4612},  // parents
    {-0.6166, 0.2568},  // named
    {0.0462, 0.6689},   // named × max of β
    {0.0133, 0.4033},   // siblings
    {-0.1731, 0.1141},  // ln(1 + 50 cash)
    {0.1237, 0.4038},   // no parent scores
    {0.0695, 0.4792},   // two links or more
    {0.0648, 0.4922},   // four
    {-0.0018, 0.4076},  // eight
    {0.2569, 0.2721},   // host
    {-0.0465, 0.3653},  // directory
    {0.2551, 0.3672},   // first word
    {0.2300, 0.3572},   // last word
    {0.1552, 0.7398},   // parents × siblings
    {0.0112, 0.6363},   // siblings × last word
    {0.1160, 0.5436},   // directory × last word
    {0.0803, 0.3075},   // named × siblings
    {0.0589, 1.0638},   // ln(1 + 50 sum of β / out-links)
    {0.0078, 2.4565},   // 50 mean of β / out-links
    {-0.0906, 0.4376},  // siblings, drawn towards parents
    {0.1727, 0.7161},   // ln(1 + weight of siblings)
    {0.0335, 0.1454},   // share of links that are named
    {0.2925, 0.2115},   // ln(1 + named links)
    {-0.8104, 0.3436},  // mean of the crawl
    {0.0690, 0.7634},   // mean of the crawl × ln(1 + links)
    {-0.1354, 0.2697},  // named × mean of the crawl
};
inline constexpr std::size_t kFeatures = std::size(kPrior);

}  // namespace webstrata::extra
