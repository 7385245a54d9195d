// SPDX-License-Identifier: Apache-2.0

// Writes one layer of a generation, block after block, in parts of a fixed number of blocks.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"

namespace webstrata {

class LayerReader;

// A part depends only on its blocks, so several writers may write a layer in parallel: each begins
// at the first block of a part.
class LayerWriter {
 public:
  // Parts are written into `folder` from block `first_block`, a multiple of part_blocks, on.
  LayerWriter(std::filesystem::path folder, Layer layer, std::uint32_t part_blocks,
              std::uint64_t first_block = 0);
  LayerWriter(LayerWriter&&) noexcept;
  ~LayerWriter();  // without finish() the files are incomplete; they are deleted with the folder

  void add_block(std::string_view bytes, const BlockSummary& summary);
  // The next block is the same as `block` of another generation: its bytes are copied without
  // decoding (their checksum is verified), and a part that is entirely the same becomes a hard link
  // without being read. `from` lives until finish().
  void copy_block(const LayerReader& from, std::uint64_t block);

  // Makes the files durable (the caller syncs the folder) and lists them.
  std::vector<LayerFile> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
