// SPDX-License-Identifier: Apache-2.0

// Seeded random numbers, the same on every machine and compiler.
//
// The generator is xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64. The standard
// library's distributions differ between implementations, so the few we need are here.

#pragma once

#include <cstdint>

namespace webstrata {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();
  // Uniform in [0, bound); bound > 0. Without bias (Lemire 2019).
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double unit();
  // True with probability p.
  bool chance(double p) { return unit() < p; }

 private:
  std::uint64_t state_[4];
};

}  // namespace webstrata
