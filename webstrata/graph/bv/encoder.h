// SPDX-License-Identifier: Apache-2.0

// Encodes lists as a BVGraph; decoder.h describes their form.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/graph/bv/codes.h"
#include "webstrata/graph/bv/properties.h"

namespace webstrata::bv {

// One per thread: it keeps its memory from list to list.
class ListEncoder {
 public:
  explicit ListEncoder(const Properties& properties) : properties_(properties) {}

  // Bits of everything but the outdegree, if `list` of `node` (not empty) is written with the list
  // `back` nodes before it as its reference; 0 and an empty list for none.
  std::uint64_t cost(std::uint32_t node, std::span<const std::uint32_t> list, std::uint64_t back,
                     std::span<const std::uint32_t> reference);
  void write(std::uint32_t node, std::span<const std::uint32_t> list, std::uint64_t back,
             std::span<const std::uint32_t> reference, BitBuffer& out);

 private:
  struct Interval {
    std::uint64_t left;
    std::uint64_t length;
  };

  void find_blocks(std::span<const std::uint32_t> list, std::span<const std::uint32_t> reference);
  void find_intervals();
  template <typename Sink>
  void encode(std::uint32_t node, std::uint64_t back, Sink&& sink);

  const Properties& properties_;
  std::vector<std::uint64_t> blocks_;
  std::vector<std::uint32_t> extras_;  // what is not copied
  std::vector<Interval> intervals_;
  std::vector<std::uint32_t> residuals_;
};

}  // namespace webstrata::bv
