// SPDX-License-Identifier: Apache-2.0

// Which links existed when: for each node of a chunk, rows of bits over its union of links.
//
// Used by `presence` (one row per capture) and `in_presence` (one row per time range). A node has
// `width` columns, its links in the union, and every column is a one in some row of the node (in
// this chunk or, if the node is cut into segments, in another).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// Rows of consecutive nodes, one after the other.
struct PresenceRows {
  std::vector<std::uint32_t> widths;    // columns of each node
  std::vector<std::uint32_t> row_ends;  // where each node's rows end in `one_ends`
  std::vector<std::uint32_t> one_ends;  // where each row's ones end in `ones`
  std::vector<std::uint32_t> ones;      // columns, strictly ascending inside a row

  [[nodiscard]] std::size_t node_count() const noexcept { return widths.size(); }
  [[nodiscard]] std::size_t first_row(std::size_t node) const noexcept {
    return node == 0 ? 0 : row_ends[node - 1];
  }
  [[nodiscard]] std::size_t row_count(std::size_t node) const noexcept {
    return row_ends[node] - first_row(node);
  }
  // `row` counts over all nodes.
  [[nodiscard]] std::size_t first_one(std::size_t row) const noexcept {
    return row == 0 ? 0 : one_ends[row - 1];
  }
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t row) const noexcept {
    return std::span(ones).subspan(first_one(row), one_ends[row] - first_one(row));
  }
  // Rows first, then the node that they belong to.
  void add_row(std::span<const std::uint32_t> columns) {
    ones.insert(ones.end(), columns.begin(), columns.end());
    one_ends.push_back(static_cast<std::uint32_t>(ones.size()));
  }
  void add_node(std::uint32_t width) {
    widths.push_back(width);
    row_ends.push_back(static_cast<std::uint32_t>(one_ends.size()));
  }
  void clear() {
    widths.clear();
    row_ends.clear();
    one_ends.clear();
    ones.clear();
  }
};

std::string encode_presence(const PresenceRows& rows);

// An opened chunk. It never changes, so threads may share one. Widths are not stored: the caller
// has them from the links layer; a width that cannot be right throws Error(Corrupt).
class PresenceChunk {
 public:
  // `bytes` outlive the chunk. Throws Error(Corrupt); so do the others.
  static PresenceChunk open(std::string_view bytes);
  PresenceChunk(PresenceChunk&&) noexcept;
  PresenceChunk& operator=(PresenceChunk&&) noexcept;
  ~PresenceChunk();

  [[nodiscard]] std::size_t node_count() const noexcept;
  [[nodiscard]] std::uint64_t one_count() const noexcept;
  [[nodiscard]] std::size_t row_count(std::size_t node) const;
  // Replaces `columns` by the ones of a row (numbered inside the node). Decodes at most 64 changes
  // of rows, whatever their number.
  void row(std::size_t node, std::uint32_t width, std::size_t row,
           std::vector<std::uint32_t>& columns) const;
  // Appends the node, all its rows, to `out`.
  void rows(std::size_t node, std::uint32_t width, PresenceRows& out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct State;
  explicit PresenceChunk(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
