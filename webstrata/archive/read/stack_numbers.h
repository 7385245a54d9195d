// SPDX-License-Identifier: Apache-2.0

// Uids over a stack of strata: the rank of a key among the keys of all strata.
//
// Every stratum numbers its own keys; in between lie keys that only other strata have. Both
// directions are a search in a sorted list, with a directory where it is long.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/archive/disk/places.h"
#include "webstrata/base/ids.h"

namespace webstrata {

// Where to look for a value in a sorted list: in a part with about two values on average.
class SortedDirectory {
 public:
  SortedDirectory() = default;
  // `value_at(i)` is value number i of `size`; values are asked for up to and including `limit`.
  template <typename ValueAt>
  SortedDirectory(std::size_t size, std::uint64_t limit, ValueAt value_at);

  struct Part {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  // Values before the part are smaller than `value`, those after it are larger.
  [[nodiscard]] Part part_of(std::uint64_t value) const noexcept {
    const std::uint64_t entry = value >> shift_;
    return {starts_[entry], starts_[entry + 1]};
  }

 private:
  unsigned shift_ = 0;
  std::vector<std::uint64_t> starts_;  // how many values are below each multiple of 2^shift_
};

// The numbers of one stratum.
class StratumNumbers {
 public:
  // The only stratum: numbers are uids.
  explicit StratumNumbers(std::uint64_t key_count) : key_count_(key_count), uid_count_(key_count) {}

  [[nodiscard]] std::uint64_t key_count() const noexcept { return key_count_; }
  [[nodiscard]] bool is_identity() const noexcept { return foreign_.empty() && uids_.empty(); }
  // Of a number below key_count(); any other gives the number of uids.
  [[nodiscard]] Uid uid(std::uint64_t number) const noexcept;
  // Replaces numbers, which ascend, by their uids. Throws Error(Corrupt) if one is not below
  // key_count() and the stratum is not the only one.
  void translate(std::span<Uid> numbers) const;
  // Empty if the stratum does not have the key.
  [[nodiscard]] std::optional<std::uint64_t> number(Uid uid) const noexcept;
  // How many keys of the stratum are smaller than that of `uid`, which may be one past the last.
  [[nodiscard]] std::uint64_t lower_bound(Uid uid) const noexcept;

 private:
  friend class StackNumbers;
  void seal(std::uint64_t uid_count);

  // The base of a stack knows the keys that it lacks, the others know those that they have.
  // How many keys that the base lacks are before its key `number`.
  [[nodiscard]] std::uint64_t foreign_before(std::uint64_t number) const noexcept;

  std::uint64_t key_count_ = 0;
  std::uint64_t uid_count_ = 0;
  std::vector<std::uint64_t> foreign_;  // base: how many of its keys are before each other key
  SortedDirectory by_number_;           // base: of foreign_
  std::vector<Uid> uids_;               // of the keys of another stratum
  SortedDirectory by_uid_;              // of uids_, or of the uids of foreign_
};

class StackNumbers {
 public:
  // The places of the strata above the base, from the lowest to the highest. Throws Error(Corrupt)
  // if a place is beyond the keys below.
  StackNumbers(std::uint64_t base_count, const std::vector<const StratumPlaces*>& places);

  [[nodiscard]] std::size_t size() const noexcept { return strata_.size(); }
  [[nodiscard]] std::uint64_t uid_count() const noexcept { return uid_count_; }
  [[nodiscard]] const StratumNumbers& stratum(std::size_t number) const { return strata_[number]; }

 private:
  void add(const StratumPlaces& places);

  std::uint64_t uid_count_ = 0;
  std::vector<StratumNumbers> strata_;
};

}  // namespace webstrata
