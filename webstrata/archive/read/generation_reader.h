// SPDX-License-Identifier: Apache-2.0

// The open layers of a generation, and how to read them: by chunk, or node after node.
//
// It never changes, so threads may share one; scanners belong to one thread.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/archive/disk/layer_reader.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/page.h"

#include "webstrata/codec/block.h"
#include "webstrata/codec/names.h"

namespace webstrata {

class GenerationReader {
 public:
  // `folder` is the generation's, or that of a stratum. Throws Error(NotFound) or Error(Corrupt),
  // naming the file, and Error(BadInput) for a stack: that is for StackReader.
  GenerationReader(const std::filesystem::path& folder, const Manifest& manifest);

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  [[nodiscard]] const ArchiveOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::uint64_t block_count() const noexcept {
    return layer(Layer::Names).block_count();
  }
  [[nodiscard]] std::uint64_t block_of(Uid node) const noexcept {
    return node >> options_.block_bits;
  }
  [[nodiscard]] Uid first_node(std::uint64_t block) const noexcept {
    return block << options_.block_bits;
  }
  // The layers that it has.
  [[nodiscard]] const std::vector<Layer>& layers() const noexcept { return layers_; }
  [[nodiscard]] bool has(Layer layer) const noexcept {
    return readers_[static_cast<std::size_t>(layer)].has_value();
  }
  // One that it has.
  [[nodiscard]] const LayerReader& layer(Layer layer) const noexcept {
    return *readers_[static_cast<std::size_t>(layer)];
  }
  // The directory of a block.
  [[nodiscard]] BlockView view(Layer layer, std::uint64_t block) const;
  // The readers of row_layers(direction).
  [[nodiscard]] std::vector<const LayerReader*> row_readers(Direction direction) const;

 private:
  std::filesystem::path folder_;
  ArchiveOptions options_;
  std::uint64_t node_count_;
  std::vector<Layer> layers_;
  std::vector<std::optional<LayerReader>> readers_;  // by number; empty if it does not have it
};

// One chunk of the layers of links and times, opened.
class RowChunk {
 public:
  // Chunk number `chunk` of a block; the layers are cut at the same nodes. Throws Error(Corrupt).
  static RowChunk open(const GenerationReader& generation, Direction direction, std::uint64_t block,
                       std::size_t chunk);

  [[nodiscard]] Uid first() const noexcept { return first_; }
  [[nodiscard]] std::size_t node_count() const noexcept { return links_.node_count(); }
  [[nodiscard]] const LinksChunk& links() const noexcept { return links_; }
  [[nodiscard]] const TimesChunk& times() const noexcept { return times_; }
  [[nodiscard]] const PresenceChunk& presence() const noexcept { return presence_; }
  [[nodiscard]] const KindsChunk* kinds() const noexcept { return kinds_ ? &*kinds_ : nullptr; }
  // Replaces `section` by what the chunk holds about its node number `node`.
  void section(std::size_t node, PageLayers& section) const;
  // The same, if links and times are already decoded.
  void rows(std::size_t node, PageLayers& section) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  RowChunk(Uid first, LinksChunk links, TimesChunk times, PresenceChunk presence,
           std::optional<KindsChunk> kinds);

  Uid first_;
  LinksChunk links_;
  TimesChunk times_;
  PresenceChunk presence_;
  std::optional<KindsChunk> kinds_;
};

// Sections in order.
class RowScanner {
 public:
  RowScanner(const GenerationReader& generation, Direction direction)
      : generation_(generation), direction_(direction) {}

  // From the first node of `block` on, up to the end of the layer or of block `end` - 1.
  void seek(std::uint64_t block, std::uint64_t end = ~std::uint64_t{0});
  // From `node` on, up to the node before `end`.
  void seek_node(Uid node, Uid end);
  // The node of the next section; empty at the end.
  [[nodiscard]] std::optional<Uid> next_node();
  // The section of the node that next_node() returned.
  void read(PageLayers& section);

 private:
  bool find_filled();
  bool open_next_chunk();
  void enter_block();

  const GenerationReader& generation_;
  Direction direction_;
  std::uint64_t block_ = 0;
  std::uint64_t end_ = ~std::uint64_t{0};
  std::size_t chunk_number_ = 0;  // the next one
  std::size_t chunk_count_ = 0;   // of the block
  bool has_block_ = false;
  std::optional<RowChunk> chunk_;
  std::size_t node_ = 0;  // inside the chunk
  Uid node_end_ = ~Uid{0};
  LinkLists links_;
  TimeLists times_;
};

// The times of rows, in order, without links.
class TimesScanner {
 public:
  explicit TimesScanner(const GenerationReader& generation) : generation_(generation) {}
  // From the first node of `block` on.
  void seek(std::uint64_t block);
  // Replaces `times` by those of `node`, which is larger than in the previous call.
  void read(Uid node, std::vector<Time>& times);

 private:
  const GenerationReader& generation_;
  std::uint64_t block_ = 0;
  std::size_t chunk_number_ = 0;  // the next one
  Uid first_ = 0;                 // of the chunk
  TimeLists times_;
};

// Keys in order.
class KeyScanner {
 public:
  explicit KeyScanner(const GenerationReader& generation) : generation_(generation) {}
  // False at the end. The view lives until the next call.
  bool next(std::string_view& key);

 private:
  const GenerationReader& generation_;
  std::uint64_t block_ = 0;
  std::size_t chunk_number_ = 0;
  std::size_t position_ = 0;
  KeyList keys_;
};

}  // namespace webstrata
