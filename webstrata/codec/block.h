// SPDX-License-Identifier: Apache-2.0

// A block of one layer: chunks of consecutive nodes, each of which decodes alone.
//
// Every layer is cut at the same nodes into blocks, and every block, by its content alone, into
// chunks: what an encoder holds in memory and a reader opens at a time. A node with more than a
// chunk may hold continues in the next one, whose first node is then the last of the previous
// chunk; such a part of a node is a *segment*. docs/FORMAT.md draws the bytes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// Where a chunk is closed: at this number of nodes, or before it would exceed this number of items.
// Items are links, times, ones of rows plus rows, or sightings.
inline constexpr std::uint32_t kChunkNodes = 1 << 14;
inline constexpr std::uint32_t kChunkItems = 1 << 20;
inline constexpr std::uint32_t kChunkNodesMax = 1 << 16;  // of any layer: names take more

class BlockWriter {
 public:
  // Nodes are numbered from 0 inside the block and come in order, without holes.
  void add_chunk(std::uint32_t first_node, std::uint32_t node_count, std::string_view bytes);
  // The bytes of the block; the writer is empty afterwards.
  std::string finish();

 private:
  std::string directory_;
  std::string chunks_;
  std::uint32_t chunk_count_ = 0;
};

struct BlockChunk {
  std::uint32_t first_node = 0;
  std::uint32_t node_count = 0;
  std::string_view bytes;
};

class BlockView {
 public:
  // Reads the directory. `bytes` outlive the view; `what` names them in Error(Corrupt).
  static BlockView open(std::string_view bytes, std::string_view what);

  [[nodiscard]] const std::vector<BlockChunk>& chunks() const noexcept { return chunks_; }
  [[nodiscard]] std::uint32_t node_count() const noexcept;
  // The chunks from `first` up to, but without, `end` hold the segments of `node`.
  struct Range {
    std::size_t first = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] Range chunks_of(std::uint32_t node) const noexcept;

 private:
  std::vector<BlockChunk> chunks_;
};

}  // namespace webstrata
