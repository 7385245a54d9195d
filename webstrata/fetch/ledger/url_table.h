// SPDX-License-Identifier: Apache-2.0

// Which URLs a job knows, and by which number: twelve bytes for each, plus free slots.
//
// A URL is known by 64 bits of its hash under a seed of the job's own. Among ten million URLs two
// collide with a probability of 3 in a million; one of them is then never requested.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/fetch/ledger/ledger_records.h"

namespace webstrata {

class UrlTable {
 public:
  explicit UrlTable(std::uint64_t seed = 0);

  // kNoUrl is a valid number: known, and nothing more.
  [[nodiscard]] std::optional<UrlNumber> find(std::string_view url) const;
  // False if it was already there; its number then stays.
  bool add(std::string_view url, UrlNumber number);
  // Changes the number of a known URL.
  void renumber(std::string_view url, UrlNumber number);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  [[nodiscard]] std::uint64_t hash(std::string_view url) const noexcept;
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const noexcept;
  void grow();

  std::uint64_t seed_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> hashes_;  // 0: free
  std::vector<UrlNumber> numbers_;
};

}  // namespace webstrata
