// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/simulator_test.cpp.

#include "webstrata/explore/set_function.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

SetFunction sum_of_scores() {
  return [sum = 0.0](Node, double score) mutable { return sum += score; };
}

SetFunction count_of_scores() {
  return [count = 0.0](Node, double score) mutable { return count += score > 0 ? 1 : 0; };
}

SetFunctionMaker set_function(std::string_view name) {
  if (name == "sum") return sum_of_scores;
  if (name == "count") return count_of_scores;
  throw Error(ErrorKind::BadInput, fmt::format("no value is called {}: sum or count", name));
}

double smoothed_count(double count) noexcept { return count > 0 ? 1 + std::log(count) : 0; }

std::uint64_t budget_of(double requests, double period_seconds, double total_seconds) {
  if (!(requests > 0 && period_seconds > 0 && total_seconds > 0)) {
    throw Error(ErrorKind::BadInput, "requests, period and time of a budget are above 0");
  }
  return static_cast<std::uint64_t>(requests * total_seconds / period_seconds);
}

}  // namespace webstrata
