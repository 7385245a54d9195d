// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/layer_file_test.cpp.

#include "webstrata/archive/disk/layer_part.h"

#include <fmt/format.h>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::string_view kHeaderMagic = "wsLAYER\n";
constexpr std::string_view kFooterMagic = "wsLAYEND";
constexpr std::size_t kHeaderBytes = 8 + 3 * 4 + 2 * 8;
constexpr std::size_t kEntryBytes = 9 * 8;
constexpr std::size_t kCountBytes = 8;
constexpr std::size_t kFooterBytes = kCountBytes + 8 + 8;

[[noreturn]] void damaged(std::string_view name, std::string_view what) {
  throw Error(ErrorKind::Corrupt,
              fmt::format("{}: {}; restore it from a copy or rebuild", name, what));
}

void append_entry(std::string& out, const BlockEntry& entry) {
  append_u64(out, entry.offset);
  append_u64(out, entry.size);
  append_u64(out, entry.checksum);
  append_u64(out, entry.summary.nodes);
  append_u64(out, entry.summary.filled);
  append_u64(out, entry.summary.items);
  append_u64(out, static_cast<std::uint64_t>(entry.summary.first));
  append_u64(out, static_cast<std::uint64_t>(entry.summary.last));
  append_u64(out, entry.summary.content);
}

BlockEntry read_entry(ByteReader& reader) {
  BlockEntry entry;
  entry.offset = reader.u64();
  entry.size = reader.u64();
  entry.checksum = reader.u64();
  entry.summary.nodes = reader.u64();
  entry.summary.filled = reader.u64();
  entry.summary.items = reader.u64();
  entry.summary.first = static_cast<Time>(reader.u64());
  entry.summary.last = static_cast<Time>(reader.u64());
  entry.summary.content = reader.u64();
  return entry;
}

std::uint64_t checksum_of(std::string_view header, std::string_view table_and_count) {
  std::string bytes;
  bytes.reserve(header.size() + table_and_count.size());
  bytes.append(header).append(table_and_count);
  return checksum64(bytes);
}

PartHeader read_header(std::string_view bytes, std::string_view name) {
  ByteReader reader(bytes, name);
  reader.take(kHeaderMagic.size());
  const std::uint32_t version = reader.u32();
  if (version > kFormatVersion) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: was written by a newer webstrata (format {}, this program reads "
                            "up to {}); use that one",
                            name, version, kFormatVersion));
  }
  const std::uint32_t layer = reader.u32();
  if (version == 0 || layer >= layer_table().size()) damaged(name, "its header makes no sense");
  PartHeader header;
  header.layer = static_cast<Layer>(layer);
  header.part_blocks = reader.u32();
  header.part = reader.u64();
  header.first_block = reader.u64();
  return header;
}

// The blocks fill the space between header and table without a hole.
void check_blocks(const PartTable& table, std::uint64_t blocks_end, std::string_view name) {
  std::uint64_t position = kHeaderBytes;
  for (const BlockEntry& block : table.blocks) {
    if (block.offset != position || block.size > blocks_end - position) {
      damaged(name, "its table does not fit its blocks");
    }
    position += block.size;
  }
  if (position != blocks_end) damaged(name, "its table does not fit its blocks");
}

}  // namespace

std::string encode_part_header(const PartHeader& header) {
  std::string bytes(kHeaderMagic);
  append_u32(bytes, kFormatVersion);
  append_u32(bytes, static_cast<std::uint32_t>(header.layer));
  append_u32(bytes, header.part_blocks);
  append_u64(bytes, header.part);
  append_u64(bytes, header.first_block);
  return bytes;
}

PartEnd encode_part_end(std::string_view header, const std::vector<BlockEntry>& blocks) {
  PartEnd end;
  end.bytes.reserve(blocks.size() * kEntryBytes + kFooterBytes);
  for (const BlockEntry& block : blocks) append_entry(end.bytes, block);
  append_u64(end.bytes, blocks.size());
  end.checksum = checksum_of(header, end.bytes);
  append_u64(end.bytes, end.checksum);
  end.bytes.append(kFooterMagic);
  return end;
}

PartTable read_part(std::string_view file, std::string_view name) {
  if (file.size() < kHeaderBytes + kEntryBytes + kFooterBytes || !file.starts_with(kHeaderMagic) ||
      !file.ends_with(kFooterMagic)) {
    damaged(name, "is cut off or no part of a layer");
  }
  ByteReader footer(file.substr(file.size() - kFooterBytes), name);
  const std::uint64_t count = footer.u64();
  const std::uint64_t entries_max = (file.size() - kHeaderBytes - kFooterBytes) / kEntryBytes;
  if (count == 0 || count > entries_max) damaged(name, "its footer makes no sense");

  const std::uint64_t blocks_end = file.size() - kFooterBytes - count * kEntryBytes;
  const std::string_view header = file.substr(0, kHeaderBytes);
  const std::string_view entries = file.substr(blocks_end, count * kEntryBytes);
  PartTable table;
  table.checksum = footer.u64();
  if (table.checksum != checksum_of(header, file.substr(blocks_end, entries.size() + kCountBytes)))
    damaged(name, "checksum of header and table differs");

  table.header = read_header(header, name);
  if (count > table.header.part_blocks) damaged(name, "has more blocks than a part may have");
  ByteReader reader(entries, name);
  table.blocks.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) table.blocks.push_back(read_entry(reader));
  check_blocks(table, blocks_end, name);
  return table;
}

}  // namespace webstrata
