// SPDX-License-Identifier: Apache-2.0

// ZIP files for tests, written here by hand so that every field can be wrong on purpose.

#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compressing.h"
#include "webstrata/base/bytes.h"

namespace webstrata {

struct ZipPart {
  std::string name;
  std::string content;
  bool deflated = false;
  bool zip64 = false;           // sizes and offset in the ZIP64 field
  std::uint32_t crc_error = 0;  // is added to the checksum
};

inline void append_sizes(std::string& out, const ZipPart& part, std::size_t packed_size) {
  const auto* bytes = reinterpret_cast<const Bytef*>(part.content.data());
  const auto crc = crc32(0, bytes, static_cast<uInt>(part.content.size()));
  append_u32(out, static_cast<std::uint32_t>(crc) + part.crc_error);
  append_u32(out, part.zip64 ? 0xffffffff : static_cast<std::uint32_t>(packed_size));
  append_u32(out, part.zip64 ? 0xffffffff : static_cast<std::uint32_t>(part.content.size()));
}

inline std::string zip64_field(const std::vector<std::uint64_t>& values) {
  std::string field;
  append_u16(field, 1);
  append_u16(field, static_cast<std::uint16_t>(values.size() * 8));
  for (const std::uint64_t value : values) append_u64(field, value);
  return field;
}

inline std::string make_zip(const std::vector<ZipPart>& parts, bool zip64_end = false) {
  std::string zip, directory;
  for (const ZipPart& part : parts) {
    const std::string packed = part.deflated ? deflated(part.content, -15) : part.content;
    const std::uint64_t offset = zip.size();
    const std::string local_extra =
        part.zip64 ? zip64_field({part.content.size(), packed.size()}) : "";
    append_u32(zip, 0x04034b50);
    append_u16(zip, 45);
    append_u16(zip, 0);
    append_u16(zip, part.deflated ? 8 : 0);
    append_u32(zip, 0);
    append_sizes(zip, part, packed.size());
    append_u16(zip, static_cast<std::uint16_t>(part.name.size()));
    append_u16(zip, static_cast<std::uint16_t>(local_extra.size()));
    zip += part.name + local_extra + packed;

    const std::string extra =
        part.zip64 ? zip64_field({part.content.size(), packed.size(), offset}) : "";
    append_u32(directory, 0x02014b50);
    append_u16(directory, 45);
    append_u16(directory, 45);
    append_u16(directory, 0);
    append_u16(directory, part.deflated ? 8 : 0);
    append_u32(directory, 0);
    append_sizes(directory, part, packed.size());
    append_u16(directory, static_cast<std::uint16_t>(part.name.size()));
    append_u16(directory, static_cast<std::uint16_t>(extra.size()));
    append_u16(directory, 0);
    append_u64(directory, 0);
    append_u32(directory, part.zip64 ? 0xffffffff : static_cast<std::uint32_t>(offset));
    directory += part.name + extra;
  }
  const std::uint64_t start = zip.size();
  const auto count = static_cast<std::uint16_t>(parts.size());
  zip += directory;
  if (zip64_end) {
    const std::uint64_t end64 = zip.size();
    append_u32(zip, 0x06064b50);
    append_u64(zip, 44);
    append_u16(zip, 45);
    append_u16(zip, 45);
    append_u64(zip, 0);
    append_u64(zip, count);
    append_u64(zip, count);
    append_u64(zip, directory.size());
    append_u64(zip, start);
    append_u32(zip, 0x07064b50);
    append_u32(zip, 0);
    append_u64(zip, end64);
    append_u32(zip, 1);
  }
  append_u32(zip, 0x06054b50);
  append_u32(zip, 0);
  append_u16(zip, count);
  append_u16(zip, count);
  append_u32(zip, zip64_end ? 0xffffffff : static_cast<std::uint32_t>(directory.size()));
  append_u32(zip, zip64_end ? 0xffffffff : static_cast<std::uint32_t>(start));
  append_u16(zip, 0);
  return zip;
}

}  // namespace webstrata
