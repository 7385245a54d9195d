// SPDX-License-Identifier: Apache-2.0

// The `.properties` file of a BVGraph: how large the graph is and how it is coded.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/graph/bv/codes.h"

namespace webstrata::bv {

struct Codes {
  Code outdegrees = Code::Gamma;
  Code references = Code::Unary;
  Code block_counts = Code::Gamma;
  Code blocks = Code::Gamma;
  Code intervals = Code::Gamma;
  Code residuals = Code::Zeta;
  Code offsets = Code::Gamma;

  friend bool operator==(const Codes&, const Codes&) = default;
};

struct Properties {
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;
  std::uint64_t window = 7;           // how far back a reference may point; 0: none
  std::uint64_t chain_max = 3;        // references in a row
  std::uint64_t interval_length = 4;  // shorter runs are no intervals; 0: there are no intervals
  unsigned zeta_k = 3;
  BitOrder order = BitOrder::BigEndian;
  Codes codes = {};

  friend bool operator==(const Properties&, const Properties&) = default;
};

// Throws Error(BadInput) for another class of graph, another version or an unknown code,
// Error(Corrupt) for impossible numbers.
Properties parse_properties(std::string_view text);

// What Java and Rust read. `bit_count` is the size of the stream.
std::string format_properties(const Properties& properties, std::uint64_t bit_count);

}  // namespace webstrata::bv
