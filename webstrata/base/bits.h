// SPDX-License-Identifier: Apache-2.0

// Bit streams: the first bit written is the lowest bit of the first byte.
//
// BitReader cannot pass its end: it throws Error(Corrupt). Hot decoders, in the codec room, check a
// whole chunk once and then read from padded memory.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

class BitWriter {
 public:
  // Appends the `width` (0..64) lowest bits of `value`.
  void write(std::uint64_t value, unsigned width);
  [[nodiscard]] std::uint64_t bit_count() const noexcept { return bit_count_; }
  // Pads the last byte with zeros and hands the bytes over; the writer is empty afterwards.
  std::string finish();

 private:
  std::string bytes_;
  std::uint64_t bit_count_ = 0;
};

class BitReader {
 public:
  // `what` names the bits in error messages and must outlive the reader.
  BitReader(std::string_view bytes, std::string_view what) : bytes_(bytes), what_(what) {}

  // The next `width` (0..64) bits.
  std::uint64_t read(unsigned width);
  // The number of zero bits before the next one bit, which is consumed too.
  std::uint64_t unary();
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return bytes_.size() * 8 - position_; }

 private:
  std::string_view bytes_;
  std::string_view what_;
  std::uint64_t position_ = 0;
};

}  // namespace webstrata
