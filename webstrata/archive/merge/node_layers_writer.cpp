// SPDX-License-Identifier: Apache-2.0

// Both writers receive nodes in order, close a chunk at the limits of docs/FORMAT.md, and submit it
// to a pipeline that encodes chunks on all threads and writes them in order. A node with more
// sightings than a chunk may hold continues in the next chunk. Blocks that did not change are
// copied undecoded.
// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/node_layers_writer.h"

#include <algorithm>
#include <array>

#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

constexpr std::array kNamesLayer = {Layer::Names};
constexpr std::array kSightingsLayer = {Layer::Sightings};

std::uint64_t block_mask(const ArchiveOptions& options) {
  return (std::uint64_t{1} << options.block_bits) - 1;
}

}  // namespace

std::uint64_t content_of_name(Uid node, std::string_view key) noexcept {
  return checksum64(key, node);
}

NamesWriter::NamesWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                         EncodePool& pool, std::uint64_t first_block)
    : options_(options),
      next_(first_block << options.block_bits),
      pipeline_(folder, options, kNamesLayer, pool, first_block) {}

void NamesWriter::add(std::string_view key) {
  if ((next_ & block_mask(options_)) == 0) close_block();
  const bool is_full = chunk_.size() == kChunkKeys ||
                       (chunk_.size() > 0 && chunk_.bytes.size() + key.size() > kChunkKeyBytes);
  if (is_full) close_chunk();
  chunk_.add(key);
  block_content_ += content_of_name(next_, key);
  block_is_open_ = true;
  ++next_;
}

void NamesWriter::close_chunk() {
  if (chunk_.size() == 0) return;
  const auto chunk = std::make_shared<KeyList>(std::move(chunk_));
  chunk_ = {};
  const auto first = static_cast<std::uint32_t>((next_ - chunk->size()) & block_mask(options_));
  pipeline_.submit([chunk, first] {
    EncodedChunk encoded;
    encoded.first_node = first;
    encoded.node_count = static_cast<std::uint32_t>(chunk->size());
    encoded.layers.push_back(encode_names(*chunk));
    BlockSummary& summary = encoded.summaries.emplace_back();
    summary.nodes = summary.filled = summary.items = chunk->size();
    return encoded;
  });
}

void NamesWriter::close_block() {
  if (!block_is_open_) return;
  close_chunk();
  std::vector<BlockSummary> totals(1);
  totals[0].content = block_content_;
  pipeline_.end_block(std::move(totals));
  block_is_open_ = false;
  block_content_ = 0;
}

void NamesWriter::copy_block(std::uint64_t block, const LayerReader& from) {
  close_block();
  const LayerReader* const readers[] = {&from};
  pipeline_.copy_block(block, readers);
  next_ += from.summary(block).nodes;
}

std::map<Layer, std::vector<LayerFile>> NamesWriter::finish() {
  close_block();
  return pipeline_.finish();
}

SightingsWriter::SightingsWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                                 std::uint64_t node_count, EncodePool& pool,
                                 std::uint64_t first_block)
    : options_(options),
      node_count_(node_count),
      next_node_(first_block << options.block_bits),
      pipeline_(folder, options, kSightingsLayer, pool, first_block) {}

void SightingsWriter::begin_chunk(Uid first) {
  chunk_ = {};
  chunk_.lists.first = first;
}

void SightingsWriter::make_room() {
  if ((next_node_ & block_mask(options_)) == 0) close_block();
  if (chunk_.lists.node_count() == kChunkNodes) close_chunk();
  if (chunk_.lists.node_count() == 0) begin_chunk(next_node_);
  block_is_open_ = true;
}

void SightingsWriter::advance_to(Uid node) {
  for (; next_node_ < node; ++next_node_) {
    make_room();
    chunk_.lists.ends.push_back(static_cast<std::uint32_t>(chunk_.lists.records.size()));
    chunk_.row_times.add({});
  }
}

void SightingsWriter::add(Uid node, std::span<const SightingRecord> sightings,
                          std::span<const Time> row_times, std::uint64_t content) {
  advance_to(node);
  make_room();
  block_content_ += content;
  const bool fits = chunk_.lists.records.size() + sightings.size() <= kChunkSightings;
  if (!fits && chunk_.lists.node_count() > 0) {
    close_chunk();
    begin_chunk(node);
  }
  ++next_node_;
  // A node with more than a chunk continues in the next.
  for (std::size_t start = 0; start == 0 || start < sightings.size(); start += kChunkSightings) {
    if (start > 0) {
      close_chunk();
      begin_chunk(node);
      chunk_.begins_with_more = true;
    }
    const auto part =
        sightings.subspan(start, std::min<std::size_t>(kChunkSightings, sightings.size() - start));
    chunk_.lists.records.insert(chunk_.lists.records.end(), part.begin(), part.end());
    chunk_.lists.ends.push_back(static_cast<std::uint32_t>(chunk_.lists.records.size()));
    chunk_.row_times.add(row_times);
  }
}

void SightingsWriter::close_chunk() {
  if (chunk_.lists.node_count() == 0) return;
  const auto chunk = std::make_shared<Chunk>(std::move(chunk_));
  begin_chunk(next_node_);
  const auto first = static_cast<std::uint32_t>(chunk->lists.first & block_mask(options_));
  pipeline_.submit([chunk, first] {
    EncodedChunk encoded;
    encoded.first_node = first;
    encoded.node_count = static_cast<std::uint32_t>(chunk->lists.node_count());
    encoded.layers.push_back(encode_sightings(chunk->lists, chunk->row_times));
    BlockSummary& summary = encoded.summaries.emplace_back();
    summary.nodes = chunk->lists.node_count() - (chunk->begins_with_more ? 1 : 0);
    summary.items = chunk->lists.records.size();
    std::uint32_t start = 0;
    for (const std::uint32_t end : chunk->lists.ends) {
      summary.filled += end > start ? 1 : 0;
      start = end;
    }
    summary.filled -= chunk->begins_with_more ? 1 : 0;
    if (summary.items > 0) {
      const auto by_time = [](const SightingRecord& a, const SightingRecord& b) {
        return a.time < b.time;
      };
      const auto& records = chunk->lists.records;
      const auto [earliest, latest] = std::minmax_element(records.begin(), records.end(), by_time);
      summary.first = earliest->time;
      summary.last = latest->time;
    }
    return encoded;
  });
}

void SightingsWriter::close_block() {
  if (!block_is_open_) return;
  close_chunk();
  std::vector<BlockSummary> totals(1);
  totals[0].content = block_content_;
  pipeline_.end_block(std::move(totals));
  block_is_open_ = false;
  block_content_ = 0;
}

void SightingsWriter::copy_block(std::uint64_t block, const LayerReader& from) {
  const Uid first = block << options_.block_bits;
  advance_to(first);
  close_block();
  const LayerReader* const readers[] = {&from};
  pipeline_.copy_block(block, readers);
  next_node_ = std::min(node_count_, first + (std::uint64_t{1} << options_.block_bits));
  begin_chunk(next_node_);
}

std::map<Layer, std::vector<LayerFile>> SightingsWriter::finish() {
  advance_to(node_count_);
  close_block();
  return pipeline_.finish();
}

}  // namespace webstrata
