// SPDX-License-Identifier: Apache-2.0

// From which earlier list each list copies, when chains of copies must stay short.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webstrata {

// A list that could be copied from, and the price of the list that copies.
struct ReferenceCandidate {
  std::uint32_t back = 0;  // distance, in lists
  std::uint32_t price = 0;
};

struct ReferencePrices {
  std::vector<std::uint32_t> alone;            // price of each list without a reference
  std::vector<std::uint32_t> ends;             // where each list's candidates end in `candidates`
  std::vector<ReferenceCandidate> candidates;  // cheaper than alone, cheapest first

  [[nodiscard]] std::span<const ReferenceCandidate> of(std::size_t list) const noexcept {
    const std::size_t start = list == 0 ? 0 : ends[list - 1];
    return std::span(candidates).subspan(start, ends[list] - start);
  }
};

// For each list the distance of its reference, 0 for none. No list is more than `chain_max` copies
// away from one without a reference. The same prices give the same choice everywhere.
std::vector<std::uint32_t> choose_references(const ReferencePrices& prices, unsigned chain_max);

}  // namespace webstrata
