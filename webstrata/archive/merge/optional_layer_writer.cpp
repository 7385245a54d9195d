// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/optional_layers_test.cpp.

#include "webstrata/archive/merge/optional_layer_writer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"

namespace webstrata {

std::uint64_t content_of_row(Uid node, const LayerRow& row) {
  if (item_count(row) == 0) return 0;
  std::string bytes;
  for (const ListCell& cell : row) {
    append_varint(bytes, cell.numbers.size());
    for (const std::int64_t number : cell.numbers) {
      append_u64(bytes, static_cast<std::uint64_t>(number));
    }
    append_varint(bytes, cell.texts.size());
    for (const std::string& text : cell.texts) {
      append_varint(bytes, text.size());
      bytes += text;
    }
  }
  return checksum64(bytes, node);
}

OptionalLayerWriter::OptionalLayerWriter(const std::filesystem::path& folder,
                                         const ArchiveOptions& options, const LayerEntry& codec,
                                         std::uint64_t node_count, EncodePool& pool,
                                         std::uint64_t first_block)
    : codec_(codec),
      block_bits_(options.block_bits),
      node_count_(node_count),
      next_node_(first_block << options.block_bits),
      pipeline_(folder, options, std::span(&codec.layer, 1), pool, first_block) {}

void OptionalLayerWriter::add(Uid node, LayerRow row) {
  advance_to(node);
  add_next(std::move(row));
}

void OptionalLayerWriter::advance_to(Uid node) {
  while (next_node_ < node) add_next({});
}

void OptionalLayerWriter::add_next(LayerRow row) {
  const std::uint64_t block_mask = (std::uint64_t{1} << block_bits_) - 1;
  if ((next_node_ & block_mask) == 0) close_block();
  const std::uint64_t items = item_count(row);
  if (chunk_.size() == kChunkNodes || chunk_items_ + items > kOptionalItems) close_chunk();
  block_content_ += content_of_row(next_node_, row);
  block_is_open_ = true;
  chunk_items_ += items;
  chunk_.push_back(std::move(row));
  ++next_node_;
}

void OptionalLayerWriter::close_chunk() {
  if (chunk_.empty()) return;
  const auto chunk = std::make_shared<std::vector<LayerRow>>(std::exchange(chunk_, {}));
  chunk_items_ = 0;
  const std::uint64_t block_mask = (std::uint64_t{1} << block_bits_) - 1;
  const auto first = static_cast<std::uint32_t>((next_node_ - chunk->size()) & block_mask);
  pipeline_.submit([chunk, first, encode = codec_.encode] {
    EncodedChunk encoded;
    encoded.first_node = first;
    encoded.node_count = static_cast<std::uint32_t>(chunk->size());
    encoded.layers.push_back(encode(*chunk));
    BlockSummary& summary = encoded.summaries.emplace_back();
    summary.nodes = chunk->size();
    for (const LayerRow& row : *chunk) {
      const std::uint64_t items = item_count(row);
      summary.filled += items > 0 ? 1 : 0;
      summary.items += items;
    }
    return encoded;
  });
}

void OptionalLayerWriter::close_block() {
  if (!block_is_open_) return;
  close_chunk();
  std::vector<BlockSummary> totals(1);
  totals[0].content = std::exchange(block_content_, 0);
  pipeline_.end_block(std::move(totals));
  block_is_open_ = false;
}

void OptionalLayerWriter::copy_block(std::uint64_t block, const LayerReader& from) {
  const Uid first = block << block_bits_;
  advance_to(first);
  close_block();
  const LayerReader* const readers[] = {&from};
  pipeline_.copy_block(block, readers);
  next_node_ = std::min(node_count_, first + (std::uint64_t{1} << block_bits_));
}

std::map<Layer, std::vector<LayerFile>> OptionalLayerWriter::finish() {
  advance_to(node_count_);
  close_block();
  return pipeline_.finish();
}

}  // namespace webstrata
