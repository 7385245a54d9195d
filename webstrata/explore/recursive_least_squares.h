// SPDX-License-Identifier: Apache-2.0

// Ridge regression that takes one example at a time: after n of them its weights are those of
// least squares over all n. Internal to the room.

#pragma once

#include <span>
#include <vector>

namespace webstrata {

// Minimises sum over examples of forgetting^age (y - w.x)^2 + sum of ridge_i (w_i - start_i)^2.
class RecursiveLeastSquares {
 public:
  RecursiveLeastSquares(std::size_t width, double ridge, double forgetting = 1);

  void learn(std::span<const double> features, double outcome);
  [[nodiscard]] double predict(std::span<const double> features) const;
  [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }
  // The prior weights and their strength. Only before the first example.
  void start_from(std::size_t i, double weight, double ridge);

 private:
  std::size_t width_;
  double forgetting_;
  std::vector<double> weights_;
  std::vector<double> covariance_;  // the inverse of the matrix of products, row by row
  std::vector<double> gain_;
};

}  // namespace webstrata
