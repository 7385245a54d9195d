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

class PageRows;

class CachedStack {
 public:
  CachedStack(const std::filesystem::path& folder, const Manifest& manifest,
              std::size_t cache_bytes);

  [[nodiscard]] const StackReader& reader() const noexcept { return reader_; }
  [[nodiscard]] ChunkCache& cache() const noexcept { return cache_; }

  // All of `uid` throw Error(BadInput) if there is no such node.
  // Replaces `out` by those of every stratum that says something about the node; links in them have
  // the stratum's numbers.
  void sections(Direction direction, Uid uid, std::vector<Section>& out) const;
  // The row of a node of a stratum, with its number there, in an optional layer.
  [[nodiscard]] std::shared_ptr<const LayerRow> optional_row(Layer layer, std::size_t stratum,
                                                             std::uint64_t number) const {
    return strata_[stratum]->optional_row(layer, number);
  }
  // Replace `out`. `rows` are those of the node. With `holds`, which one thread keeps for pages
  // that ascend, these are read in one pass.
  void sightings(Uid uid, const PageRows& rows, std::vector<SightingRecord>& out) const;
  void outcomes(Uid uid, const PageRows& rows, std::vector<SightingOutcome>& out,
                std::vector<SightingsHold>* holds = nullptr) const;

  void key(Uid uid, std::string& out) const;
  // The number of keys smaller than `key`; `found` says whether the next one equals it.
  [[nodiscard]] Uid lower_bound(std::string_view key, bool& found) const;

 private:
  template <typename Record, typename Read>
  void read_sightings(Uid uid, const PageRows& rows, std::vector<Record>& out, Read read) const;
  void check(Uid uid) const;

  StackReader reader_;
  mutable ChunkCache cache_;
  std::vector<std::unique_ptr<CachedGeneration>> strata_;
};

}  // namespace webstrata
