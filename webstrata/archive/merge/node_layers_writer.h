// SPDX-License-Identifier: Apache-2.0

// Writes the two layers that hold no links: the names of nodes, and their sightings.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/merge/block_pipeline.h"
#include "webstrata/codec/names.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

// A hash of a name; their sum is the digest of a block.
std::uint64_t content_of_name(Uid node, std::string_view key) noexcept;

class NamesWriter {
 public:
  // Writes from `first_block`, the first of a part, on.
  NamesWriter(const std::filesystem::path& folder, const ArchiveOptions& options, EncodePool& pool,
              std::uint64_t first_block = 0);

  // Ascending; the first has the uid of the first node of `first_block`.
  void add(std::string_view key);
  // So far only keys of whole blocks were added.
  void copy_block(std::uint64_t block, const LayerReader& from);
  [[nodiscard]] std::uint64_t size() const noexcept { return next_; }
  std::map<Layer, std::vector<LayerFile>> finish();

 private:
  void close_chunk();
  void close_block();

  ArchiveOptions options_;
  std::uint64_t next_;  // uid of the next key
  KeyList chunk_;
  bool block_is_open_ = false;
  std::uint64_t block_content_ = 0;
  BlockPipeline pipeline_;
};

class SightingsWriter {
 public:
  SightingsWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                  std::uint64_t node_count, EncodePool& pool, std::uint64_t first_block = 0);

  // `node` is larger than the previous one. `row_times` are those of its captures.
  void add(Uid node, std::span<const SightingRecord> sightings, std::span<const Time> row_times,
           std::uint64_t content);
  void copy_block(std::uint64_t block, const LayerReader& from);
  std::map<Layer, std::vector<LayerFile>> finish();

 private:
  struct Chunk {
    SightingLists lists;
    TimeLists row_times;
    bool begins_with_more = false;
  };
  void begin_chunk(Uid first);
  void advance_to(Uid node);
  void make_room();
  void close_chunk();
  void close_block();

  ArchiveOptions options_;
  std::uint64_t node_count_;
  Chunk chunk_;
  Uid next_node_;
  bool block_is_open_ = false;
  std::uint64_t block_content_ = 0;
  BlockPipeline pipeline_;
};

}  // namespace webstrata
