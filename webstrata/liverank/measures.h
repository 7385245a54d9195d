// SPDX-License-Identifier: Apache-2.0

// How good an order was: the papers' measures.
//
//   cost(alpha) = tests until a share alpha of all live pages is found / (alpha · live pages)
//
// An ideal order costs 1 (up to rounding: ceil(alpha·n_a) / (alpha·n_a)), a random one n / n_a.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace webstrata {

// The shares at which tables show costs.
inline constexpr double kTableAlphas[] = {0.1, 0.2, 0.5, 0.8, 0.9, 0.95};

// The answers in the order of testing, and the number of live ones over time.
class Curve {
 public:
  Curve() = default;
  explicit Curve(std::span<const std::uint8_t> live);

  [[nodiscard]] std::uint64_t tests() const noexcept { return tests_; }
  [[nodiscard]] std::uint64_t found() const noexcept { return positions_.size(); }
  // f(i) = live pages among the first i tests / i; i from 1 to tests().
  [[nodiscard]] double efficiency(std::uint64_t i) const;
  // Live pages among the first i tests.
  [[nodiscard]] std::uint64_t found_after(std::uint64_t i) const;
  // Empty if the order ended earlier, or no page is live. 0 < alpha <= 1.
  [[nodiscard]] std::optional<double> cost(double alpha, std::uint64_t live_in_all) const;
  // The mean cost at alpha .10, .11, ..., .95; empty if one of them was not reached.
  [[nodiscard]] std::optional<double> area(std::uint64_t live_in_all) const;

 private:
  std::uint64_t tests_ = 0;
  std::vector<std::uint64_t> positions_;  // the tests, from 1, that found a live page
};

// How many live pages are needed for a share alpha: ceil(alpha · n_a), with some tolerance for
// rounding (alpha = 0.1, n_a = 30 needs 3).
std::uint64_t live_needed(double alpha, std::uint64_t live_in_all);

struct Estimate {
  double value = 0;
  double low = 0;  // of the 95 % interval
  double high = 0;
};
// The number of live pages among `pages` from a random or systematic sample (others are biased):
// pages · live / tested, with Wilson's interval, corrected for a finite population. Without tests:
// from 0 to `pages`.
Estimate estimate_live(std::uint64_t pages, std::uint64_t tested, std::uint64_t live);
// The same from a systematic sample, whose answers (1: live) are in the order of the pages.
// Neighbours in that order resemble each other, so it is more precise than a random one; by how
// much is taken from the differences of successive answers, down to a quarter of the variance.
Estimate estimate_live_systematic(std::uint64_t pages, std::span<const std::uint8_t> live);
// With what is known for certain: at least `least` pages are live and at most `most`.
Estimate narrowed(const Estimate& estimate, std::uint64_t least, std::uint64_t most);

}  // namespace webstrata
