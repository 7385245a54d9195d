// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/optional_layers_test.cpp.

#include "webstrata/archive/read/optional_scanner.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"

namespace webstrata {

const LayerRow& OptionalScanner::read(Uid node) {
  if (node < first_ || node >= first_ + rows_.size()) open_chunk_of(node);
  return rows_[node - first_];
}

void OptionalScanner::open_chunk_of(Uid node) {
  const std::uint64_t block = node >> block_bits_;
  const Uid block_first = block << block_bits_;
  const BlockView view = BlockView::open(reader_.block(block), reader_.describe(block));
  const auto damaged = [&](std::string_view what) {
    return Error(ErrorKind::Corrupt, fmt::format("{}: {}", reader_.describe(block), what));
  };
  if (node - block_first >= view.node_count()) throw damaged("has too few nodes");
  const BlockView::Range found =
      view.chunks_of(static_cast<std::uint32_t>(node - block_first));
  const BlockChunk& chunk = view.chunks()[found.first];
  rows_ = codec_.decode(chunk.bytes);
  if (rows_.size() != chunk.node_count || found.end != found.first + 1) {
    rows_.clear();
    throw damaged("a chunk holds other nodes than its directory says");
  }
  for (const LayerRow& row : rows_) {
    if (row.empty() || row.size() + 1 == codec_.columns.size()) continue;
    rows_.clear();
    throw damaged("a node has other columns than the layer");
  }
  first_ = block_first + chunk.first_node;
}

}  // namespace webstrata
