// SPDX-License-Identifier: Apache-2.0

// Tested by tests/rank/extrapolation_test.cpp.

#include "webstrata/rank/extrapolation.h"

#include <cmath>

namespace webstrata {
namespace {

// A direction is left out if less than this share of its square is independent of the previous
// ones: in 16 bits the rest is noise.
constexpr double kNewShareMin = 1e-6;

}  // namespace

template <std::size_t Steps>
typename Extrapolation<Steps>::Gram& Extrapolation<Steps>::Gram::operator+=(
    const Gram& other) noexcept {
  for (std::size_t i = 0; i < Steps; ++i) {
    for (std::size_t j = 0; j <= i; ++j) products[i][j] += other.products[i][j];
    with_last[i] += other.with_last[i];
  }
  return *this;
}

template <std::size_t Steps>
typename Extrapolation<Steps>::Gram Extrapolation<Steps>::gram(std::size_t first, std::size_t last,
                                                               std::size_t stride) const {
  Gram sums;
  for (std::size_t at = first; at < last; at += stride) {
    const auto newest = static_cast<double>(changes_[Steps * size_ + at]);
    std::array<double, Steps> ahead;
    for (std::size_t j = 0; j < Steps; ++j) {
      ahead[j] = newest - static_cast<double>(changes_[j * size_ + at]);
    }
    for (std::size_t i = 0; i < Steps; ++i) {
      for (std::size_t j = 0; j <= i; ++j) sums.products[i][j] += ahead[i] * ahead[j];
      sums.with_last[i] += ahead[i] * newest;
    }
  }
  return sums;
}

// Solves products · c = with_last by Cholesky's factors. With c the guess is
// x − Σ c_i (x − x_i), where x_i is the iterate after change i, so x − x_i = u_{i+1} + … + u_last.
template <std::size_t Steps>
typename Extrapolation<Steps>::Weights Extrapolation<Steps>::weights(const Gram& gram) {
  std::array<std::array<double, Steps>, Steps> lower = {};
  std::array<double, Steps> solved = {};
  for (std::size_t i = 0; i < Steps; ++i) {
    double right = gram.with_last[i], square = gram.products[i][i];
    for (std::size_t j = 0; j < i; ++j) {
      double product = gram.products[i][j];
      for (std::size_t k = 0; k < j; ++k) product -= lower[i][k] * lower[j][k];
      lower[i][j] = lower[j][j] == 0 ? 0 : product / lower[j][j];
      square -= lower[i][j] * lower[i][j];
      right -= lower[i][j] * solved[j];
    }
    if (!(square > kNewShareMin * gram.products[i][i])) continue;
    lower[i][i] = std::sqrt(square);
    solved[i] = right / lower[i][i];
  }
  for (std::size_t i = Steps; i-- > 0;) {
    if (lower[i][i] == 0) continue;
    for (std::size_t j = i + 1; j < Steps; ++j) solved[i] -= lower[j][i] * solved[j];
    solved[i] /= lower[i][i];
  }
  Weights found = {};
  for (std::size_t j = 1; j <= Steps; ++j) found[j] = found[j - 1] + solved[j - 1];
  return found;
}

template class Extrapolation<3>;
template class Extrapolation<4>;

}  // namespace webstrata
