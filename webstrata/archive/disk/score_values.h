// SPDX-License-Identifier: Apache-2.0

// The contents of score columns: numbers for nodes, and rows of numbers for the links of a page.

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"

namespace webstrata {

inline constexpr std::uint64_t kMissingScoreBits = 0x7ff8000000000000;

// An unknown score. Any NaN means the same.
inline double missing_score() noexcept { return std::bit_cast<double>(kMissingScoreBits); }
inline bool is_missing(double score) noexcept { return std::isnan(score); }

struct LinkScore {
  Uid target = 0;
  Time time = 0;  // of the capture
  double value = 0;
  friend bool operator==(const LinkScore&, const LinkScore&) = default;
};

// The scored links of one page.
struct LinkScoreRow {
  Uid source = 0;
  Time time = 0;                 // of the latest capture that was scored
  std::vector<LinkScore> links;  // targets ascending
  friend bool operator==(const LinkScoreRow&, const LinkScoreRow&) = default;
};

}  // namespace webstrata
