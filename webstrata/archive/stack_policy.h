// SPDX-License-Identifier: Apache-2.0

// When the strata of an archive are merged: the logarithmic method.
//
// A new stratum is merged with those below it as long as the next one is smaller than a multiple of
// what is above it; the base takes part. So a fact is rewritten a number of times that follows the
// logarithm of the archive's size, and the strata are few: each is larger than the next by a
// factor. Where they would be more than eight, the highest are merged.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace webstrata {

enum class Merging {
  WhenDue,    // as said above
  AboveBase,  // likewise; what is due to be merged with the base is left to the caller
  Later,      // only what is needed for no more than kStrataMax
  All,        // into one
};

inline constexpr std::size_t kStrataMax = 8;

// `sizes` of the strata, the base first and a new one last. Returns the lowest that takes part in
// the merge; the new one itself if nothing is merged.
std::size_t first_merged(std::span<const std::uint64_t> sizes, Merging merging);

}  // namespace webstrata
