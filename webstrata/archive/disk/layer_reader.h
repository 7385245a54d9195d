// SPDX-License-Identifier: Apache-2.0

// Reads one layer of a generation: blocks of bytes, mapped, each with its summary.
//
// The bytes are drawn in docs/FORMAT.md; layer_writer.h makes them. An open layer never changes,
// so threads may share one reader freely.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "webstrata/archive/disk/layer.h"

namespace webstrata {

class LayerReader {
 public:
  // Maps the parts and checks their headers and tables, not yet the blocks. Throws
  // Error(NotFound) or Error(Corrupt), naming the file.
  static LayerReader open(const std::filesystem::path& folder, Layer layer,
                          std::uint32_t part_blocks, std::span<const LayerFile> files);
  LayerReader(LayerReader&&) noexcept;
  LayerReader& operator=(LayerReader&&) noexcept;
  ~LayerReader();

  [[nodiscard]] Layer layer() const noexcept;
  [[nodiscard]] std::uint32_t part_blocks() const noexcept;
  [[nodiscard]] std::uint64_t block_count() const noexcept;
  [[nodiscard]] const BlockSummary& summary(std::uint64_t block) const;
  // The bytes of a block. Its checksum is compared when it is first touched; Error(Corrupt) names
  // file and block every time.
  [[nodiscard]] std::string_view block(std::uint64_t block) const;
  // "lib.ws/g000007/links.00000, block 7", for messages.
  [[nodiscard]] std::string describe(std::uint64_t block) const;
  [[nodiscard]] std::filesystem::path part_path(std::uint64_t block) const;
  [[nodiscard]] const LayerFile& part_file(std::uint64_t block) const;
  // Releases the memory pages that `block` was read through; they are loaded again when needed.
  void release(std::uint64_t block) const noexcept;

 private:
  struct State;
  explicit LayerReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
