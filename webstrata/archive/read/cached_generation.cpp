// SPDX-License-Identifier: Apache-2.0

// Chunks are opened on demand and kept in a ChunkCache of bounded size; directories of blocks stay.
// A key is looked up by binary search over the first keys of blocks, which are read once, and then
// inside one chunk of names. What a node has in several chunks is joined here.
// Tested by tests/archive/archive_test.cpp.

#include "webstrata/archive/read/cached_generation.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::size_t bytes_of(const std::vector<LayerRow>& rows) {
  std::size_t bytes = rows.capacity() * sizeof(LayerRow);
  for (const LayerRow& row : rows) {
    for (const ListCell& cell : row) {
      bytes += sizeof cell + cell.numbers.capacity() * sizeof(std::int64_t);
      for (const std::string& text : cell.texts) bytes += sizeof text + text.capacity();
    }
  }
  return bytes;
}

template <typename Chunk>
std::size_t bytes_of(const Chunk& chunk) {
  return sizeof chunk + chunk.memory_bytes();
}

// A range of names that is searched by reading single ones.
constexpr Uid kFewNames = 4;

constexpr auto kBytesOf = [](const auto& opened) { return bytes_of(opened); };

// The first read replaces; further segments of the same node are appended.
template <typename Record>
void append_segment(std::vector<Record>& out, std::vector<Record>& segment) {
  if (out.empty()) {
    out.swap(segment);
  } else {
    out.insert(out.end(), segment.begin(), segment.end());
  }
}

}  // namespace

CachedGeneration::CachedGeneration(const GenerationReader& reader, std::size_t stratum,
                                   ChunkCache& cache)
    : reader_(reader),
      stratum_(stratum),
      cache_(cache),
      first_keys_(reader.block_count()) {
  for (const LayerEntry& entry : layer_table()) {
    directories_.emplace_back(reader.has(entry.layer) ? reader.block_count() : 0);
  }
}

void CachedGeneration::check(Uid uid) const {
  if (uid < reader_.node_count()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("uid {}: the archive has {} nodes", uid, reader_.node_count()));
}

const BlockView& CachedGeneration::directory(Layer layer, std::uint64_t block) const {
  return directories_[static_cast<std::size_t>(layer)].get(
      block, [&] { return reader_.view(layer, block); });
}

std::shared_ptr<const RowChunk> CachedGeneration::row_chunk(Direction direction,
                                                            std::uint64_t block,
                                                            std::size_t chunk) const {
  return cache_.get<RowChunk>(
      cache_key(row_layers(direction)[0], block, chunk),
      [&] { return RowChunk::open(reader_, direction, block, chunk); }, kBytesOf);
}

std::shared_ptr<const NamesChunk> CachedGeneration::names_chunk(const BlockView& view,
                                                                std::uint64_t block,
                                                                std::size_t chunk) const {
  return cache_.get<NamesChunk>(
      cache_key(Layer::Names, block, chunk),
      [&] { return NamesChunk::open(view.chunks()[chunk].bytes); }, kBytesOf);
}

void CachedGeneration::sections(Direction direction, Uid uid, std::vector<Section>& out) const {
  check(uid);
  const std::uint64_t block = reader_.block_of(uid);
  const BlockView& view = directory(row_layers(direction)[0], block);
  const auto node = static_cast<std::uint32_t>(uid - reader_.first_node(block));
  const BlockView::Range range = view.chunks_of(node);
  out.reserve(out.size() + range.end - range.first);
  for (std::size_t chunk = range.first; chunk < range.end; ++chunk) {
    out.push_back(
        {row_chunk(direction, block, chunk), node - view.chunks()[chunk].first_node, stratum_});
  }
}

std::shared_ptr<const SightingsChunk> CachedGeneration::sightings_chunk(const BlockView& view,
                                                                        std::uint64_t block,
                                                                        std::size_t chunk) const {
  const BlockChunk& place = view.chunks()[chunk];
  return cache_.get<SightingsChunk>(
      cache_key(Layer::Sightings, block, chunk),
      [&] {
        return SightingsChunk::open(place.bytes, reader_.first_node(block) + place.first_node);
      },
      kBytesOf);
}

