// SPDX-License-Identifier: Apache-2.0

// A stack is numbered from the base upwards. Each stratum adds its new keys at positions among the
// keys so far, and all numbers so far move up by the new keys at or before them. Positions ascend,
// so every step is one pass over sorted lists; a stack of k strata costs k passes over the keys
// above its base, and nothing for the keys of the base itself.
//
// The base has most keys, and links translate its numbers one by one: its directory makes that
// about as fast as an array, since between two entries there are few keys that it lacks. A node is
// looked for in every stratum, and most have none near it: their directories say so at once. A list
// of links is translated in one pass: between two links of a host there is mostly no key that the
// base lacks, so that the second moves up by as much as the first.
//
// Literature: rank over a sorted list with a directory, as in Elias 1974; the logarithmic method is
// Bentley and Saxe 1980.
// Tested by tests/archive/stack_numbers_test.cpp.

#include "webstrata/archive/read/stack_numbers.h"

#include <algorithm>
#include <bit>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Where keys are rare an entry for every 256 numbers is enough.
constexpr unsigned kShiftMax = 8;

// The first place in [first, end) at which `is_reached` holds; it holds from there on.
template <typename IsReached>
std::uint64_t find_place(std::uint64_t first, std::uint64_t end, IsReached is_reached) {
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (is_reached(middle)) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

// Moves ascending numbers up by the new keys at or before them.
void lift(std::vector<Uid>& numbers, const std::vector<std::uint64_t>& new_positions) {
  std::size_t before = 0;
  for (Uid& number : numbers) {
    while (before < new_positions.size() && new_positions[before] <= number) ++before;
    number += before;
  }
}

// Adds new keys to the keys that the base lacks. Both lists and the result hold, for each such key
// in order, how many keys of the base are before it; the new ones are still positions in the stack.
std::vector<std::uint64_t> merged_foreign(const std::vector<std::uint64_t>& foreign,
                                          const std::vector<std::uint64_t>& new_positions) {
  std::vector<std::uint64_t> merged;
  merged.reserve(foreign.size() + new_positions.size());
  std::size_t before = 0;
  for (const std::uint64_t position : new_positions) {
    while (before < foreign.size() && foreign[before] + before < position) {
      merged.push_back(foreign[before++]);
    }
    merged.push_back(position - before);
  }
  merged.insert(merged.end(), foreign.begin() + static_cast<std::ptrdiff_t>(before), foreign.end());
  return merged;
}

}  // namespace

template <typename ValueAt>
SortedDirectory::SortedDirectory(std::size_t size, std::uint64_t limit, ValueAt value_at)
    : shift_(std::min(kShiftMax, static_cast<unsigned>(std::bit_width(limit / size)))) {
  starts_.reserve((limit >> shift_) + 2);
  std::size_t at = 0;
  for (std::uint64_t entry = 0; entry <= (limit >> shift_) + 1; ++entry) {
    while (at < size && value_at(at) < entry << shift_) ++at;
    starts_.push_back(at);
  }
}

void StratumNumbers::seal(std::uint64_t uid_count) {
  uid_count_ = uid_count;
  if (!uids_.empty()) {
    by_uid_ =
        SortedDirectory(uids_.size(), uid_count, [&](std::size_t i) { return uids_[i]; });
  }
  if (foreign_.empty()) return;
  by_number_ =
      SortedDirectory(foreign_.size(), key_count_, [&](std::size_t i) { return foreign_[i]; });
  by_uid_ =
      SortedDirectory(foreign_.size(), uid_count, [&](std::size_t i) { return foreign_[i] + i; });
}

std::uint64_t StratumNumbers::foreign_before(std::uint64_t number) const noexcept {
  const auto [first, end] = by_number_.part_of(number);
  return find_place(first, end, [&](std::uint64_t i) { return foreign_[i] > number; });
}

Uid StratumNumbers::uid(std::uint64_t number) const noexcept {
  if (number >= key_count_) return uid_count_;
  if (!uids_.empty()) return uids_[number];
  return foreign_.empty() ? number : number + foreign_before(number);
}

void StratumNumbers::translate(std::span<Uid> numbers) const {
  if (is_identity() || numbers.empty()) return;
  if (numbers.back() >= key_count_) {
    throw Error(ErrorKind::Corrupt, "a link leads outside its stratum; restore the archive");
  }
  if (!uids_.empty()) {
    for (Uid& number : numbers) number = uids_[number];
    return;
  }
  std::uint64_t before = 0;
  for (Uid& number : numbers) {
    if (before < foreign_.size() && foreign_[before] <= number) before = foreign_before(number);
    number += before;
  }
}

std::uint64_t StratumNumbers::lower_bound(Uid uid) const noexcept {
  if (is_identity()) return std::min(uid, key_count_);
  const auto [first, end] = by_uid_.part_of(uid);
  if (!uids_.empty()) {
    return find_place(first, end, [&](std::uint64_t i) { return uids_[i] >= uid; });
  }
  return uid -
         find_place(first, end, [&](std::uint64_t i) { return foreign_[i] + i >= uid; });
}

std::optional<std::uint64_t> StratumNumbers::number(Uid uid) const noexcept {
  const std::uint64_t found = lower_bound(uid);
  if (!uids_.empty()) {
    return found < uids_.size() && uids_[found] == uid ? std::optional(found) : std::nullopt;
  }
  if (found == key_count_) return std::nullopt;
  if (foreign_.empty()) return found;
  const std::uint64_t place = uid - found;  // of the next key that the base lacks
  if (place < foreign_.size() && foreign_[place] + place == uid) return std::nullopt;
  return found;
}

StackNumbers::StackNumbers(std::uint64_t base_count,
                           const std::vector<const StratumPlaces*>& places)
    : uid_count_(base_count) {
  strata_.emplace_back(base_count);
  for (const StratumPlaces* stratum : places) add(*stratum);
  for (StratumNumbers& stratum : strata_) stratum.seal(uid_count_);
}

void StackNumbers::add(const StratumPlaces& places) {
  std::vector<std::uint64_t> new_positions;
  std::vector<Uid> uids;
  uids.reserve(places.keys.size());
  for (const KeyPlace& place : places.keys) {
    if (place.position + (place.is_known ? 1 : 0) > uid_count_) {
      throw Error(ErrorKind::Corrupt,
                  "a place is beyond the keys of the strata below; restore the archive");
    }
    if (!place.is_known) new_positions.push_back(place.position);
    // Every new key at or before it moves it up by one; a new key itself is not before itself.
    uids.push_back(place.position + new_positions.size() - (place.is_known ? 0 : 1));
  }
  for (std::size_t i = 1; i < strata_.size(); ++i) lift(strata_[i].uids_, new_positions);
  StratumNumbers& base = strata_.front();
  base.foreign_ = merged_foreign(base.foreign_, new_positions);
  uid_count_ += new_positions.size();
  StratumNumbers& added = strata_.emplace_back(uids.size());
  added.uids_ = std::move(uids);
}

}  // namespace webstrata
