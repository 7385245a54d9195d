// SPDX-License-Identifier: Apache-2.0

// A list of targets split as links_model.h describes, and its symbols passed to a sink: one that
// adds up prices, one that counts symbols, or one that writes bits.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/codec/links_model.h"

namespace webstrata {

class ListParts {
 public:
  // Reserves room for lists of this number of targets.
  explicit ListParts(std::size_t targets_max)
      : blocks_(2 * targets_max + 2), rest_(2 * targets_max) {}

  // Splits `list` against `reference` (empty: none).
  void split(std::span<const Uid> list, std::span<const Uid> reference);

  [[nodiscard]] std::span<const std::uint32_t> blocks() const noexcept {
    return {blocks_.data(), block_count_};
  }
  // The first target, then gaps; after a gap of zero the number of further zeros.
  [[nodiscard]] std::span<const Uid> rest() const noexcept { return {rest_.data(), rest_count_}; }

 private:
  std::vector<std::uint32_t> blocks_;
  std::vector<Uid> rest_;
  std::size_t block_count_ = 0;
  std::size_t rest_count_ = 0;
};

inline void ListParts::split(std::span<const Uid> list, std::span<const Uid> reference) {
  const Uid* const end = list.data() + list.size();
  const Uid* const reference_end = reference.data() + reference.size();
  std::uint32_t* block = blocks_.data();
  Uid* rest = rest_.data();
  std::uint32_t length = 0;  // of the present block
  bool is_copying = true;
  bool is_in_run = false;
  Uid next = 0;  // the gap to this target is zero: the one after the last that is not copied
  const auto add_rest = [&](Uid target) {
    const Uid gap = target - next;
    next = target + 1;
    if (rest == rest_.data()) {
      *rest++ = target;
    } else if (gap != 0) {
      *rest++ = gap;
      is_in_run = false;
    } else if (is_in_run) {
      ++rest[-1];
    } else {
      *rest++ = 0;
      *rest++ = 0;
      is_in_run = true;
    }
  };
  const Uid* target = list.data();
  const Uid* copied = reference.data();
  while (target != end && copied != reference_end) {
    if (*target < *copied) {
      add_rest(*target++);
      continue;
    }
    const bool is_equal = *target == *copied;
    if (is_equal != is_copying) {
      *block++ = length;
      length = 0;
      is_copying = is_equal;
    }
    ++length;
    ++copied;
    target += is_equal ? 1 : 0;
    next += is_equal ? 1 : 0;
  }
  while (target != end) add_rest(*target++);
  if (copied != reference_end && is_copying) *block++ = length;
  block_count_ = static_cast<std::size_t>(block - blocks_.data());
  rest_count_ = static_cast<std::size_t>(rest - rest_.data());
}

// Passes the symbols of the list of `node` to `sink`, which has
//   number(context, value), symbol(context, symbol), and signed_number(context, value,
//   is_negative),
// and the two kinds of number return their symbol.
template <class Sink>
void tell_list(Sink& sink, Uid node, std::uint32_t reference, const ListParts& parts,
               links_model::Before before) {
  using namespace links_model;
  const auto blocks = parts.blocks();
  const auto rest = parts.rest();
  sink.number(reference_context(before), reference);
  const auto few_blocks =
      static_cast<std::uint32_t>(std::min<std::size_t>(blocks.size(), kBlocksInShape));
  const auto few_rest =
      static_cast<std::uint32_t>(std::min<std::size_t>(rest.size(), kRestInShape));
  sink.symbol(shape_context(reference, before), few_blocks * (kRestInShape + 1) + few_rest);
  if (few_blocks == kBlocksInShape) sink.number(kMoreBlocks, blocks.size() - kBlocksInShape);
  if (few_rest == kRestInShape) {
    sink.number(kMoreRest + (reference > 0 ? 1 : 0), rest.size() - kRestInShape);
  }
  // Only the first block may be empty.
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint32_t kind = i == 0 ? 0 : i % 2 == 1 ? 1 : 2;
    sink.number(block_context(blocks.size()) + kind, blocks[i] - (i == 0 ? 0 : 1));
  }
  if (rest.empty()) return;
  const bool is_negative = rest[0] < node;
  std::uint32_t context = context_after_first(
      sink.signed_number(first_context(rest.size(), reference),
                         is_negative ? node - rest[0] - 1 : rest[0] - node, is_negative));
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const std::uint32_t token = sink.number(context, rest[i]);
    context = context == kRun ? context_after_run(token) : context_after_gap(token);
  }
}

}  // namespace webstrata