template <typename Record, typename Read>
void CachedGeneration::read_sightings(Uid uid, std::vector<Record>& out, Read read) const {
  check(uid);
  const std::uint64_t block = reader_.block_of(uid);
  const BlockView& view = directory(Layer::Sightings, block);
  const auto node = static_cast<std::uint32_t>(uid - reader_.first_node(block));
  const BlockView::Range range = view.chunks_of(node);
  out.clear();
  for (std::size_t i = range.first; i < range.end; ++i) {
    const std::uint32_t first = view.chunks()[i].first_node;
    if (i == range.first) {
      read(view, block, i, node - first, out);
      continue;
    }
    std::vector<Record> segment;
    read(view, block, i, node - first, segment);
    append_segment(out, segment);
  }
}

void CachedGeneration::sightings(Uid uid, std::span<const Time> row_times,
                                 std::vector<SightingRecord>& out) const {
  read_sightings(uid, out, [&](const BlockView& view, std::uint64_t block, std::size_t chunk,
                               std::size_t node, auto& records) {
    sightings_chunk(view, block, chunk)->sightings(node, row_times, records);
  });
}

void CachedGeneration::outcomes(Uid uid, std::span<const Time> row_times,
                                std::vector<SightingOutcome>& out, SightingsHold* hold) const {
  read_sightings(uid, out, [&](const BlockView& view, std::uint64_t block, std::size_t chunk,
                               std::size_t node, auto& outcomes) {
    if (hold == nullptr) {
      sightings_chunk(view, block, chunk)->outcomes(node, row_times, outcomes);
      return;
    }
    if (!hold->opened || hold->block != block || hold->chunk != chunk) {
      *hold = {block, chunk, sightings_chunk(view, block, chunk), std::nullopt};
      hold->reader.emplace(*hold->opened);
    }
    hold->reader->outcomes(node, row_times, outcomes);
  });
}

std::shared_ptr<const LayerRow> CachedGeneration::optional_row(Layer layer, Uid uid) const {
  check(uid);
  const std::uint64_t block = reader_.block_of(uid);
  const BlockView& view = directory(layer, block);
  const auto node = static_cast<std::uint32_t>(uid - reader_.first_node(block));
  const BlockView::Range range = view.chunks_of(node);
  const auto damaged = [&] {
    return Error(ErrorKind::Corrupt,
                 fmt::format("{}: holds other nodes than its directory says; restore the archive",
                             reader_.layer(layer).describe(block)));
  };
  if (range.end != range.first + 1) throw damaged();
  const BlockChunk& place = view.chunks()[range.first];
  const auto rows = cache_.get<std::vector<LayerRow>>(
      cache_key(layer, block, range.first), [&] { return entry_of(layer).decode(place.bytes); },
      kBytesOf);
  if (rows->size() != place.node_count) throw damaged();
  return {rows, &(*rows)[node - place.first_node]};
}

void CachedGeneration::key(Uid uid, std::string& out) const {
  check(uid);
  const std::uint64_t block = reader_.block_of(uid);
  const BlockView& view = directory(Layer::Names, block);
  const auto node = static_cast<std::uint32_t>(uid - reader_.first_node(block));
  const std::size_t chunk = view.chunks_of(node).first;
  if (chunk == view.chunks().size()) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: has too few names", reader_.layer(Layer::Names).describe(block)));
  }
  names_chunk(view, block, chunk)->key(node - view.chunks()[chunk].first_node, out);
}

const std::string& CachedGeneration::first_key(std::uint64_t block) const {
  return first_keys_.get(block, [&] {
    std::string made;
    key(reader_.first_node(block), made);
    return made;
  });
}

Uid CachedGeneration::lower_bound(std::string_view key, bool& found) const {
  found = false;
  // The last block that begins at or before the key.
  std::uint64_t first = 0;
  std::uint64_t end = reader_.block_count();
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (first_key(middle) <= key) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  if (first == 0) return 0;
  const std::uint64_t block = first - 1;
  const BlockView& view = directory(Layer::Names, block);
  // Mostly there is one chunk; otherwise the first that is not entirely before the key.
  for (std::size_t i = 0;; ++i) {
    const auto chunk = names_chunk(view, block, i);
    const std::size_t position = chunk->lower_bound(key, found);
    if (position < chunk->size() || i + 1 == view.chunks().size()) {
      return reader_.first_node(block) + view.chunks()[i].first_node + position;
    }
  }
}

Uid CachedGeneration::lower_bound(std::string_view key, Uid first, Uid end, bool& found) const {
  found = false;
  if (end - first > kFewNames) return lower_bound(key, found);
  std::string name;
  for (Uid number = first; number < end; ++number) {
    this->key(number, name);
    if (name < key) continue;
    found = name == key;
    return number;
  }
  return end;
}

}  // namespace webstrata
