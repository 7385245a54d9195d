// SPDX-License-Identifier: Apache-2.0

// What each link was like in each capture: a pair of bytes (kinds, count) for every one of the
// presence rows. Most links never change their value: one value per column of the union, and
// exceptions.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/codec/presence.h"

namespace webstrata {

struct LinkValue {
  std::uint8_t kinds = 0;
  std::uint8_t count = 0;
  friend auto operator<=>(const LinkValue&, const LinkValue&) = default;
};

// `values` are parallel to rows.ones.
std::string encode_kinds(const PresenceRows& rows, std::span<const LinkValue> values);

// An opened chunk. It never changes, so threads may share one.
class KindsChunk {
 public:
  // `bytes` outlive the chunk. Throws Error(Corrupt); so do the others.
  static KindsChunk open(std::string_view bytes);
  KindsChunk(KindsChunk&&) noexcept;
  KindsChunk& operator=(KindsChunk&&) noexcept;
  ~KindsChunk();

  [[nodiscard]] std::size_t node_count() const noexcept;
  // Replaces `out` by the values of `columns`, the ones of row number `row` of the node.
  void row(std::size_t node, std::uint32_t width, std::size_t row,
           std::span<const std::uint32_t> columns, std::vector<LinkValue>& out) const;
  // Appends the values of all rows of the node, parallel to their ones. `rows` holds only this node
  // (as PresenceChunk::rows gives it into a cleared PresenceRows).
  void rows(std::size_t node, const PresenceRows& rows, std::vector<LinkValue>& out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct State;
  explicit KindsChunk(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
