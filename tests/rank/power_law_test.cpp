// SPDX-License-Identifier: Apache-2.0

// The truth is known where the numbers are drawn from a law; elsewhere a slow fit by plain sums.

#include "webstrata/rank/power_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// Shares of 1, 2, … up to a million: far enough for exponents above 2.
std::vector<double> law_table(double exponent, std::uint64_t cutoff) {
  std::vector<double> shares;
  double sum = 0;
  for (std::uint64_t x = cutoff; x < cutoff + 1'000'000; ++x) {
    shares.push_back(sum += std::pow(static_cast<double>(x), -exponent));
  }
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<std::uint64_t> drawn_from_law(double exponent, std::uint64_t cutoff, int count,
                                          std::uint64_t seed) {
  const std::vector<double> shares = law_table(exponent, cutoff);
  Random random(seed);
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) {
    const auto place = std::ranges::upper_bound(shares, random.unit());
    numbers.push_back(cutoff + static_cast<std::uint64_t>(place - shares.begin()));
  }
  return numbers;
}

TEST(PowerLaw, FindsExponentAndCutoffOfNumbersThatWereDrawnFromALaw) {
  std::vector<std::uint64_t> numbers = drawn_from_law(2.5, 6, 4000, 7);
  Random random(8);
  for (int i = 0; i < 4000; ++i) numbers.push_back(random.below(6));  // no law below, zeros too
  const auto law = fit_power_law(numbers, {.repetitions = 40, .seed = 3});
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 2.5, 3 * law->error);
  EXPECT_GE(law->cutoff, 5U);
  EXPECT_LE(law->cutoff, 9U);
  EXPECT_NEAR(law->error, 1.5 / std::sqrt(4000), 0.01);
  EXPECT_EQ(law->numbers, numbers.size() - static_cast<std::size_t>(
                                               std::count(numbers.begin(), numbers.end(), 0U)));
  EXPECT_GT(*law->p_value, 0.1);
  EXPECT_EQ(law, fit_power_law(numbers, {.repetitions = 40, .seed = 3}));
}

// Geometric numbers have no heavy tail: however the cut-off is chosen, much data contradicts a law.
TEST(PowerLaw, RejectsNumbersThatFallExponentially) {
  Random random(5);
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 20'000; ++i) {
    std::uint64_t number = 1;
    while (random.chance(0.95)) ++number;
    numbers.push_back(number);
  }
  const auto law = fit_power_law(numbers, {.repetitions = 40});
  ASSERT_TRUE(law);
  EXPECT_LT(law->tail, numbers.size() / 2);
  // Most of the numbers do not belong to the law, or the law is rejected.
  EXPECT_TRUE(*law->p_value < 0.1 || law->tail < numbers.size() / 10) << *law->p_value;
}

// The likeliest exponent and the distance, over a fine grid of exponents and with plain sums.
TEST(PowerLaw, AgreesWithASlowFit) {
  const std::vector<std::uint64_t> numbers = {3, 3, 3, 3, 4, 4, 5, 7, 9, 12, 30, 30, 80};
  const auto law = fit_power_law(numbers, {.repetitions = 0});
  ASSERT_TRUE(law);
  EXPECT_FALSE(law->p_value);
  const auto total = [](double s, double from) {
    double sum = 0;
    for (double x = from; x < 200'000; ++x) sum += std::pow(x, -s);
    return sum + std::pow(200'000.0, 1 - s) / (s - 1);  // the rest, nearly
  };
  double best_distance = 2;
  double best_exponent = 0;
  std::uint64_t best_cutoff = 0;
  for (const std::uint64_t cutoff : {3, 4, 5, 7, 9, 12}) {
    std::vector<double> tail;
    for (const std::uint64_t x : numbers) {
      if (x >= cutoff) tail.push_back(static_cast<double>(x));
    }
    const auto likelihood = [&](double s) {
      double sum = -static_cast<double>(tail.size()) * std::log(total(s, double(cutoff)));
      for (const double x : tail) sum -= s * std::log(x);
      return sum;
    };
    double low = 1.05;
    double high = 8;
    for (int i = 0; i < 40; ++i) {  // the likelihood has one peak
      const double a = low + (high - low) / 3;
      const double b = high - (high - low) / 3;
      (likelihood(a) < likelihood(b) ? low : high) = likelihood(a) < likelihood(b) ? a : b;
    }
    double sum = 0;
    double distance = 0;
    const double all = total(low, double(cutoff));
    for (std::uint64_t x = cutoff; x <= 80; ++x) {
      sum += std::pow(double(x), -low) / all;
      const auto within =
          std::count_if(tail.begin(), tail.end(), [&](double y) { return y <= double(x); });
      distance = std::max(distance, std::abs(sum - double(within) / double(tail.size())));
    }
    if (distance < best_distance) {
      best_distance = distance;
      best_exponent = low;
      best_cutoff = cutoff;
    }
  }
  EXPECT_EQ(law->cutoff, best_cutoff);
  EXPECT_NEAR(law->exponent, best_exponent, 1e-3);
  EXPECT_NEAR(law->distance, best_distance, 1e-3);
}

TEST(PowerLaw, NeedsThreeDifferentNumbers) {
  EXPECT_FALSE(fit_power_law(std::vector<std::uint64_t>{}));
  EXPECT_FALSE(fit_power_law(std::vector<std::uint64_t>{0, 0, 5, 5, 7}));
  EXPECT_TRUE(fit_power_law(std::vector<std::uint64_t>{1, 2, 3}, {.repetitions = 2}));
}

}  // namespace
}  // namespace webstrata
