// SPDX-License-Identifier: Apache-2.0

// The numbers are kept as a histogram. Every value that leaves three different ones in the tail is
// tried as the cut-off: Newton's method solves -ζ'(s, cutoff) / ζ(s, cutoff) = mean of ln x for the
// exponent s, and a scan over the histogram finds the distance; the scan ends as soon as it exceeds
// the best distance so far, so most cut-offs cost little. ζ is summed to 30 and continued by Euler
// and Maclaurin's formula, with a relative error below 1e-8.
//
// Synthetic numbers of the tail come from a table of the model's distribution, and beyond the table
// from the continuous approximation, which is exact there to the last digit that matters.
// Tested by tests/rank/power_law_test.cpp, and against igraph by tests/rank/peers_test.py.

#include "webstrata/rank/power_law.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr double kSummedTo = 30;
constexpr double kExponentMin = 1.0001;
constexpr double kExponentMax = 50;
constexpr std::size_t kTable = 1 << 16;

struct Zeta {
  double value = 0;
  double slope = 0;  // by s
};

// Σ_{k ≥ 0} (q + k)^-s for s > 1, q > 0.
Zeta zeta(double s, double q) {
  Zeta sum;
  for (; q < kSummedTo; ++q) {
    const double term = std::pow(q, -s);
    sum.value += term;
    sum.slope -= std::log(q) * term;
  }
  const double log_q = std::log(q);
  const double power = std::exp(-s * log_q);  // q^-s
  const double rest = q * power / (s - 1);
  const double first = power / (12 * q);
  const double third = power / (720 * q * q * q);
  const double cubic = s * (s + 1) * (s + 2);
  sum.value += rest + power / 2 + s * first - cubic * third;
  sum.slope += -rest * (log_q + 1 / (s - 1)) - log_q * power / 2 + first * (1 - s * log_q) -
               third * (3 * s * s + 6 * s + 2 - cubic * log_q);
  return sum;
}

// The numbers by size, with how many there are of each, and sums from the largest down.
struct Histogram {
  std::vector<double> values;
  std::vector<double> counts;
  std::vector<double> tail;      // numbers at least as large
  std::vector<double> tail_log;  // the sum of their logarithms

  explicit Histogram(const std::map<std::uint64_t, std::uint64_t>& all) {
    for (const auto& [value, count] : all) {
      values.push_back(static_cast<double>(value));
      counts.push_back(static_cast<double>(count));
    }
    tail = counts;
    tail_log.resize(values.size());
    for (std::size_t i = values.size(); i-- > 0;) {
      tail_log[i] = counts[i] * std::log(values[i]);
      if (i + 1 == values.size()) continue;
      tail[i] += tail[i + 1];
      tail_log[i] += tail_log[i + 1];
    }
  }
};

double likeliest_exponent(const Histogram& numbers, std::size_t from) {
  const double mean_log = numbers.tail_log[from] / numbers.tail[from];
  const double q = numbers.values[from];
  double low = kExponentMin;
  double high = kExponentMax;
  // The continuous estimate with its correction by a half is a good start.
  double s = std::clamp(1 + 1 / std::max(mean_log - std::log(q - 0.5), 1e-3), low, high);
  for (int step = 0; step < 100; ++step) {
    const Zeta at = zeta(s, q);
    const double excess = -at.slope / at.value - mean_log;  // falls as s grows
    (excess > 0 ? low : high) = s;
    constexpr double kNear = 1e-6;
    const Zeta next = zeta(s + kNear, q);
    const double slope = ((-next.slope / next.value - mean_log) - excess) / kNear;
    double to = slope < 0 ? s - excess / slope : 0;
    if (!(to > low && to < high)) to = (low + high) / 2;
    if (std::abs(to - s) < 1e-10 * s) return to;
    s = to;
  }
  return s;
}

// The largest difference between the shares of the tail below a value, by data and by model;
// anything above `enough` once that is exceeded.
double distance_of(const Histogram& numbers, std::size_t from, double exponent, double enough) {
  const double all = zeta(exponent, numbers.values[from]).value;
  double distance = 0;
  for (std::size_t i = from; i < numbers.values.size() && distance <= enough; ++i) {
    const double before = 1 - numbers.tail[i] / numbers.tail[from];
    const double with = before + numbers.counts[i] / numbers.tail[from];
    const double model_before = 1 - zeta(exponent, numbers.values[i]).value / all;
    const double model_with = model_before + std::pow(numbers.values[i], -exponent) / all;
    distance = std::max({distance, std::abs(before - model_before), std::abs(with - model_with)});
  }
  return distance;
}

