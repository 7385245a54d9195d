// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/correlations_test.cpp.

#include "webstrata/explore/correlations.h"

#include <cmath>
#include <limits>

#include "webstrata/explore/neighbour_features.h"
#include "webstrata/explore/recursive_least_squares.h"

namespace webstrata {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFeatures = 6;
constexpr double kTinyRidge = 1e-9;  // features that never vary still have a solution

struct Sample {
  double score = 0;
  double features[kFeatures] = {};
};

double correlation(const std::vector<Sample>& samples, std::size_t feature) {
  const auto count = static_cast<double>(samples.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const Sample& sample : samples) {
    mean_x += sample.features[feature] / count;
    mean_y += sample.score / count;
  }
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (const Sample& sample : samples) {
    const double x = sample.features[feature] - mean_x;
    const double y = sample.score - mean_y;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : kUnknown;
}

// Of three features from `first` on, with a constant.
double fit(const std::vector<Sample>& samples, std::size_t first) {
  RecursiveLeastSquares model(4, kTinyRidge);
  const auto row = [first](const Sample& sample) {
    return std::vector<double>{sample.features[first], sample.features[first + 1],
                               sample.features[first + 2], 1};
  };
  double mean = 0;
  for (const Sample& sample : samples) {
    model.learn(row(sample), sample.score);
    mean += sample.score / static_cast<double>(samples.size());
  }
  double unexplained = 0;
  double all = 0;
  for (const Sample& sample : samples) {
    const double error = sample.score - model.predict(row(sample));
    unexplained += error * error;
    all += (sample.score - mean) * (sample.score - mean);
  }
  return all > 0 ? 1 - unexplained / all : kUnknown;
}

// The features of the neighbours of every node.
std::vector<NeighbourFacts> facts_of(const SimulatedWeb& web, bool inward) {
  const Snapshot& graph = web.graph();
  std::vector<NeighbourFacts> facts(graph.node_count());
  for (Node source = 0; source < graph.node_count(); ++source) {
    std::uint64_t link = graph.first_link(source);
    for (const Node target : graph.successors(source)) {
      const double score = web.link_scores()[link++];
      if (source == target) continue;
      facts[inward ? target : source].add(web.node_scores()[inward ? source : target], score);
    }
  }
  return facts;
}

FeatureFit fit_of(const SimulatedWeb& web, bool inward) {
  std::vector<Sample> samples;
  const auto facts = facts_of(web, inward);
  for (Node node = 0; node < facts.size(); ++node) {
    if (facts[node].count == 0) continue;
    Sample sample{web.node_scores()[node], {}};
    std::copy_n(facts[node].sum, 3, sample.features);
    std::copy_n(facts[node].max, 3, sample.features + 3);
    samples.push_back(sample);
  }
  FeatureFit result{inward ? "in" : "out", {}, fit(samples, 0), fit(samples, 3)};
  for (std::size_t i = 0; i < kFeatures; ++i) {
    result.correlations.push_back(correlation(samples, i));
  }
  return result;
}

}  // namespace

std::vector<FeatureFit> feature_fits(const SimulatedWeb& web) {
  return {fit_of(web, true), fit_of(web, false)};
}

}  // namespace webstrata
