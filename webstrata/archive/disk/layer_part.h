// SPDX-License-Identifier: Apache-2.0

// The bytes of one part of a layer: what layer_writer.h writes and layer_reader.h reads.
//
//   header   "wsLAYER\n"  u32 format version  u32 layer  u32 blocks in a full part
//            u64 part number  u64 number of its first block
//   blocks   one after the other, nothing between them
//   table    an entry for each: u64 offset  u64 size  u64 XXH3-64 of its bytes
//            u64 nodes  u64 filled  u64 items  i64 first time  i64 last time  u64 content
//   footer   u64 number of blocks  u64 checksum  "wsLAYEND"
//
// All little-endian, at fixed widths, without padding. The checksum is XXH3-64 of header, table
// and number of blocks, one after the other; the table has the checksums of the blocks.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"

namespace webstrata {

struct PartHeader {
  Layer layer = Layer::Names;
  std::uint32_t part_blocks = 0;
  std::uint64_t part = 0;
  std::uint64_t first_block = 0;

  friend bool operator==(const PartHeader&, const PartHeader&) = default;
};

struct BlockEntry {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
  BlockSummary summary;
};

struct PartTable {
  PartHeader header;
  std::vector<BlockEntry> blocks;  // never empty
  std::uint64_t checksum = 0;
};

std::string encode_part_header(const PartHeader& header);

// What follows the blocks: table and footer.
struct PartEnd {
  std::string bytes;
  std::uint64_t checksum = 0;
};
PartEnd encode_part_end(std::string_view header, const std::vector<BlockEntry>& blocks);

// Checks everything except the blocks' own checksums; every block is inside `file`. Throws
// Error(Corrupt), or Error(BadInput) for a newer format, naming the file by `name`.
PartTable read_part(std::string_view file, std::string_view name);

}  // namespace webstrata
