// SPDX-License-Identifier: Apache-2.0

// Sherman and Morrison's formula for the inverse, O(width^2) per example.
// Tested by tests/explore/recursive_least_squares_test.cpp.

#include "webstrata/explore/recursive_least_squares.h"

#include <cassert>

namespace webstrata {

RecursiveLeastSquares::RecursiveLeastSquares(std::size_t width, double ridge, double forgetting)
    : width_(width),
      forgetting_(forgetting),
      weights_(width),
      covariance_(width * width),
      gain_(width) {
  for (std::size_t i = 0; i < width; ++i) covariance_[i * width + i] = 1 / ridge;
}

void RecursiveLeastSquares::start_from(std::size_t i, double weight, double ridge) {
  assert(i < width_);
  weights_[i] = weight;
  covariance_[i * width_ + i] = 1 / ridge;
}

double RecursiveLeastSquares::predict(std::span<const double> features) const {
  double sum = 0;
  for (std::size_t i = 0; i < width_; ++i) sum += weights_[i] * features[i];
  return sum;
}

void RecursiveLeastSquares::learn(std::span<const double> features, double outcome) {
  assert(features.size() == width_);
  double spread = forgetting_;
  for (std::size_t i = 0; i < width_; ++i) {
    const double* row = covariance_.data() + i * width_;
    double sum = 0;
    for (std::size_t j = 0; j < width_; ++j) sum += row[j] * features[j];
    gain_[i] = sum;
    spread += features[i] * sum;
  }
  const double error = (outcome - predict(features)) / spread;
  for (std::size_t i = 0; i < width_; ++i) weights_[i] += gain_[i] * error;
  // Both halves from the same products, so that the matrix stays symmetric.
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value =
          (covariance_[i * width_ + j] - gain_[i] * gain_[j] / spread) / forgetting_;
      covariance_[i * width_ + j] = value;
      covariance_[j * width_ + i] = value;
    }
  }
}

}  // namespace webstrata
