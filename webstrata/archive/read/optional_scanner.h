// SPDX-License-Identifier: Apache-2.0

// Reads an optional layer node after node.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/archive/disk/layer_reader.h"

namespace webstrata {

class OptionalScanner {
 public:
  // `reader` outlives the scanner; `codec` is the entry of the layer.
  OptionalScanner(const LayerReader& reader, const LayerEntry& codec, std::uint32_t block_bits)
      : reader_(reader), codec_(codec), block_bits_(block_bits) {}

  // The row of `node`, which lives until the next call. Fast if nodes ascend. Throws
  // Error(Corrupt).
  const LayerRow& read(Uid node);

 private:
  void open_chunk_of(Uid node);

  const LayerReader& reader_;
  const LayerEntry& codec_;
  std::uint32_t block_bits_;
  Uid first_ = 0;               // of the chunk
  std::vector<LayerRow> rows_;  // of the chunk
};

}  // namespace webstrata
