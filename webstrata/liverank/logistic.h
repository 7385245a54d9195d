// SPDX-License-Identifier: Apache-2.0

// Ridge logistic regression on rows that are mostly one-hot: the learner of LORE.
//
// A row has a bin for each feature (bin 0 is the reference and has no weight) and a few real
// numbers. Newton's method; a step is halved until the penalised likelihood rises, since undamped
// steps diverge in about one run of five.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webstrata {

// The layout of the weights: bias, bins of each feature, numbers.
struct LogisticShape {
  explicit LogisticShape(std::span<const std::uint8_t> bin_counts = {}, std::size_t numbers = 0);

  std::vector<std::uint32_t> first;  // of each feature: weight of bin b is at first + b − 1
  std::uint32_t first_number = 0;
  std::size_t number_count = 0;
  std::size_t size = 0;
};

struct LogisticRows {
  std::size_t feature_count = 0;
  std::size_t number_count = 0;
  std::vector<std::uint8_t> bins;  // feature_count a row
  std::vector<float> numbers;      // number_count a row
  std::vector<std::uint8_t> live;  // one a row

  [[nodiscard]] std::size_t size() const noexcept { return live.size(); }
};

struct LogisticFit {
  std::vector<double> weights;
  double loss = 0;       // mean log-loss on the rows
  double base_loss = 0;  // of the rows' own rate
  int steps = 0;
};

struct LogisticOptions {
  double ridge = 1;
  // The prior mean of the weights; empty: 0 each.
  std::span<const double> prior = {};
  // Where to begin; at the prior if that is empty or worse.
  std::span<const double> start = {};
  int steps_max = 12;
};

// Minimises Σ log-loss + ridge/2 · |weights − prior|² (of the bias a thousandth).
LogisticFit fit_logistic(const LogisticShape& shape, const LogisticRows& rows,
                         const LogisticOptions& options);

}  // namespace webstrata
