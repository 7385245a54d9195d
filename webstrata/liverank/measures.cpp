// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/measures_test.cpp.

#include "webstrata/liverank/measures.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace webstrata {

Curve::Curve(std::span<const std::uint8_t> live) : tests_(live.size()) {
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (live[i] != 0) positions_.push_back(i + 1);
  }
}

std::uint64_t Curve::found_after(std::uint64_t i) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(positions_, i) - positions_.begin());
}

double Curve::efficiency(std::uint64_t i) const {
  assert(i > 0 && i <= tests_);
  return static_cast<double>(found_after(i)) / static_cast<double>(i);
}

std::uint64_t live_needed(double alpha, std::uint64_t live_in_all) {
  const double exact = alpha * static_cast<double>(live_in_all);
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(exact - 1e-9)));
}

std::optional<double> Curve::cost(double alpha, std::uint64_t live_in_all) const {
  if (live_in_all == 0) return std::nullopt;
  const std::uint64_t needed = live_needed(alpha, live_in_all);
  if (needed > positions_.size()) return std::nullopt;
  return static_cast<double>(positions_[needed - 1]) / (alpha * static_cast<double>(live_in_all));
}

std::optional<double> Curve::area(std::uint64_t live_in_all) const {
  double sum = 0;
  for (int percent = 10; percent <= 95; ++percent) {
    const auto one = cost(percent / 100.0, live_in_all);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum / 86;
}

namespace {

// From `drawn` tests of which `live` were live, and which are worth `draws` tests of pages that are
// drawn with replacement: Wilson's interval.
Estimate wilson(double all, double drawn, double live, double draws) {
  const double share = live / drawn;
  constexpr double kDeviations = 1.959964;
  const double squared = kDeviations * kDeviations / draws;
  const double middle = (share + squared / 2) / (1 + squared);
  const double half =
      kDeviations / (1 + squared) * std::sqrt(share * (1 - share) / draws + squared / (4 * draws));
  const double least = live;
  const double most = all - (drawn - live);
  return {all * share, std::clamp(all * (middle - half), least, most),
          std::clamp(all * (middle + half), least, most)};
}

// The variance of a systematic sample's share over that of a random sample of the same size, by the
// squared differences of successive answers.
double variance_ratio(std::span<const std::uint8_t> live, double share) {
  constexpr double kLeast = 0.25;
  const auto size = static_cast<double>(live.size());
  if (live.size() < 3 || share <= 0 || share >= 1) return 1;
  double changes = 0;
  for (std::size_t i = 1; i < live.size(); ++i) changes += live[i] != live[i - 1] ? 1 : 0;
  // Both without the factors that they share: the mean square of half a difference, and the
  // variance of one answer.
  const double successive = changes / (2 * (size - 1));
  return std::clamp(successive / (share * (1 - share) * size / (size - 1)), kLeast, 1.0);
}

// The number of draws with replacement that is equivalent to `drawn` without.
double equal_draws(double all, double drawn) { return drawn * (all - 1) / (all - drawn); }

}  // namespace

Estimate estimate_live(std::uint64_t pages, std::uint64_t tested, std::uint64_t live) {
  const auto all = static_cast<double>(pages);
  if (tested == 0) return {all / 2, 0, all};
  const auto drawn = static_cast<double>(tested);
  const double share = static_cast<double>(live) / drawn;
  if (tested >= pages) return {all * share, all * share, all * share};
  return wilson(all, drawn, static_cast<double>(live), equal_draws(all, drawn));
}

Estimate estimate_live_systematic(std::uint64_t pages, std::span<const std::uint8_t> live) {
  const auto found = static_cast<std::uint64_t>(std::ranges::count(live, std::uint8_t{1}));
  if (live.empty() || live.size() >= pages) return estimate_live(pages, live.size(), found);
  const auto all = static_cast<double>(pages);
  const auto drawn = static_cast<double>(live.size());
  const double share = static_cast<double>(found) / drawn;
  return wilson(all, drawn, static_cast<double>(found),
                equal_draws(all, drawn) / variance_ratio(live, share));
}

Estimate narrowed(const Estimate& estimate, std::uint64_t least, std::uint64_t most) {
  const auto low = static_cast<double>(least);
  const auto high = static_cast<double>(std::max(least, most));
  return {std::clamp(estimate.value, low, high), std::clamp(estimate.low, low, high),
          std::clamp(estimate.high, low, high)};
}

}  // namespace webstrata
