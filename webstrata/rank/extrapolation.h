// SPDX-License-Identifier: Apache-2.0

// Guesses the limit of a sequence of iterates from its last steps.
//
// Let an iteration map x to Tx + b, and let u_j be the changes of Steps + 1 iterations in a row.
// Of all weighted means of the iterates, with weights that sum to 1 and may be negative, it takes
// the one whose own change would be smallest (L2). As T is linear, that change is the same mean of
// the u_j, so no further iteration is needed to know it, and it is never above the last one:
// continuing from there loses nothing. Slow modes of the iteration cancel, those with complex
// eigenvalues as well as real ones, for which Aitken's extrapolation fails.
//
//   iterate, which writes to changes.next(); after each: changes.advance();
//   if (changes.is_full()) weights = changes.weights(gram over all values);
//   value[i] -= changes.step(i, weights), for all i; changes.clear();
//
// The changes are kept in 16 bits: they say where to continue, never how accurate the result is.
// Literature: reduced rank extrapolation, Eddy 1979, Mesina 1977; A. Sidi, Vector extrapolation
// methods with applications, 2017.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace webstrata {

// The upper half of a 32-bit float, rounded: its range, and three digits.
class ShortFloat {
 public:
  ShortFloat() = default;
  explicit ShortFloat(double value) noexcept
      : bits_(static_cast<std::uint16_t>(
            (std::bit_cast<std::uint32_t>(static_cast<float>(value)) + 0x8000u) >> 16)) {}
  explicit operator double() const noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

 private:
  std::uint16_t bits_ = 0;
};

// docs/decisions/008-pagerank-kernels.md has the iterations for other numbers of steps.
template <std::size_t Steps>
class Extrapolation {
 public:
  // Of the differences u_last − u_j, for a least-squares fit.
  struct Gram {
    std::array<std::array<double, Steps>, Steps> products = {};  // below and on the diagonal
    std::array<double, Steps> with_last = {};

    Gram& operator+=(const Gram& other) noexcept;
  };
  using Weights = std::array<double, Steps + 1>;

  explicit Extrapolation(std::size_t size) : size_(size), changes_(size * (Steps + 1)) {}

  // Where the next iteration writes its change of each value.
  [[nodiscard]] ShortFloat* next() noexcept { return changes_.data() + done_ * size_; }
  void advance() noexcept { ++done_; }
  void clear() noexcept { done_ = 0; }
  [[nodiscard]] bool is_full() const noexcept { return done_ == Steps + 1; }

  // The part of every `stride`-th value from `first` to before `last`.
  [[nodiscard]] Gram gram(std::size_t first, std::size_t last, std::size_t stride = 1) const;
  // All zero if nothing can be learned, for instance because nothing changed.
  [[nodiscard]] static Weights weights(const Gram& gram);
  // The difference of value i from the guess.
  [[nodiscard]] double step(std::size_t i, const Weights& weights) const noexcept {
    double sum = 0;
    for (std::size_t j = 1; j <= Steps; ++j) {
      sum += weights[j] * static_cast<double>(changes_[j * size_ + i]);
    }
    return sum;
  }

 private:
  std::size_t size_;
  std::size_t done_ = 0;
  std::vector<ShortFloat> changes_;  // one row of all values for each iteration
};

extern template class Extrapolation<3>;
extern template class Extrapolation<4>;

}  // namespace webstrata
