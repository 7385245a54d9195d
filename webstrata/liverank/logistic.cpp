// SPDX-License-Identifier: Apache-2.0

// Rows are sparse (one place per feature and a few numbers), so the gradient and the lower triangle
// of the Hessian are added up row by row, and the step is found by a Cholesky decomposition; the
// ridge makes the matrix positive definite. Steps are halved until the penalised loss falls.
// Tested by tests/liverank/learning_test.cpp.

#include "webstrata/liverank/logistic.h"

#include <algorithm>
#include <cmath>

namespace webstrata {
namespace {

// Of the numerics, not of the model: the bias is free but for this, so that the matrix is never
// singular; ten halvings without progress end a fit; margins beyond 30 have no curvature in
// doubles.
constexpr double kBiasRidge = 1e-3;
constexpr double kSmallestStep = 1e-3;
constexpr double kEnough = 1e-6;  // of the loss: less progress ends the fit

// log(1 + exp(z)) without overflow.
double softplus(double z) { return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z)); }

class Fit {
 public:
  Fit(const LogisticShape& shape, const LogisticRows& rows, const LogisticOptions& options)
      : shape_(shape),
        rows_(rows),
        ridges_(shape.size, options.ridge),
        prior_(options.prior.begin(), options.prior.end()),
        hessian_(shape.size * shape.size) {
    prior_.resize(shape.size);
    ridges_[0] = kBiasRidge;
    for (std::size_t row = 0; row < rows.size(); ++row) find_places(row);
  }

  [[nodiscard]] const std::vector<double>& prior() const noexcept { return prior_; }
  [[nodiscard]] double margin(std::size_t row, const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t i = place_ends_[row]; i < place_ends_[row + 1]; ++i)
      sum += weights[places_[i]];
    const float* numbers = rows_.numbers.data() + row * shape_.number_count;
    for (std::size_t i = 0; i < shape_.number_count; ++i) {
      sum += weights[shape_.first_number + i] * double{numbers[i]};
    }
    return sum;
  }
  [[nodiscard]] double loss(const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double z = margin(row, weights);
      sum += softplus(z) - (rows_.live[row] != 0 ? z : 0);
    }
    return sum;
  }
  [[nodiscard]] double objective(const std::vector<double>& weights) const {
    double penalty = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double distance = weights[i] - prior_[i];
      penalty += ridges_[i] * distance * distance;
    }
    return loss(weights) + penalty / 2;
  }
  // The Newton step at `weights`, to be subtracted.
  [[nodiscard]] std::vector<double> step(const std::vector<double>& weights) {
    std::vector<double> gradient(shape_.size);
    std::ranges::fill(hessian_, 0);
    for (std::size_t i = 0; i < shape_.size; ++i) {
      gradient[i] = ridges_[i] * (weights[i] - prior_[i]);
      hessian_[i * shape_.size + i] = ridges_[i];
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) add_row(row, weights, gradient);
    solve(gradient);
    return gradient;
  }

 private:
  void find_places(std::size_t row) {
    places_.push_back(0);
    const std::uint8_t* bins = rows_.bins.data() + row * rows_.feature_count;
    for (std::size_t feature = 0; feature < rows_.feature_count; ++feature) {
      if (bins[feature] > 0) places_.push_back(shape_.first[feature] + bins[feature] - 1);
    }
    place_ends_.push_back(places_.size());
  }

  // Only the lower triangle: places and numbers of a row are in ascending order.
  void add_row(std::size_t row, const std::vector<double>& weights, std::vector<double>& gradient) {
    const double z = std::clamp(margin(row, weights), -30.0, 30.0);
    const double p = 1 / (1 + std::exp(-z));
    const double residual = p - (rows_.live[row] != 0 ? 1 : 0);
    const double curvature = std::max(p * (1 - p), 1e-6);
    const std::size_t begin = place_ends_[row];
    const std::size_t end = place_ends_[row + 1];
    for (std::size_t i = begin; i < end; ++i) {
      gradient[places_[i]] += residual;
      double* line = hessian_.data() + places_[i] * shape_.size;
      for (std::size_t j = begin; j <= i; ++j) line[places_[j]] += curvature;
    }
    const float* numbers = rows_.numbers.data() + row * shape_.number_count;
    for (std::size_t i = 0; i < shape_.number_count; ++i) {
      const double number = numbers[i];
      if (number == 0) continue;
      const std::size_t place = shape_.first_number + i;
      gradient[place] += residual * number;
      double* line = hessian_.data() + place * shape_.size;
      const double share = curvature * number;
      for (std::size_t j = begin; j < end; ++j) line[places_[j]] += share;
      for (std::size_t j = 0; j <= i; ++j)
        line[shape_.first_number + j] += share * double{numbers[j]};
    }
  }

  // Cholesky in place; the ridge makes the matrix positive definite.
  void solve(std::vector<double>& vector) {
    const std::size_t size = shape_.size;
    for (std::size_t i = 0; i < size; ++i) {
      double* row = hessian_.data() + i * size;
      for (std::size_t j = 0; j <= i; ++j) {
        const double* other = hessian_.data() + j * size;
        double sum = row[j];
        for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
        row[j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / other[j];
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = hessian_.data() + i * size;
      for (std::size_t k = 0; k < i; ++k) vector[i] -= row[k] * vector[k];
      vector[i] /= row[i];
    }
    for (std::size_t i = size; i-- > 0;) {
      vector[i] /= hessian_[i * size + i];
      for (std::size_t k = 0; k < i; ++k) vector[k] -= hessian_[i * size + k] * vector[i];
    }
  }

  const LogisticShape& shape_;
  const LogisticRows& rows_;
  std::vector<double> ridges_;
  std::vector<double> prior_;
  std::vector<double> hessian_;
  std::vector<std::uint32_t> places_;  // of the weights that a row uses once
  std::vector<std::size_t> place_ends_ = {0};
};

// The loss of a constant guess at the rows' own rate.
double base_loss(const LogisticRows& rows) {
  const auto live = static_cast<double>(std::ranges::count(rows.live, 1));
  const double rate = (live + 1) / (static_cast<double>(rows.size()) + 2);
  const auto count = static_cast<double>(rows.size());
  return -(live * std::log(rate) + (count - live) * std::log(1 - rate)) / count;
}

}  // namespace

