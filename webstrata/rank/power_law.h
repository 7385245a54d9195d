// SPDX-License-Identifier: Apache-2.0

// Do whole numbers such as degrees follow a power law, from where on, and with which exponent?
//
//   const auto law = fit_power_law(degrees, {.repetitions = 100, .seed = 1});
//   law->exponent, law->cutoff, *law->p_value;
//
// Clauset, Shalizi, Newman: Power-law distributions in empirical data (SIAM Review 2009). The model
// is P(x) = x^-exponent / ζ(exponent, cutoff) for x ≥ cutoff. The exponent is the most likely one,
// the cut-off the value for which model and data are nearest by Kolmogorov and Smirnov. The p-value
// is the share of synthetic samples, drawn from the model above the cut-off and from the data
// below, that are as far from their own best law: the law is to be rejected below 0.1.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "webstrata/base/work.h"

namespace webstrata {

struct PowerLawOptions {
  std::uint32_t repetitions = 100;  // of the bootstrap; 0: no p-value. N give about ±1/(2√N)
  std::uint64_t seed = 1;
  WorkOptions work = {};
};

struct PowerLaw {
  double exponent = 0;
  double error = 0;             // its standard error
  std::uint64_t cutoff = 0;     // the smallest value that the law covers
  std::uint64_t tail = 0;       // numbers at least as large
  std::uint64_t numbers = 0;    // that are not 0
  double distance = 0;          // largest difference of the cumulative distributions of the tail
  std::optional<double> p_value = {};

  friend bool operator==(const PowerLaw&, const PowerLaw&) = default;
};

// Zeros are left out. Empty if fewer than three different numbers remain. Throws Error(Cancelled).
std::optional<PowerLaw> fit_power_law(std::span<const std::uint64_t> numbers,
                                      const PowerLawOptions& options = {});

}  // namespace webstrata
