// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/reference_choice_test.cpp.

#include "webstrata/codec/reference_candidates.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace webstrata {
namespace {

constexpr std::size_t kFirstSlots = 1 << 12;

int log2_of(std::uint32_t value) { return std::bit_width(value) - 1; }

// The estimated saving of copying, in sixteenths of a target: what is shared, minus a penalty for
// what has to be skipped and for the distance.
int promise(std::uint32_t shared, std::uint32_t degree, std::uint32_t back) {
  const std::uint32_t skipped = degree - shared;
  const int skipping = skipped == 0 ? 0 : 8 + 4 * log2_of(skipped);
  return static_cast<int>(shared) * 16 - skipping - 2 * log2_of(back);
}

}  // namespace

ReferenceCandidates::ReferenceCandidates() : slots_(kFirstSlots) {}

// Eight neighbouring targets share adjacent slots, because targets come in clusters.
std::size_t ReferenceCandidates::home_of(Uid target) const {
  const std::uint64_t mixed = (target >> 3) * 0x9e3779b97f4a7c15U;
  return (mixed >> 32 << 3 | (target & 7)) & (slots_.size() - 1);
}

ReferenceCandidates::Slot& ReferenceCandidates::slot_of(Uid target) {
  std::size_t place = home_of(target);
  while (slots_[place].last_plus != 0 && slots_[place].target != target) {
    place = (place + 1) & (slots_.size() - 1);
  }
  return slots_[place];
}

void ReferenceCandidates::grow() {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  for (const Slot& slot : old) {
    if (slot.last_plus != 0) slot_of(slot.target) = slot;
  }
}

void ReferenceCandidates::add_shared(std::uint64_t lists) {
  std::size_t plane = 0;
  for (; lists != 0; ++plane) {
    const std::uint64_t carry = planes_[plane] & lists;
    planes_[plane] ^= lists;
    lists = carry;
  }
  planes_used_ = std::max(planes_used_, plane);
}

std::uint32_t ReferenceCandidates::shared_with(std::uint32_t back) const {
  std::uint32_t count = 0;
  for (std::size_t plane = 0; plane < planes_used_; ++plane) {
    count |= static_cast<std::uint32_t>(planes_[plane] >> (back - 1) & 1) << plane;
  }
  return count;
}

void ReferenceCandidates::offer(std::span<const Uid> list, std::size_t count_max,
                                std::vector<std::uint8_t>& out) {
  planes_.fill(0);
  planes_used_ = 0;
  std::uint64_t sharing = 0;
  for (const Uid target : list) {
    if (2 * used_ >= slots_.size()) grow();
    Slot& slot = slot_of(target);
    std::uint64_t holders = 0;  // bit 0: the list just before
    if (slot.last_plus == 0) {
      slot.target = target;
      ++used_;
    } else {
      const std::uint32_t ago = list_count_ - slot.last_plus;
      holders = ago < kLists ? slot.holders << ago : 0;
    }
    slot.holders = holders << 1 | 1;
    slot.last_plus = list_count_ + 1;
    sharing |= holders;
    add_shared(holders);
  }
  std::array<std::pair<int, std::uint8_t>, kLists> ranked;
  std::size_t count = 0;
  for (std::uint64_t left = sharing; left != 0; left &= left - 1) {
    const auto back = static_cast<std::uint32_t>(std::countr_zero(left)) + 1;
    const std::uint32_t degree = degrees_[(list_count_ - back) % kLists];
    ranked[count++] = {-promise(shared_with(back), degree, back), static_cast<std::uint8_t>(back)};
  }
  const std::size_t kept = std::min(count, count_max);
  std::partial_sort(ranked.begin(), ranked.begin() + kept, ranked.begin() + count);
  out.clear();
  for (std::size_t i = 0; i < kept; ++i) out.push_back(ranked[i].second);
  degrees_[list_count_ % kLists] = static_cast<std::uint32_t>(list.size());
  ++list_count_;
}

}  // namespace webstrata
