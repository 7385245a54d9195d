// SPDX-License-Identifier: Apache-2.0

// Which uids of an archive are nodes of a Snapshot, and which node each of them is.
//
// One bit for each uid and a count for every 512: about 1.1 bits per uid of the archive, whereas a
// list of uids would take 64 per node. Nodes are numbered in the order of uids.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

class UidSet {
 public:
  UidSet() = default;
  // For uids below `uid_count`; none is in the set.
  explicit UidSet(std::uint64_t uid_count);
  // All uids below `uid_count`, sealed.
  static UidSet all(std::uint64_t uid_count);

  // Threads may insert at the same time, until seal().
  void insert(Uid uid) noexcept;
  // Numbers the nodes; the set is immutable afterwards. Throws Error(BadInput) if they are more
  // than a Snapshot can hold.
  void seal();

  [[nodiscard]] bool contains(Uid uid) const noexcept;
  // The functions below need seal().
  [[nodiscard]] Node size() const noexcept { return size_; }
  [[nodiscard]] std::optional<Node> node(Uid uid) const noexcept;
  // `node` < size().
  [[nodiscard]] Uid uid(Node node) const noexcept;
  [[nodiscard]] std::uint64_t uid_count() const noexcept { return uid_count_; }

 private:
  std::uint64_t uid_count_ = 0;
  Node size_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<Node> before_;  // members before each group of 8 words
};

}  // namespace webstrata
