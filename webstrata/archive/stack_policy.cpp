// SPDX-License-Identifier: Apache-2.0

// Literature: the logarithmic method, Bentley and Saxe 1980.
// Tested by tests/archive/stack_policy_test.cpp.

#include "webstrata/archive/stack_policy.h"

namespace webstrata {
namespace {

// 2, 3 and 4 were compared (docs/decisions/023-strata.md).
constexpr std::uint64_t kShare = 2;

}  // namespace

std::size_t first_merged(std::span<const std::uint64_t> sizes, Merging merging) {
  if (merging == Merging::All) return 0;
  std::size_t first = sizes.size() - 1;
  std::uint64_t above = sizes[first];
  while (first > 0) {
    const bool is_due = merging != Merging::Later && sizes[first - 1] < kShare * above;
    if (!is_due && first < kStrataMax) break;
    above += sizes[--first];
  }
  return first;
}

}  // namespace webstrata
