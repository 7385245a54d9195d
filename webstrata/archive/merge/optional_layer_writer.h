// SPDX-License-Identifier: Apache-2.0

// Writes one optional layer, node after node.
//
// A chunk is closed at kChunkNodes nodes, or before a node that would bring it above kOptionalItems
// items. A node is never cut.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/merge/block_pipeline.h"

namespace webstrata {

// Few enough that a chunk is decoded for one page within milliseconds.
inline constexpr std::uint64_t kOptionalItems = std::uint64_t{1} << 16;

// A hash of a row, whatever the encoder; 0 for an empty one.
std::uint64_t content_of_row(Uid node, const LayerRow& row);

class OptionalLayerWriter {
 public:
  // Writes from `first_block`, the first of a part, up to the node before `node_count`. `codec` is
  // the entry of the layer.
  OptionalLayerWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                      const LayerEntry& codec, std::uint64_t node_count, EncodePool& pool,
                      std::uint64_t first_block = 0);

  [[nodiscard]] Layer layer() const noexcept { return codec_.layer; }
  // `node` is larger than the previous one.
  void add(Uid node, LayerRow row);
  // The block is unchanged; no node of it was added.
  void copy_block(std::uint64_t block, const LayerReader& from);
  std::map<Layer, std::vector<LayerFile>> finish();

 private:
  void advance_to(Uid node);
  void add_next(LayerRow row);
  void close_chunk();
  void close_block();

  const LayerEntry& codec_;
  std::uint32_t block_bits_;
  std::uint64_t node_count_;
  Uid next_node_;
  std::vector<LayerRow> chunk_;
  std::uint64_t chunk_items_ = 0;
  std::uint64_t block_content_ = 0;
  bool block_is_open_ = false;
  BlockPipeline pipeline_;
};

}  // namespace webstrata
