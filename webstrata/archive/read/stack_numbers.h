// SPDX-License-Identifier: Apache-2.0

// Uids over a stack of strata: the rank of a key among the keys of all strata.
//
// Every stratum numbers its own keys; in between lie keys that only other strata have. Both
// directions are a search in a sorted list, with a directory where it is long.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "webstrata/archive/disk/places.h"
#include "webstrata/base/ids.h"

namespace webstrata {

// The numbers of one stratum.
class StratumNumbers {
 public:
  // The only stratum: numbers are uids.
  explicit StratumNumbers(std::uint64_t key_count) : key_count_(key_count), uid_count_(key_count) {}

  [[nodiscard]] std::uint64_t key_count() const noexcept { return key_count_; }
  [[nodiscard]] bool is_identity() const noexcept { return foreign_.empty() && uids_.empty(); }
  // Of a number below key_count(); the number after the last gives the number of uids.
  [[nodiscard]] Uid uid(std::uint64_t number) const noexcept;
  // Empty if the stratum does not have the key.
  [[nodiscard]] std::optional<std::uint64_t> number(Uid uid) const noexcept;
  // How many keys of the stratum are smaller than that of `uid`, which may be one past the last.
  [[nodiscard]] std::uint64_t lower_bound(Uid uid) const noexcept;

 private:
  friend class StackNumbers;
  void seal(std::uint64_t uid_count);

  // The base of a stack knows the keys that it lacks, the others know those that they have.
  std::uint64_t key_count_ = 0;
  std::uint64_t uid_count_ = 0;
  std::vector<std::uint64_t> foreign_;    // base: how many of its keys are before each other key
  std::vector<std::uint64_t> by_number_;  // base: how many in foreign_ are below each 256th number
  std::vector<Uid> uids_;                 // of the keys of another stratum
  std::vector<std::uint64_t> by_uid_;     // how many in foreign_ or uids_ are below each 256th uid
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
