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

// A part depends on nothing but its blocks, so several writers may make a layer side by side: each
// begins at the first block of a part.
class LayerWriter {
 public:
  // Parts are written into `folder` from block `first_block`, a multiple of part_blocks, on.
  LayerWriter(std::filesystem::path folder, Layer layer, std::uint32_t part_blocks,
              std::uint64_t first_block = 0);
  LayerWriter(LayerWriter&&) noexcept;
  ~LayerWriter();  // without finish() the files are rubbish; the folder is swept with them

  void add_block(std::string_view bytes, const BlockSummary& summary);
  // The next block is the same as `block` of another generation: its bytes are copied undecoded
  // (their checksum is compared), and a part that is the same altogether becomes a hard link, even
  // unread. `from` lives until finish().
  void copy_block(const LayerReader& from, std::uint64_t block);

  // Makes the files durable (the folder's names are the caller's business) and lists them.
  std::vector<LayerFile> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
