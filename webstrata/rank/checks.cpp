// SPDX-License-Identifier: Apache-2.0

// Tested by tests/rank/pagerank_test.cpp and tests/rank/hits_test.cpp.

#include "webstrata/rank/checks.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

void check_size(std::string_view name, std::size_t size, std::size_t wanted, std::string_view of) {
  if (size == wanted) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{} has {} values, but there are {} {}: give one for each", name, size,
                          wanted, of));
}

void check_values(std::string_view name, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && values[i] >= 0) continue;
    throw Error(ErrorKind::BadInput, fmt::format("{}: value {} is {}; it must be 0 or a positive "
                                                 "number",
                                                 name, i, values[i]));
  }
}

void check_distribution(std::string_view name, std::span<const double> values) {
  check_values(name, values);
  double sum = 0;
  for (const double value : values) sum += value;
  if (std::abs(sum - 1) <= 1e-6) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{} sums to {}, not to 1: divide each value by the sum", name, sum));
}

}  // namespace webstrata
