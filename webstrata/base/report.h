// SPDX-License-Identifier: Apache-2.0

// What was damaged or left out while a task continued.
//
// A reader adds every damaged place to its Report and continues; nothing is thrown and nothing is
// printed. One Report serves one thread; merge() joins them afterwards.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct Damage {
  std::uint64_t offset = 0;  // where in the file
  std::string reason;

  friend bool operator==(const Damage&, const Damage&) = default;
};

class Report {
 public:
  static constexpr std::size_t kDamagesKept = 1000;  // the rest is only counted

  // `reason` may quote the input: control characters in it are escaped (printable.h).
  void damaged(std::uint64_t offset, std::string_view reason);
  // The reader lost its place at this offset and found another one after it.
  void resynchronised(std::uint64_t offset) { resynchronised_.push_back(offset); }
  // Things left out on purpose: "links with other schemes", "urls too long", ...
  void count(std::string_view what, std::uint64_t times = 1);
  void merge(const Report& other);
  // Removes what was reported at or after `offset`: another reader reports those places.
  void forget_from(std::uint64_t offset);

  [[nodiscard]] const std::vector<Damage>& damages() const noexcept { return damages_; }
  [[nodiscard]] std::uint64_t damage_count() const noexcept { return damage_count_; }
  [[nodiscard]] std::uint64_t resynchronised_count() const noexcept {
    return resynchronised_.size();
  }
  [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>>& counts() const noexcept {
    return counts_;
  }

 private:
  std::vector<Damage> damages_;
  std::uint64_t damage_count_ = 0;
  std::vector<std::uint64_t> resynchronised_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

}  // namespace webstrata
