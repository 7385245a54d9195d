// SPDX-License-Identifier: Apache-2.0

// Writes the layers that hold links and their times: links, times, presence and kinds of pages, or
// in_links, ranges and in_presence of targets.
//
// Nodes come in order. The data of a node is cut into *sections*, each small enough for a chunk: a
// union of links, times, and rows over them. Nearly every node has one; its facts are the union of
// its sections' facts. All these layers are cut into chunks at the same sections.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/gather/page.h"
#include "webstrata/archive/merge/block_pipeline.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/kinds.h"
#include "webstrata/codec/links.h"
#include "webstrata/codec/presence.h"
#include "webstrata/codec/times.h"

namespace webstrata {

// The maximum of rows and ones together in a section.
inline constexpr std::size_t kSectionItems = kChunkItems / 2;

class RowLayersWriter {
 public:
  // Writes from `first_block`, the first of a part, up to the node before `node_count`.
  RowLayersWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                  Direction direction, std::uint64_t node_count, EncodePool& pool,
                  std::uint64_t first_block = 0);
  ~RowLayersWriter();

  // The next node, larger than the previous one: a hash of its facts, which goes into the digest of
  // its block, and the links of its union. Its sections follow.
  void begin_node(Uid node, std::uint64_t content, std::uint64_t link_count);
  // Adds to the arguments of begin_node(), while the node is the last.
  void add_to_node(std::uint64_t content, std::uint64_t link_count);
  // `section.values` only for Direction::Out.
  void add_section(const PageLayers& section);
  // The block is unchanged; no node of it was added.
  void copy_block(std::uint64_t block, std::span<const LayerReader* const> from);
  std::map<Layer, std::vector<LayerFile>> finish();

 private:
  struct Chunk;

  void advance_to(Uid node);
  void make_room();
  void close_chunk();
  void close_block();

  ArchiveOptions options_;
  Direction direction_;
  std::uint64_t node_count_;
  std::unique_ptr<Chunk> chunk_;
  Uid next_node_;  // the first that is not in a chunk yet
  bool is_first_section_ = true;
  bool block_is_open_ = false;  // some node of the present block was added
  std::uint64_t block_content_ = 0;
  std::uint64_t block_links_ = 0;
  BlockPipeline pipeline_;
};

// Cuts a page into sections and calls `take` with each.
void cut_into_sections(const PageFacts& page, const std::function<void(const PageLayers&)>& take);

}  // namespace webstrata
