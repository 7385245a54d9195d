// SPDX-License-Identifier: Apache-2.0

// Encodes chunks on several threads and writes them as blocks of one or more layers, in order.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/layer_reader.h"
#include "webstrata/archive/disk/layer_writer.h"
#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/merge/encode_queue.h"
#include "webstrata/codec/block.h"

namespace webstrata {

// A chunk of each layer, and what it adds to the summaries of their blocks.
struct EncodedChunk {
  std::uint32_t first_node = 0;  // in its block
  std::uint32_t node_count = 0;
  std::vector<std::string> layers;
  std::vector<BlockSummary> summaries;
};

class BlockPipeline {
 public:
  BlockPipeline(const std::filesystem::path& folder, const ArchiveOptions& options,
                std::span<const Layer> layers, EncodePool& pool, std::uint64_t first_block = 0);

  // `encode` gives an EncodedChunk; it may run on another thread.
  template <typename Encode>
  void submit(Encode encode) {
    queue_.submit([encode = std::move(encode)] { return Step{encode(), false}; });
  }
  // Ends a block. `totals`, layer by layer, are added to the sums over its chunks.
  void end_block(std::vector<BlockSummary> totals);
  // The next block is copied from there. Layer by layer.
  void copy_block(std::uint64_t block, std::span<const LayerReader* const> from);
  std::map<Layer, std::vector<LayerFile>> finish();

 private:
  struct Step {
    EncodedChunk chunk;
    bool ends_block = false;
  };
  void take(Step&& step);

  std::vector<Layer> layers_;
  std::vector<LayerWriter> writers_;
  std::vector<BlockWriter> blocks_;
  std::vector<BlockSummary> summaries_;
  EncodeQueue<Step> queue_;
};

}  // namespace webstrata
