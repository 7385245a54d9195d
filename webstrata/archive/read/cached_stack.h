// SPDX-License-Identifier: Apache-2.0

// The strata of a generation with their opened chunks in one cache, for questions about single
// pages and names, in uids of the whole archive.
//
// It is logically immutable, so threads may share one.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/read/cached_generation.h"
#include "webstrata/archive/read/chunk_cache.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

class CachedStack {
 public:
  CachedStack(const std::filesystem::path& folder, const Manifest& manifest,
              std::size_t cache_bytes);

  [[nodiscard]] const StackReader& reader() const noexcept { return reader_; }
  [[nodiscard]] ChunkCache& cache() const noexcept { return cache_; }

  // All of `uid` throw Error(BadInput) if there is no such node.
  // Of every stratum that says something about the node; links in it have the stratum's numbers.
  [[nodiscard]] std::vector<Section> sections(Direction direction, Uid uid) const;
  // The row of a node of a stratum, with its number there, in an optional layer.
  [[nodiscard]] std::shared_ptr<const LayerRow> optional_row(Layer layer, std::size_t stratum,
                                                             std::uint64_t number) const {
    return strata_[stratum]->optional_row(layer, number);
  }
  // Replace `out`. `row_times` are the times of all the node's rows.
  void sightings(Uid uid, std::span<const Time> row_times, std::vector<SightingRecord>& out) const;
  void outcomes(Uid uid, std::span<const Time> row_times, std::vector<SightingOutcome>& out) const;

  void key(Uid uid, std::string& out) const;
  // The number of keys smaller than `key`; `found` says whether the next one equals it.
  [[nodiscard]] Uid lower_bound(std::string_view key, bool& found) const;

 private:
  template <typename Record, typename Read>
  void read_sightings(Uid uid, std::span<const Time> row_times, std::vector<Record>& out,
                      Read read) const;
  [[nodiscard]] std::vector<Time> row_times_of(std::size_t stratum, std::uint64_t number) const;
  void check(Uid uid) const;

  StackReader reader_;
  mutable ChunkCache cache_;
  std::vector<std::unique_ptr<CachedGeneration>> strata_;
};

}  // namespace webstrata
