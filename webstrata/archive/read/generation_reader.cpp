// SPDX-License-Identifier: Apache-2.0

// RowChunk opens the same chunk of three or four layers together and checks that they agree about
// their nodes. The scanners decode chunk after chunk in order and release the mapped pages of a
// block once they have passed it, so a scan needs the memory of one chunk whatever the size of the
// archive.
// Tested by tests/archive/law_test.cpp and tests/archive/archive_test.cpp.

#include "webstrata/archive/read/generation_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

GenerationReader::GenerationReader(const std::filesystem::path& folder, const Manifest& manifest)
    : folder_(folder), options_(manifest.options), node_count_(manifest.counts.nodes) {
  if (manifest.is_stack()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{0}: is a stack of {1} strata, which this command does not read; merge "
                    "them first with: webstrata compact {0}",
                    folder.parent_path().string(), manifest.strata.size()));
  }
  for (const LayerEntry& entry : layer_table()) {
    const auto files = manifest.layers.find(entry.layer);
    readers_.emplace_back();
    if (files == manifest.layers.end()) {
      if (entry.is_optional) continue;
      throw Error(ErrorKind::Corrupt, fmt::format("{}: MANIFEST lists no layer {}; rebuild",
                                                  folder.string(), entry.name));
    }
    layers_.push_back(entry.layer);
    readers_.back().emplace(
        LayerReader::open(folder, entry.layer, options_.part_blocks, files->second));
  }
}

BlockView GenerationReader::view(Layer which, std::uint64_t block) const {
  const LayerReader& reader = layer(which);
  return BlockView::open(reader.block(block), reader.describe(block));
}

std::vector<const LayerReader*> GenerationReader::row_readers(Direction direction) const {
  std::vector<const LayerReader*> readers;
  for (const Layer which : row_layers(direction)) readers.push_back(&layer(which));
  return readers;
}

RowChunk::RowChunk(Uid first, LinksChunk links, TimesChunk times, PresenceChunk presence,
                   std::optional<KindsChunk> kinds)
    : first_(first),
      links_(std::move(links)),
      times_(std::move(times)),
      presence_(std::move(presence)),
      kinds_(std::move(kinds)) {}

RowChunk RowChunk::open(const GenerationReader& generation, Direction direction,
                        std::uint64_t block, std::size_t chunk) {
  std::vector<std::string_view> bytes;
  std::uint32_t first = 0;
  std::uint32_t node_count = 0;
  for (const Layer layer : row_layers(direction)) {
    const BlockView view = generation.view(layer, block);
    const bool is_like_the_others =
        chunk < view.chunks().size() &&
        (bytes.empty() || (view.chunks()[chunk].first_node == first &&
                           view.chunks()[chunk].node_count == node_count));
    if (!is_like_the_others) {
      throw Error(ErrorKind::Corrupt,
                  fmt::format("{}: its blocks differ from those of the other layers",
                              generation.layer(layer).describe(block)));
    }
    first = view.chunks()[chunk].first_node;
    node_count = view.chunks()[chunk].node_count;
    bytes.push_back(view.chunks()[chunk].bytes);
  }
  const Uid uid = generation.first_node(block) + first;
  RowChunk opened(uid, LinksChunk::open(bytes[0], uid), TimesChunk::open(bytes[1]),
                  PresenceChunk::open(bytes[2]),
                  bytes.size() > 3 ? std::optional(KindsChunk::open(bytes[3])) : std::nullopt);
  const bool agrees = opened.links_.node_count() == node_count &&
                      opened.times_.node_count() == node_count &&
                      opened.presence_.node_count() == node_count &&
                      (!opened.kinds_ || opened.kinds_->node_count() == node_count);
  if (!agrees) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: a chunk holds other nodes than its directory says",
                            generation.layer(row_layers(direction)[0]).describe(block)));
  }
  return opened;
}

void RowChunk::section(std::size_t node, PageLayers& section) const {
  links_.targets(node, section.links);
  times_.times(node, section.times);
  rows(node, section);
}

void RowChunk::rows(std::size_t node, PageLayers& section) const {
  section.one_ends.clear();
  section.ones.clear();
  section.values.clear();
  if (section.times.empty()) return;
  PresenceRows rows;
  rows.one_ends.swap(section.one_ends);  // its memory is used again
  rows.ones.swap(section.ones);
  presence_.rows(node, static_cast<std::uint32_t>(section.links.size()), rows);
  if (rows.one_ends.size() != section.times.size()) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("node {}: {} rows for {} times; restore the archive", first_ + node,
                            rows.one_ends.size(), section.times.size()));
  }
  if (kinds_) kinds_->rows(node, rows, section.values);
  section.one_ends.swap(rows.one_ends);
  section.ones.swap(rows.ones);
}

