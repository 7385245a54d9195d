// SPDX-License-Identifier: Apache-2.0

// A part of a layer: its header, table and footer, then every block that the table promises.
//
// The checksum of header and table would stop nearly everything, so the input is tried twice: as
// it is, and with a checksum put right, as a liar would do.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "fuzz/require.h"
#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace {

using namespace webstrata;

constexpr std::size_t kHeaderBytes = 36;
constexpr std::size_t kEntryBytes = 72;
constexpr std::size_t kFooterBytes = 24;

void read(const std::string& file) {
  try {
    const PartTable table = read_part(file, "fuzz");
    require(!table.blocks.empty() && table.blocks.size() <= table.header.part_blocks);
    std::string rebuilt = encode_part_header(table.header);
    const std::string header = rebuilt;
    for (const BlockEntry& block : table.blocks) {
      require(block.offset <= file.size() && block.size <= file.size() - block.offset);
      (void)checksum64(std::string_view(file).substr(block.offset, block.size));
      rebuilt.append(file, block.offset, block.size);
    }
    require(rebuilt + encode_part_end(header, table.blocks).bytes == file);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::BadInput);
  }
}

// Puts the checksum where the footer has it, over what the number of blocks says.
void put_checksum_right(std::string& file) {
  if (file.size() < kHeaderBytes + kEntryBytes + kFooterBytes) return;
  const std::size_t footer = file.size() - kFooterBytes;
  std::uint64_t count = 0;
  std::memcpy(&count, file.data() + footer, sizeof(count));
  if (count > (footer - kHeaderBytes) / kEntryBytes) return;
  const std::size_t table_bytes = static_cast<std::size_t>(count) * kEntryBytes;
  const std::uint64_t checksum =
      checksum64(file.substr(0, kHeaderBytes) + file.substr(footer - table_bytes, table_bytes + 8));
  std::memcpy(file.data() + footer + 8, &checksum, sizeof(checksum));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  read(file);
  put_checksum_right(file);
  read(file);
  return 0;
}
