// SPDX-License-Identifier: Apache-2.0

// Where the units of a chunk begin in its stream of bits.
//
// A node that has data has one unit, or several (every 64 rows begin a new one); the others have
// none. The index says which nodes have data (runs of nodes), how many units the long ones have,
// and where units begin. If a node has several units, all of them are indexed; of the others only
// one in `group` is, and a reader skips the units before its own. The group is large where units
// are small, so that the index stays a small part of the whole.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/bits.h"
#include "webstrata/base/bytes.h"

namespace webstrata {

struct UnitLayout {
  std::vector<std::uint32_t> units;      // of every node
  std::vector<std::uint64_t> positions;  // bit of every unit, ascending
  std::uint64_t end = 0;                 // after the last
  bool can_skip = true;                  // false: every unit is indexed
};
std::string encode_unit_index(const UnitLayout& layout);

class UnitIndex {
 public:
  // Reads the index from `bytes`, which `what` names in Error(Corrupt).
  static UnitIndex open(ByteReader& bytes, std::string_view what);

  [[nodiscard]] std::size_t node_count() const noexcept { return node_count_; }
  // Nodes that have data.
  [[nodiscard]] std::size_t holder_count() const noexcept { return first_marks_.size(); }
  // The number of `node` among them; none if it has no data. Throws Error(BadInput) if the chunk
  // has no such node.
  [[nodiscard]] std::optional<std::uint32_t> holder(std::size_t node) const;
  [[nodiscard]] std::uint32_t unit_count(std::uint32_t holder) const noexcept {
    return units_.empty() ? 1 : units_[holder];
  }

  // Every unit of a holder with several has a mark of its own, in order.
  [[nodiscard]] std::uint32_t mark(std::uint32_t holder) const noexcept {
    return first_marks_[holder];
  }
  [[nodiscard]] std::size_t mark_count() const noexcept { return marks_.size(); }

  struct Place {
    std::uint64_t bit = 0;
    std::uint32_t skip = 0;  // number of holders to skip, with one unit each
  };
  [[nodiscard]] Place place(std::uint32_t holder, std::uint32_t unit = 0) const noexcept {
    return {marks_[first_marks_[holder] + unit], skips_[holder]};
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  // Gives the number of holders.
  std::size_t read_holders(BitReader& in);
  void read_long_nodes(BitReader& in, std::size_t holders);
  void read_marks(BitReader& in, std::size_t holders);

  std::size_t node_count_ = 0;
  std::vector<std::uint64_t> holds_;         // a bit per node
  std::vector<std::uint32_t> holds_before_;  // a number per word of holds_
  std::vector<std::uint32_t> units_;         // per holder; empty: one each
  std::vector<std::uint32_t> first_marks_;   // per holder
  std::vector<std::uint8_t> skips_;          // per holder
  std::vector<std::uint64_t> marks_;
};

}  // namespace webstrata
