// SPDX-License-Identifier: Apache-2.0

// The encoder of encode_links.

#pragma once

#include <string>

#include "webstrata/codec/links.h"

namespace webstrata {

struct LinksParameters {
  unsigned chain_max = 2;   // copies between a list and one without reference
  unsigned group_bits = 1;  // the index has an entry for every 2^group_bits lists
  unsigned codes_max = 31;
  unsigned rounds = 2;  // of pricing and choosing references
};

LinksParameters parameters_of(LinksEffort effort);

// How many bits of a chunk are what, for benchmarks.
struct LinksSizes {
  std::uint64_t codes_bits = 0;
  std::uint64_t bitmap_bits = 0;
  std::uint64_t index_bits = 0;
  std::uint64_t stream_bits = 0;
};

std::string encode_links(const LinkLists& lists, const LinksParameters& parameters,
                         LinksSizes* sizes = nullptr);

}  // namespace webstrata
