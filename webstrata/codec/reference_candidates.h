// SPDX-License-Identifier: Apache-2.0

// Which of the lists before a list share many targets with it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

// Lists are added in order. For every target, 64 bits record which of the last 64 lists contain it;
// adding up these masks gives the number of targets that each of those lists shares.
class ReferenceCandidates {
 public:
  static constexpr std::uint32_t kLists = 64;

  ReferenceCandidates();

  // Replaces `out` by the (at most `count_max`) most promising lists, as distances back, best
  // first; then remembers `list`.
  void offer(std::span<const Uid> list, std::size_t count_max, std::vector<std::uint8_t>& out);

 private:
  struct Slot {
    Uid target = 0;
    std::uint64_t holders = 0;  // bit i: the list i before `last` contains the target, bit 0 `last`
    std::uint32_t last_plus =
        0;  // number of the last list that contains it, plus 1; 0: a free slot
  };

  Slot& slot_of(Uid target);
  void grow();
  [[nodiscard]] std::size_t home_of(Uid target) const;
  void add_shared(std::uint64_t lists);
  [[nodiscard]] std::uint32_t shared_with(std::uint32_t back) const;

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t list_count_ = 0;
  // Counts of 64 lists side by side: bit i of planes_[k] is bit k of the count of list i.
  std::array<std::uint64_t, 24> planes_{};
  std::size_t planes_used_ = 0;
  std::array<std::uint32_t, kLists> degrees_{};  // by number of list mod 64
};

}  // namespace webstrata
