// SPDX-License-Identifier: Apache-2.0

// Reading and appending bytes that come from outside.
//
// ByteReader never steps past its end: it throws Error(Corrupt) instead, naming what it was
// reading. Fixed-width numbers are little-endian; varints are LEB128, seven bits per byte.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

class ByteReader {
 public:
  // `what` names the bytes in error messages and must outlive the reader.
  ByteReader(std::string_view bytes, std::string_view what) : bytes_(bytes), what_(what) {}

  [[nodiscard]] std::size_t position() const noexcept { return position_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - position_; }
  [[nodiscard]] bool at_end() const noexcept { return remaining() == 0; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }
  std::uint64_t varint();
  // The next `size` bytes; they live as long as what the reader was made from.
  std::string_view take(std::size_t size);

 private:
  std::uint64_t little_endian(std::size_t width);

  std::string_view bytes_;
  std::string_view what_;
  std::size_t position_ = 0;
};

void append_u16(std::string& out, std::uint16_t value);
void append_u32(std::string& out, std::uint32_t value);
void append_u64(std::string& out, std::uint64_t value);
void append_varint(std::string& out, std::uint64_t value);

}  // namespace webstrata
