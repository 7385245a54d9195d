// SPDX-License-Identifier: Apache-2.0

// Decodes the lists of a BVGraph in order.
//
// A list is: its outdegree; how many nodes back its reference is (0: none) and which blocks of that
// list are copied; runs of consecutive targets as intervals; the rest as gaps (residuals). The
// first interval and the first residual are differences to the node itself, which may be negative,
// folded into natural numbers.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "webstrata/graph/bv/codes.h"
#include "webstrata/graph/bv/properties.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata::bv {

// Where each list begins, in bits, and where the last one ends: the content of the `.offsets` file.
// Throws Error(Corrupt) unless that is one number more than there are nodes.
std::vector<std::uint64_t> decode_offsets(std::string_view bytes, const Properties& properties);

// The lists before a range, as far back as references may reach, oldest first.
using PastLists = std::vector<std::vector<Node>>;

struct DecodedRange {
  SnapshotPart part;
  std::uint64_t end_position = 0;  // in bits
};

// The lists of the nodes [first, last), which begin at the bit `position`. `links_max` bounds what
// may come out of a damaged stream. Throws Error(Corrupt).
DecodedRange decode_range(std::string_view bytes, const Properties& properties, Node first,
                          Node last, std::uint64_t position, const PastLists& past,
                          std::uint64_t links_max);

// The last `window` lists of `part`, for the range after it.
PastLists last_lists(const SnapshotPart& part, const PastLists& past, std::uint64_t window);

// The lists before `node`, found through the offsets.
PastLists lists_before(std::string_view bytes, const Properties& properties, Node node,
                       const std::vector<std::uint64_t>& offsets);

// A node that no chain of references may be longer for lists_before().
inline constexpr std::uint64_t kChainMax = 64;

}  // namespace webstrata::bv
