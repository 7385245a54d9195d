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

// What one chunk holds about a node. A node may have several sections; its facts are their union.
struct Section {
  std::shared_ptr<const RowChunk> chunk;
  std::size_t node = 0;  // inside the chunk
  std::size_t stratum = 0;
};

class CachedGeneration {
 public:
  // Both outlive it.
  CachedGeneration(const GenerationReader& reader, std::size_t stratum, ChunkCache& cache);
  CachedGeneration(const CachedGeneration&) = delete;
  CachedGeneration& operator=(const CachedGeneration&) = delete;
  ~CachedGeneration();

  // All of `uid` throw Error(BadInput) if there is no such node.
  // Appends.
  void sections(Direction direction, Uid uid, std::vector<Section>& out) const;
  // Replaces `out`. `row_times` are the times of all the node's rows.
  void sightings(Uid uid, std::span<const Time> row_times, std::vector<SightingRecord>& out) const;
  void outcomes(Uid uid, std::span<const Time> row_times, std::vector<SightingOutcome>& out) const;

  // The row of a node in an optional layer.
  [[nodiscard]] std::shared_ptr<const LayerRow> optional_row(Layer layer, Uid uid) const;

  void key(Uid uid, std::string& out) const;
  // The number of keys smaller than `key`; `found` says whether the next one equals it.
  [[nodiscard]] Uid lower_bound(std::string_view key, bool& found) const;

 private:
  [[nodiscard]] std::shared_ptr<const BlockView> directory(Layer layer, std::uint64_t block) const;
  [[nodiscard]] std::shared_ptr<const RowChunk> row_chunk(Direction direction, std::uint64_t block,
                                                          std::size_t chunk) const;
  [[nodiscard]] std::shared_ptr<const NamesChunk> names_chunk(const BlockView& view,
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
  // The first key of each block, loaded on first use.
  std::unique_ptr<std::atomic<const std::string*>[]> first_keys_;
};

}  // namespace webstrata
