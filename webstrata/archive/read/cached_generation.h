// SPDX-License-Identifier: Apache-2.0

// A stratum with its opened chunks in a cache, for questions about single pages and names. Nodes
// have its own numbers; cached_stack.h answers in uids.
//
// It is logically immutable, so threads may share one.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/read/chunk_cache.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

// Things that are made when they are first asked for. Threads may share one: if two make the same,
// the first stays.
template <typename Value>
class OnceTable {
 public:
  explicit OnceTable(std::size_t size)
      : size_(size), slots_(std::make_unique<std::atomic<const Value*>[]>(size)) {}
  OnceTable(OnceTable&&) noexcept = default;
  OnceTable& operator=(OnceTable&&) = delete;
  ~OnceTable() {
    if (!slots_) return;
    for (std::size_t i = 0; i < size_; ++i) delete slots_[i].load(std::memory_order_relaxed);
  }

  template <typename Make>
  const Value& get(std::size_t place, Make make) const {
    std::atomic<const Value*>& slot = slots_[place];
    if (const Value* known = slot.load(std::memory_order_acquire)) return *known;
    auto made = std::make_unique<const Value>(make());
    const Value* expected = nullptr;
    if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
      return *made.release();
    }
    return *expected;
  }

 private:
  std::size_t size_;
  std::unique_ptr<std::atomic<const Value*>[]> slots_;
};

// What one chunk holds about a node. A node may have several sections; its facts are their union.
struct Section {
  std::shared_ptr<const RowChunk> chunk;
  std::size_t node = 0;  // inside the chunk
  std::size_t stratum = 0;
};

// A chunk of sightings that is being read node after node.
struct SightingsHold {
  std::uint64_t block = 0;
  std::size_t chunk = 0;
  std::shared_ptr<const SightingsChunk> opened;  // null: none yet
  std::optional<SightingsReader> reader;
};

class CachedGeneration {
 public:
  // Both outlive it.
  CachedGeneration(const GenerationReader& reader, std::size_t stratum, ChunkCache& cache);
  CachedGeneration(const CachedGeneration&) = delete;
  CachedGeneration& operator=(const CachedGeneration&) = delete;

  // All of `uid` throw Error(BadInput) if there is no such node.
  // Appends.
  void sections(Direction direction, Uid uid, std::vector<Section>& out) const;
  // Replaces `out`. `row_times` are the times of all the node's rows. With `hold`, nodes that
  // ascend are read in one pass.
  void sightings(Uid uid, std::span<const Time> row_times, std::vector<SightingRecord>& out) const;
  void outcomes(Uid uid, std::span<const Time> row_times, std::vector<SightingOutcome>& out,
                SightingsHold* hold = nullptr) const;

  // The row of a node in an optional layer.
  [[nodiscard]] std::shared_ptr<const LayerRow> optional_row(Layer layer, Uid uid) const;

  void key(Uid uid, std::string& out) const;
  // The number of keys smaller than `key`; `found` says whether the next one equals it.
  [[nodiscard]] Uid lower_bound(std::string_view key, bool& found) const;
  // The same if it is known to be from `first` to `end`.
  [[nodiscard]] Uid lower_bound(std::string_view key, Uid first, Uid end, bool& found) const;

 private:
  [[nodiscard]] const BlockView& directory(Layer layer, std::uint64_t block) const;
  [[nodiscard]] std::shared_ptr<const RowChunk> row_chunk(Direction direction, std::uint64_t block,
                                                          std::size_t chunk) const;
  [[nodiscard]] std::shared_ptr<const NamesChunk> names_chunk(const BlockView& view,
                                                              std::uint64_t block,
                                                              std::size_t chunk) const;
  [[nodiscard]] std::shared_ptr<const SightingsChunk> sightings_chunk(const BlockView& view,
                                                                      std::uint64_t block,
                                                                      std::size_t chunk) const;
  template <typename Record, typename Read>
  void read_sightings(Uid uid, std::vector<Record>& out, Read read) const;
  [[nodiscard]] const std::string& first_key(std::uint64_t block) const;
  void check(Uid uid) const;

  [[nodiscard]] ChunkCache::Key cache_key(Layer layer, std::uint64_t block,
                                          std::size_t chunk) const noexcept {
    return {layer, block, static_cast<std::uint32_t>(chunk), static_cast<std::uint32_t>(stratum_)};
  }

  const GenerationReader& reader_;
  std::size_t stratum_;
  ChunkCache& cache_;
  // Directories of blocks by layer, and the first key of each block: small, and every question
  // needs them, so they stay once they are read.
  std::vector<OnceTable<BlockView>> directories_;
  OnceTable<std::string> first_keys_;
};

}  // namespace webstrata