struct Fit {
  std::size_t from = 0;  // in the histogram
  double exponent = 0;
  double distance = 2;
};

Fit best_fit(const Histogram& numbers) {
  Fit best;
  for (std::size_t from = 0; from + 2 < numbers.values.size(); ++from) {
    const double exponent = likeliest_exponent(numbers, from);
    const double distance = distance_of(numbers, from, exponent, best.distance);
    if (distance < best.distance) best = {from, exponent, distance};
  }
  return best;
}

// Draws from the model above the cut-off, and from the data below it.
class Synthesis {
 public:
  Synthesis(const Histogram& numbers, const Fit& fit)
      : numbers_(numbers), fit_(fit), cutoff_(numbers.values[fit.from]) {
    const double all = zeta(fit.exponent, cutoff_).value;
    double sum = 0;
    while (shares_.size() < kTable) {
      sum += std::pow(cutoff_ + static_cast<double>(shares_.size()), -fit.exponent) / all;
      shares_.push_back(sum);
    }
    double below = 0;
    for (std::size_t i = 0; i < fit.from; ++i) below_.push_back(below += numbers.counts[i]);
  }

  Histogram draw(Random& random) const {
    std::map<std::uint64_t, std::uint64_t> all;
    const auto count = static_cast<std::uint64_t>(numbers_.tail.front());
    const double below = below_.empty() ? 0 : below_.back();
    for (std::uint64_t i = 0; i < count; ++i) {
      const double place = random.unit() * static_cast<double>(count);
      const auto bar = std::ranges::upper_bound(below_, place);
      if (place < below && bar != below_.end()) {
        ++all[static_cast<std::uint64_t>(
            numbers_.values[static_cast<std::size_t>(bar - below_.begin())])];
      } else {
        ++all[of_tail(random.unit())];
      }
    }
    return Histogram(all);
  }

 private:
  [[nodiscard]] std::uint64_t of_tail(double share) const {
    const auto place = std::ranges::upper_bound(shares_, share);
    if (place != shares_.end()) {
      return static_cast<std::uint64_t>(cutoff_) +
             static_cast<std::uint64_t>(place - shares_.begin());
    }
    const double last = cutoff_ + static_cast<double>(shares_.size()) - 0.5;
    const double left = (1 - share) / std::max(1 - shares_.back(), 1e-300);
    const double value = last * std::pow(left, -1 / (fit_.exponent - 1));
    return static_cast<std::uint64_t>(std::min(value + 0.5, 9e15));
  }

  const Histogram& numbers_;
  const Fit& fit_;
  double cutoff_;
  std::vector<double> shares_;  // of the model, up to each value from the cut-off on
  std::vector<double> below_;   // numbers up to each value below it
};

double p_value_of(const Histogram& numbers, const Fit& fit, const PowerLawOptions& options) {
  const Synthesis synthesis(numbers, fit);
  Random random(options.seed);
  std::uint32_t farther = 0;
  for (std::uint32_t i = 0; i < options.repetitions; ++i) {
    options.work.check_cancelled();
    if (options.work.progress) {
      options.work.progress({"fitting", i, options.repetitions, "samples"});
    }
    const Histogram drawn = synthesis.draw(random);
    if (best_fit(drawn).distance >= fit.distance) ++farther;
  }
  return static_cast<double>(farther) / options.repetitions;
}

}  // namespace

std::optional<PowerLaw> fit_power_law(std::span<const std::uint64_t> numbers,
                                      const PowerLawOptions& options) {
  std::map<std::uint64_t, std::uint64_t> all;
  for (const std::uint64_t number : numbers) {
    if (number > 0) ++all[number];
  }
  if (all.size() < 3) return std::nullopt;
  const Histogram histogram(all);
  const Fit fit = best_fit(histogram);
  PowerLaw law;
  law.exponent = fit.exponent;
  law.cutoff = static_cast<std::uint64_t>(histogram.values[fit.from]);
  law.tail = static_cast<std::uint64_t>(histogram.tail[fit.from]);
  law.numbers = static_cast<std::uint64_t>(histogram.tail.front());
  law.error = (fit.exponent - 1) / std::sqrt(histogram.tail[fit.from]);
  law.distance = fit.distance;
  if (options.repetitions > 0) law.p_value = p_value_of(histogram, fit, options);
  return law;
}

}  // namespace webstrata
