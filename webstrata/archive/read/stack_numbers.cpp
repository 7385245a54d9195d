// SPDX-License-Identifier: Apache-2.0

// A stack is numbered from the base upwards. Each stratum adds its new keys at positions among the
// keys so far, and all numbers so far move up by the new keys at or before them. Positions ascend,
// so every step is one pass over sorted lists; a stack of k strata costs k passes over the keys
// above its base, and nothing for the keys of the base itself.
//
// The base has most keys, and links translate its numbers one by one: its directory makes that
// about as fast as an array, since between two entries there are few keys that it lacks. A node is
// looked for in every stratum, and most have none near it: their directories say so at once.
//
// Literature: rank over a sorted list with a directory, as in Elias 1974; the logarithmic method is
// Bentley and Saxe 1980.
// Tested by tests/archive/stack_numbers_test.cpp.

#include "webstrata/archive/read/stack_numbers.h"

#include <algorithm>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr unsigned kDirectoryShift = 8;

// How many of `values`, which ascend, are below each multiple of 256 up to `limit` and beyond.
template <typename ValueAt>
std::vector<std::uint64_t> directory_of(std::size_t size, std::uint64_t limit, ValueAt value_at) {
  std::vector<std::uint64_t> directory;
  directory.reserve((limit >> kDirectoryShift) + 2);
  std::size_t at = 0;
  for (std::uint64_t entry = 0; entry <= (limit >> kDirectoryShift) + 1; ++entry) {
    while (at < size && value_at(at) < entry << kDirectoryShift) ++at;
    directory.push_back(at);
  }
  return directory;
}

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

void StratumNumbers::seal(std::uint64_t uid_count) {
  uid_count_ = uid_count;
  if (!uids_.empty()) {
    by_uid_ = directory_of(uids_.size(), uid_count, [&](std::size_t i) { return uids_[i]; });
  }
  if (foreign_.empty()) return;
  by_number_ =
      directory_of(foreign_.size(), key_count_, [&](std::size_t i) { return foreign_[i]; });
  by_uid_ =
      directory_of(foreign_.size(), uid_count, [&](std::size_t i) { return foreign_[i] + i; });
}

Uid StratumNumbers::uid(std::uint64_t number) const noexcept {
  if (!uids_.empty()) return number < uids_.size() ? uids_[number] : uid_count_;
  if (foreign_.empty()) return number == key_count_ ? uid_count_ : number;
  const std::uint64_t entry = number >> kDirectoryShift;
  return number + find_place(by_number_[entry], by_number_[entry + 1],
                             [&](std::uint64_t i) { return foreign_[i] > number; });
}

std::uint64_t StratumNumbers::lower_bound(Uid uid) const noexcept {
  if (is_identity()) return std::min(uid, key_count_);
  const std::uint64_t entry = uid >> kDirectoryShift;
  if (!uids_.empty()) {
    return find_place(by_uid_[entry], by_uid_[entry + 1],
                      [&](std::uint64_t i) { return uids_[i] >= uid; });
  }
  return uid - find_place(by_uid_[entry], by_uid_[entry + 1],
                          [&](std::uint64_t i) { return foreign_[i] + i >= uid; });
}

std::optional<std::uint64_t> StratumNumbers::number(Uid uid) const noexcept {
  const std::uint64_t found = lower_bound(uid);
  if (found == key_count_ || this->uid(found) != uid) return std::nullopt;
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
