// SPDX-License-Identifier: Apache-2.0

// From one numbering of keys to another: a monotone map from an input's key numbers to uids.
//
// Groups of 512 entries store the difference of each to the group's first in a fixed number of
// bits: 9 and a few more per key. Pages beyond a memory limit are in a scratch file and are read
// back through a small cache, so that a merge of any size runs in bounded memory; links stay mostly
// on their own site, so the cache mostly hits.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

class Translation {
 public:
  // Holds at most about `memory_bytes`; the rest goes to the file `spill`, made if needed.
  Translation(std::filesystem::path spill, std::size_t memory_bytes);
  Translation(Translation&&) noexcept;
  ~Translation();

  // The uid of the next number; ascending.
  void add(Uid uid);
  // The next number has no uid: its key is not in the result.
  void add_dropped();
  // No more will be added.
  void finish();

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // Whether every number stays as it is.
  [[nodiscard]] bool is_identity() const noexcept { return is_identity_; }
  [[nodiscard]] bool drops() const noexcept { return !dropped_.empty(); }
  [[nodiscard]] bool is_dropped(std::uint64_t number) const noexcept {
    return !dropped_.empty() && (dropped_[number / 64] >> (number % 64) & 1) != 0;
  }
  // `number` is not dropped. Not thread-safe.
  [[nodiscard]] Uid operator[](std::uint64_t number) const;

 private:
  static constexpr std::size_t kGroup = 512;
  struct Group {
    Uid first = 0;
    std::uint64_t start = 0;  // of its bits, as a number of words
    unsigned width = 0;
  };
  class Words;  // the packed bits, in memory and on disk

  void close_group();

  std::unique_ptr<Words> words_;
  std::vector<Group> groups_;
  std::vector<Uid> open_;  // the group that is being filled
  std::vector<std::uint64_t> dropped_;
  std::uint64_t size_ = 0;
  Uid last_ = 0;
  bool is_identity_ = true;
};

}  // namespace webstrata