std::size_t RowChunk::memory_bytes() const noexcept {
  return sizeof(RowChunk) + links_.memory_bytes() + times_.memory_bytes() +
         presence_.memory_bytes() + (kinds_ ? kinds_->memory_bytes() : 0);
}

void RowScanner::seek(std::uint64_t block, std::uint64_t end) {
  block_ = block;
  end_ = end;
  node_end_ = ~Uid{0};
  has_block_ = false;
  chunk_.reset();
}

void RowScanner::seek_node(Uid node, Uid end) {
  seek(generation_.block_of(node));
  node_end_ = end;
  if (node >= end || block_ >= generation_.block_count()) {
    end_ = block_;
    return;
  }
  end_ = generation_.block_of(end - 1) + 1;
  enter_block();
  const BlockView view = generation_.view(row_layers(direction_)[0], block_);
  const auto place = static_cast<std::uint32_t>(node - generation_.first_node(block_));
  chunk_number_ = view.chunks_of(place).first;
  if (chunk_number_ < chunk_count_ && open_next_chunk()) node_ = node - chunk_->first();
}

void RowScanner::enter_block() {
  chunk_count_ = generation_.view(row_layers(direction_)[0], block_).chunks().size();
  chunk_number_ = 0;
  has_block_ = true;
}

bool RowScanner::open_next_chunk() {
  chunk_.reset();
  if (!has_block_ || chunk_number_ == chunk_count_) {
    if (has_block_) {
      for (const LayerReader* reader : generation_.row_readers(direction_)) reader->release(block_);
      ++block_;
    }
    has_block_ = false;
    if (block_ >= std::min(end_, generation_.block_count())) return false;
    enter_block();
  }
  chunk_.emplace(RowChunk::open(generation_, direction_, block_, chunk_number_++));
  chunk_->links().decode(links_);
  chunk_->times().decode(times_);
  node_ = 0;
  return true;
}

bool RowScanner::find_filled() {
  while (true) {
    if (chunk_) {
      while (node_ < times_.node_count() && times_.list(node_).empty()) ++node_;
      if (node_ < times_.node_count()) return true;
    }
    if (!open_next_chunk()) return false;
  }
}

std::optional<Uid> RowScanner::next_node() {
  if (!find_filled() || chunk_->first() + node_ >= node_end_) return std::nullopt;
  return chunk_->first() + node_;
}

void RowScanner::read(PageLayers& section) {
  const auto links = links_.list(node_);
  const auto times = times_.list(node_);
  section.links.assign(links.begin(), links.end());
  section.times.assign(times.begin(), times.end());
  chunk_->rows(node_, section);
  ++node_;
}

void TimesScanner::seek(std::uint64_t block) {
  block_ = block;
  chunk_number_ = 0;
  first_ = generation_.first_node(block);
  times_.clear();
}

void TimesScanner::read(Uid node, std::vector<Time>& times) {
  times.clear();
  while (block_ < generation_.block_count()) {
    if (node >= first_ && node < first_ + times_.node_count()) {
      const auto found = times_.list(node - first_);
      times.insert(times.end(), found.begin(), found.end());
      // Only the last node of a chunk may continue in the next.
      if (node + 1 < first_ + times_.node_count()) break;
    } else if (node < first_) {
      break;
    }
    const BlockView view = generation_.view(Layer::Times, block_);
    if (chunk_number_ == view.chunks().size()) {
      if (generation_.block_of(node) == block_) break;
      generation_.layer(Layer::Times).release(block_);
      seek(block_ + 1);
      continue;
    }
    const BlockChunk& chunk = view.chunks()[chunk_number_];
    if (generation_.first_node(block_) + chunk.first_node > node) break;
    ++chunk_number_;
    first_ = generation_.first_node(block_) + chunk.first_node;
    TimesChunk::open(chunk.bytes).decode(times_);
  }
  // A row that was cut repeats its time.
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

bool KeyScanner::next(std::string_view& key) {
  while (position_ == keys_.size()) {
    if (block_ == generation_.block_count()) return false;
    const BlockView view = generation_.view(Layer::Names, block_);
    if (chunk_number_ == view.chunks().size()) {
      generation_.layer(Layer::Names).release(block_);
      ++block_;
      chunk_number_ = 0;
      continue;
    }
    NamesChunk::open(view.chunks()[chunk_number_++].bytes).decode(keys_);
    position_ = 0;
  }
  key = keys_[position_++];
  return true;
}

}  // namespace webstrata