LogisticShape::LogisticShape(std::span<const std::uint8_t> bin_counts, std::size_t numbers)
    : number_count(numbers) {
  std::uint32_t next = 1;
  for (const std::uint8_t bins : bin_counts) {
    first.push_back(next);
    next += bins - 1;
  }
  first_number = next;
  size = next + numbers;
}

LogisticFit fit_logistic(const LogisticShape& shape, const LogisticRows& rows,
                         const LogisticOptions& options) {
  Fit fit(shape, rows, options);
  LogisticFit result;
  result.weights = fit.prior();
  if (rows.size() == 0) return result;
  double best = fit.objective(result.weights);
  if (options.start.size() == shape.size) {
    const std::vector<double> warm(options.start.begin(), options.start.end());
    const double value = fit.objective(warm);
    if (value < best) {
      best = value;
      result.weights = warm;
    }
  }
  for (; result.steps < options.steps_max; ++result.steps) {
    const std::vector<double> step = fit.step(result.weights);
    double length = 1;
    double value = best;
    std::vector<double> moved;
    for (; length > kSmallestStep; length /= 2) {
      moved = result.weights;
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= length * step[i];
      value = fit.objective(moved);
      if (value <= best) break;
    }
    if (length <= kSmallestStep) break;
    const double progress = best - value;
    result.weights = std::move(moved);
    best = value;
    if (progress < kEnough * std::abs(best)) break;
  }
  result.loss = fit.loss(result.weights) / static_cast<double>(rows.size());
  result.base_loss = base_loss(rows);
  return result;
}

}  // namespace webstrata
