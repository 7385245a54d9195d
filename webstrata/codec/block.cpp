// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/block_test.cpp.

#include "webstrata/codec/block.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata {

void BlockWriter::add_chunk(std::uint32_t first_node, std::uint32_t node_count,
                            std::string_view bytes) {
  append_varint(directory_, first_node);
  append_varint(directory_, node_count);
  append_varint(directory_, bytes.size());
  chunks_ += bytes;
  ++chunk_count_;
}

std::string BlockWriter::finish() {
  std::string block;
  append_varint(block, chunk_count_);
  block += directory_;
  block += chunks_;
  *this = {};
  return block;
}

BlockView BlockView::open(std::string_view bytes, std::string_view what) {
  const auto corrupt = [&](std::string_view reason) {
    return Error(ErrorKind::Corrupt, fmt::format("{}: {}", what, reason));
  };
  ByteReader reader(bytes, what);
  const std::uint64_t chunk_count = reader.varint();
  if (chunk_count > bytes.size()) throw corrupt("more chunks than bytes");
  BlockView view;
  view.chunks_.reserve(chunk_count);
  std::vector<std::uint64_t> sizes(chunk_count);
  std::uint64_t next_node = 0;
  for (std::uint64_t& size : sizes) {
    const std::uint64_t first_node = reader.varint();
    const std::uint64_t node_count = reader.varint();
    size = reader.varint();
    const bool goes_on = next_node > 0 && first_node + 1 == next_node;
    if (first_node != next_node && !goes_on) throw corrupt("chunks do not follow each other");
    if (node_count == 0 || node_count > kChunkNodesMax) throw corrupt("a chunk has no nodes");
    next_node = first_node + node_count;
    view.chunks_.push_back(
        {static_cast<std::uint32_t>(first_node), static_cast<std::uint32_t>(node_count), {}});
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) view.chunks_[i].bytes = reader.take(sizes[i]);
  if (!reader.at_end()) throw corrupt("bytes after the last chunk");
  return view;
}

std::uint32_t BlockView::node_count() const noexcept {
  return chunks_.empty() ? 0 : chunks_.back().first_node + chunks_.back().node_count;
}

BlockView::Range BlockView::chunks_of(std::uint32_t node) const noexcept {
  const auto ends_before = [](const BlockChunk& chunk, std::uint32_t wanted) {
    return chunk.first_node + chunk.node_count <= wanted;
  };
  const auto first = std::lower_bound(chunks_.begin(), chunks_.end(), node, ends_before);
  auto end = first;
  while (end != chunks_.end() && end->first_node <= node) ++end;
  return {static_cast<std::size_t>(first - chunks_.begin()),
          static_cast<std::size_t>(end - chunks_.begin())};
}

}  // namespace webstrata
