// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/bytes_test.cpp.

#include "webstrata/base/bytes.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

void append_little_endian(std::string& out, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

}  // namespace

std::string_view ByteReader::take(std::size_t size) {
  if (size > remaining()) {
    throw Error(ErrorKind::Corrupt, fmt::format("{}: {} bytes wanted at position {}, {} are left",
                                                what_, size, position_, remaining()));
  }
  const auto taken = bytes_.substr(position_, size);
  position_ += size;
  return taken;
}

std::uint64_t ByteReader::little_endian(std::size_t width) {
  std::uint64_t value = 0;
  const auto bytes = take(width);
  for (std::size_t i = 0; i < width; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw Error(ErrorKind::Corrupt,
              fmt::format("{}: a number at position {} exceeds 64 bits", what_, position_));
}

void append_u16(std::string& out, std::uint16_t value) { append_little_endian(out, value, 2); }
void append_u32(std::string& out, std::uint32_t value) { append_little_endian(out, value, 4); }
void append_u64(std::string& out, std::uint64_t value) { append_little_endian(out, value, 8); }

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

}  // namespace webstrata
