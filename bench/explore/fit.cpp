// SPDX-License-Identifier: Apache-2.0

// Fits the weights that `extra` begins with (webstrata/explore/extra_weights.h) on the development
// topics, from nothing, and writes that file.
//
// Least squares over pages of simulated crawls. Each step gives three examples, with the features
// as they were then: the page that was crawled, the best of some pages of the frontier by the
// weights so far, and one page of the frontier at random. Two rounds: crawls led by nh-ne-sum, then
// by `extra` with the weights of the first round. Nothing depends on the weights that are checked
// in, and all that is random has the seed of the command, so the same command on the same data
// writes the same bytes; four decimals leave room for the rounding of other compilers.

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "bench/explore/sections.h"
#include "bench/explore/topics.h"
#include "webstrata/base/error.h"
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

// How much a feature varies; 1 for one that does not, such as the constant.
struct Spread {
  double count = 0;
  double sum = 0;
  double squares = 0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
  }
  [[nodiscard]] double deviation() const {
    const double mean = sum / count;
    const double variance = squares / count - mean * mean;
    return variance > 1e-12 ? std::sqrt(variance) : 1;
  }
};

class Fit {
 public:
  explicit Fit(std::uint64_t seed)
      : learner_(ExtraFeatures::kWidth, kRidge), columns_(ExtraFeatures::kWidth), random_(seed) {}

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

  [[nodiscard]] std::vector<PriorWeight> weights() const {
    std::vector<PriorWeight> all;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      all.push_back({learner_.weights()[i], columns_[i].deviation()});
    }
    return all;
  }
  [[nodiscard]] double example_count() const { return columns_[0].count; }

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
    for (std::size_t i = 0; i < row_.size(); ++i) columns_[i].add(row_[i]);
    learner_.learn(row_, web.node_scores()[node] / features.scale());
  }

  RecursiveLeastSquares learner_;
  std::vector<Spread> columns_;  // by feature
  Random random_;
  Row row_ = Row(ExtraFeatures::kWidth);
  std::vector<KnownLink> buffer_;
};

void fit_group(const TopicGroup& group, const ExploreBench& bench, std::string_view leader,
               const std::vector<PriorWeight>& weights, Fit& fit) {
  const TopicPages pages(group.data, bench.shared);
  for (const std::string& topic : group.topics) {
    const bool is_wanted = bench.topics.empty() || std::ranges::count(bench.topics, topic) > 0;
    if (!is_wanted) continue;
    const SimulatedWeb web = pages.web(topic);
    const auto scored = static_cast<std::uint64_t>(
        std::ranges::count_if(web.node_scores(), [](double score) { return score > 0; }));
    ExploreOptions options{.budget = std::min({bench.budget_max, scored, kStepsMax})};
    options.estimator.seed = bench.seed;
    options.estimator.extra_weights = weights;
    for (const auto& seeds :
         draw_seed_sets(web.node_scores(), {.sets = bench.sets, .seed = bench.seed})) {
      fit.crawl(web, seeds, explore(web, leader, seeds, options).order);
    }
    fmt::print(stderr, "{} {}: {:.0f} examples\n", leader, topic, fit.example_count());
  }
}

void fit_round(const ExploreBench& bench, std::string_view leader,
               const std::vector<PriorWeight>& weights, Fit& fit) {
  for (const TopicGroup& group : topic_groups()) {
    const bool is_wanted = bench.data.empty() || std::ranges::count(bench.data, group.data) > 0;
    if (group.is_development && is_wanted) fit_group(group, bench, leader, weights, fit);
  }
}

std::string as_header(const ExploreBench& bench, const std::vector<PriorWeight>& weights,
                      double examples) {
  std::string text = fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n\n"
      "// The weights that `extra` begins with and the deviations of its features, in the order "
      "of\n"
      "// extra_prior.h. Written by `explore_bench --fit --sets {} --seed {}` from {:.0f} "
      "examples.\n"
      "// Internal to the room.\n\n"
      "#pragma once\n\n#include \"webstrata/explore/estimators.h\"\n\n"
      "namespace webstrata::extra {{\n\ninline constexpr PriorWeight kFeatureWeights[] = {{\n",
      bench.sets, bench.seed, examples);
  std::vector<std::string> rows;
  std::size_t longest = 0;
  for (const auto& [weight, deviation] : weights) {
    rows.push_back(fmt::format("{{{:.4f}, {:.4f}}},", weight, deviation));
    longest = std::max(longest, rows.back().size());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("    {:<{}}  // {}\n", rows[i], longest, extra::kFeatureTable[i].name);
  }
  return text + "};\n\n}  // namespace webstrata::extra\n";
}

}  // namespace

void fit_extra(const ExploreBench& bench) {
  Fit fit(bench.seed);
  fit_round(bench, "nh-ne-sum", {}, fit);
  fit_round(bench, "extra", fit.weights(), fit);
  const std::string text = as_header(bench, fit.weights(), fit.example_count());
  if (bench.write.empty()) {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(bench.write, std::ios::binary);
  file << text << std::flush;
  if (!file) throw Error(ErrorKind::Io, bench.write.string() + ": cannot be written");
}

}  // namespace webstrata
