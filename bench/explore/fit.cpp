// SPDX-License-Identifier: Apache-2.0

// Fits the weights that `extra` begins with (webstrata/explore/extra_prior.h) on the development
// topics, and prints them next to those that are checked in.
//
// As docs/METHODS.md ("EXTRA") describes: least squares over pages of simulated crawls. Each step
// gives three examples, with the features as they were then: the page that was crawled, the best of
// some pages of the frontier by the weights so far, and one page of the frontier at random. Two
// rounds: crawls led by nh-ne-sum, then by `extra` itself. The original program is lost, and with
// it the number of seed sets and how topics were weighted, so digits differ; the correlation of the
// two predictions over all examples says how much that matters. With two seed sets per topic
// (177,744 examples) it is 0.949. The weights of features that say nearly the same differ most,
// such as those of named links, which add up to similar predictions.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/explore/sections.h"
#include "bench/explore/topics.h"
#include "webstrata/base/random.h"
#include "webstrata/explore/extra_features.h"
#include "webstrata/explore/recursive_least_squares.h"
#include "webstrata/explore/seed_sets.h"

namespace webstrata {
namespace {

constexpr double kRidge = 1;              // hardly anything beside some 100,000 examples
constexpr std::size_t kLooksMax = 16;     // pages of the frontier among which the best is taken
constexpr std::uint64_t kStepsMax = 500;  // of a crawl: topics count more alike

using Row = std::vector<double>;

// Sums for means, deviations and a correlation.
struct Moments {
  double count = 0;
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;

  void add(double a, double b) {
    count += 1;
    x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  [[nodiscard]] double deviation() const {
    return std::sqrt(std::max(0.0, xx / count - x / count * (x / count)));
  }
  [[nodiscard]] double correlation() const {
    return (count * xy - x * y) / std::sqrt((count * xx - x * x) * (count * yy - y * y));
  }
};

double predicted(std::span<const double> row, bool is_checked_in, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    sum += row[i] * (is_checked_in ? extra::kFeatureTable[i].weight : weights[i]);
  }
  return sum;
}

class Fit {
 public:
  Fit() : learner_(ExtraFeatures::kWidth, kRidge), columns_(ExtraFeatures::kWidth) {}

  // Replays the crawl and learns from it.
  void crawl(const SimulatedWeb& web, std::span<const Node> seeds, std::span<const Node> order) {
    KnownGraph known(web.groups());
    ExtraFeatures features(known);
    for (const Node seed : seeds) known.discover(seed);
    features.begin(seeds);
    for (const Node seed : seeds) take(web, seed, known, features);
    for (const Node node : order.first(std::min<std::size_t>(order.size(), kStepsMax))) {
      learn(web, node, features);
      if (!known.frontier().empty()) {
        learn(web, best_of_some(known, features), features);
        learn(web, any(known), features);
      }
      take(web, node, known, features);
    }
  }

  [[nodiscard]] std::span<const double> weights() const { return learner_.weights(); }
  [[nodiscard]] const std::vector<Moments>& columns() const { return columns_; }
  [[nodiscard]] double example_count() const { return columns_[0].count; }
  // Of predictions by the weights checked in and by those fitted so far.
  [[nodiscard]] double agreement() const { return predictions_.correlation(); }

 private:
  void take(const SimulatedWeb& web, Node node, KnownGraph& known, ExtraFeatures& features) {
    known.claim(node);
    const CrawledPage page = web.crawl(node, buffer_);
    const CrawlStep& step = known.crawl(node, page.score, page.links);
    features.learn_scale(step);
    features.learn(step);
  }
  [[nodiscard]] Node any(const KnownGraph& known) {
    return known.frontier()[random_.below(known.frontier().size())];
  }
  [[nodiscard]] Node best_of_some(const KnownGraph& known, const ExtraFeatures& features) {
    Node best = any(known);
    double best_score = -1e300;
    for (std::size_t look = 0; look < kLooksMax; ++look) {
      const Node node = any(known);
      features.fill(node, row_);
      const double score = learner_.predict(row_);
      if (score > best_score) best = node, best_score = score;
    }
    return best;
  }
  void learn(const SimulatedWeb& web, Node node, const ExtraFeatures& features) {
    features.fill(node, row_);
    for (std::size_t i = 0; i < row_.size(); ++i) columns_[i].add(row_[i], 0);
    predictions_.add(predicted(row_, true, {}), predicted(row_, false, learner_.weights()));
    learner_.learn(row_, web.node_scores()[node] / features.scale());
  }

  RecursiveLeastSquares learner_;
  std::vector<Moments> columns_;  // by feature
  Moments predictions_;
  Random random_{1};
  Row row_ = Row(ExtraFeatures::kWidth);
  std::vector<KnownLink> buffer_;
};

void fit_group(const TopicGroup& group, std::string_view leader, const ExploreBench& bench,
               Fit& fit) {
  const TopicPages pages(group.data, bench.shared);
  for (const std::string& topic : group.topics) {
    const bool is_wanted = bench.topics.empty() || std::ranges::count(bench.topics, topic) > 0;
    if (!is_wanted) continue;
    const SimulatedWeb web = pages.web(topic);
    const auto scored = static_cast<std::uint64_t>(
        std::ranges::count_if(web.node_scores(), [](double score) { return score > 0; }));
    const std::uint64_t budget = std::min({bench.budget_max, scored, kStepsMax});
    for (const auto& seeds :
         draw_seed_sets(web.node_scores(), {.sets = bench.sets, .seed = bench.seed})) {
      fit.crawl(web, seeds, explore(web, leader, seeds, {.budget = budget}).order);
    }
    fmt::print(stderr, "{} {}: {:.0f} examples\n", leader, topic, fit.example_count());
  }
}

}  // namespace

void fit_extra(const ExploreBench& bench) {
  Fit fit;
  for (const std::string_view leader : {"nh-ne-sum", "extra"}) {
    for (const TopicGroup& group : topic_groups()) {
      const bool is_wanted = bench.data.empty() || std::ranges::count(bench.data, group.data) > 0;
      if (group.is_development && is_wanted) fit_group(group, leader, bench, fit);
    }
  }
  fmt::print("{:<36}{:>10}{:>10}{:>12}{:>10}\n", "feature", "weight", "fitted", "deviation",
             "found");
  for (std::size_t i = 0; i < extra::kFeatures; ++i) {
    const extra::Feature& feature = extra::kFeatureTable[i];
    fmt::print("{:<36}{:>10.4f}{:>10.4f}{:>12.4f}{:>10.4f}\n", feature.name, feature.weight,
               fit.weights()[i], feature.deviation, fit.columns()[i].deviation());
  }
  fmt::print("\n{:.0f} examples; correlation of the two predictions {:.3f}\n", fit.example_count(),
             fit.agreement());
}

}  // namespace webstrata
