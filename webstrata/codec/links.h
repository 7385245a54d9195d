// SPDX-License-Identifier: Apache-2.0

// The links of a chunk of nodes: for each node an ascending list of targets.
//
// Used by the layers `links` (targets of pages) and `in_links` (sources). The .cpp explains how.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

// Lists of consecutive nodes, one after the other.
struct LinkLists {
  Uid first = 0;                    // the first node
  std::vector<std::uint32_t> ends;  // where each node's list ends in `targets`
  std::vector<Uid> targets;         // strictly ascending inside a list

  [[nodiscard]] std::size_t node_count() const noexcept { return ends.size(); }
  [[nodiscard]] std::span<const Uid> list(std::size_t node) const noexcept {
    const std::size_t start = node == 0 ? 0 : ends[node - 1];
    return std::span(targets).subspan(start, ends[node] - start);
  }
  void add(std::span<const Uid> list) {
    targets.insert(targets.end(), list.begin(), list.end());
    ends.push_back(static_cast<std::uint32_t>(targets.size()));
  }
  void clear(Uid first_node) {
    first = first_node;
    ends.clear();
    targets.clear();
  }
};

// Fast favours random access, Compact size. Part of an archive's options.
enum class LinksEffort : std::uint8_t { Fast, Compact };

std::string encode_links(const LinkLists& lists, LinksEffort effort = LinksEffort::Fast);

// An opened chunk. It never changes, so threads may share one.
class LinksChunk {
 public:
  // `bytes` (checksum verified, but not trusted) outlive the chunk; `first` is the number of its
  // first node. Throws Error(Corrupt); so do the others if the bytes contradict themselves.
  static LinksChunk open(std::string_view bytes, Uid first);
  LinksChunk(LinksChunk&&) noexcept;
  LinksChunk& operator=(LinksChunk&&) noexcept;
  ~LinksChunk();

  [[nodiscard]] std::size_t node_count() const noexcept;
  [[nodiscard]] std::uint64_t link_count() const noexcept;
  // Replaces `out` by the targets of the chunk's node number `node`, ascending.
  void targets(std::size_t node, std::vector<Uid>& out) const;
  [[nodiscard]] std::size_t degree(std::size_t node) const;
  // Whether it has targets, without decoding any.
  [[nodiscard]] bool has_targets(std::size_t node) const noexcept;
  // All lists in order: the fastest way to read a chunk.
  void decode(LinkLists& out) const;
  // Memory of the opened chunk itself, without `bytes`.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct State;
  explicit LinksChunk(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
