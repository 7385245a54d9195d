// SPDX-License-Identifier: Apache-2.0

// Reads the symbols of a chunk of links, as fast as possible without reading past its bytes.
//
// Up to 63 bits wait in a register, refilled by one unaligned load. Bits after the end are zero,
// and has_overrun() says afterwards whether any were read.

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "webstrata/codec/context_codes.h"

namespace webstrata {

// An entry of a lookup table, in 31 bits: all bits that the symbol takes, those of its code, its
// raw bits, its top, its sign, and the number of the code of the next symbol.
struct LinkEntry {
  std::uint32_t bits = 0;

  [[nodiscard]] unsigned width() const { return bits & 127; }
  [[nodiscard]] unsigned code_width() const { return bits >> 7 & 15; }
  [[nodiscard]] unsigned raw_width() const { return bits >> 11 & 63; }
  [[nodiscard]] std::uint64_t top() const { return bits >> 17 & 31; }
  [[nodiscard]] std::uint64_t is_negative() const { return bits >> 22 & 1; }
  [[nodiscard]] std::uint32_t next_code() const { return bits >> 23; }
};

constexpr std::uint32_t make_link_entry(unsigned code_width, unsigned raw_width, std::uint32_t top,
                                        bool is_negative, std::uint32_t next_code) {
  return (code_width + raw_width) | code_width << 7 | raw_width << 11 | top << 17 |
         (is_negative ? 1U : 0U) << 22 | next_code << 23;
}

class LinkCursor {
 public:
  LinkCursor(std::string_view bytes, const std::uint32_t* more, std::uint64_t bit)
      : data_(bytes.data()), size_(bytes.size()), more_(more), position_(bit / 8) {
    refill();
    drop(bit % 8);
  }

  // The entry of the next symbol under the code with this table.
  LinkEntry peek(const std::uint32_t* table) {
    refill();
    std::uint32_t entry = table[word_ % kLookupSize];
    if ((entry & kLookupFlag) != 0) [[unlikely]] {
      const std::uint64_t rest = word_ >> kLookupBits & ((std::uint64_t{1} << (entry & 15)) - 1);
      entry = more_[((entry & ~kLookupFlag) >> 4) + rest];
    }
    return {entry};
  }

  // The number of the symbol just peeked at, which is consumed.
  std::uint64_t take(LinkEntry entry) {
    if (entry.width() > kRefilledBits) [[unlikely]]
      return take_wide(entry);
    const std::uint64_t raw =
        word_ >> entry.code_width() & ((std::uint64_t{1} << entry.raw_width()) - 1);
    drop(entry.width());
    return entry.top() << entry.raw_width() | raw;
  }

  void skip(LinkEntry entry) {
    if (entry.width() > kRefilledBits) [[unlikely]] {
      take_wide(entry);
    } else {
      drop(entry.width());
    }
  }

  std::uint64_t number(const std::uint32_t* table) { return take(peek(table)); }

  [[nodiscard]] std::uint64_t bit() const { return position_ * 8 - count_; }
  [[nodiscard]] bool has_overrun() const { return bit() > size_ * 8; }

 private:
  static constexpr unsigned kRefilledBits = 56;

  void refill() {
    std::uint64_t loaded = 0;
    if (position_ + 8 <= size_) [[likely]] {
      std::memcpy(&loaded, data_ + position_, 8);
    } else if (position_ < size_) {
      std::memcpy(&loaded, data_ + position_, size_ - position_);
    }
    static_assert(std::endian::native == std::endian::little);
    word_ |= loaded << count_;
    position_ += (63 - count_) >> 3;
    count_ |= kRefilledBits;
  }

  void drop(unsigned width) {
    word_ >>= width;
    count_ -= width;
  }

  // More than a register is guaranteed to hold: in two steps.
  [[gnu::noinline]] std::uint64_t take_wide(LinkEntry entry) {
    drop(entry.code_width());
    refill();
    const std::uint64_t low = word_ & 0xffffffffU;
    drop(32);
    refill();
    const unsigned high_width = entry.raw_width() - 32;
    const std::uint64_t high = word_ & ((std::uint64_t{1} << high_width) - 1);
    drop(high_width);
    return entry.top() << entry.raw_width() | high << 32 | low;
  }

  const char* data_;
  std::size_t size_;
  const std::uint32_t* more_;
  std::size_t position_;  // of the byte that is loaded next
  std::uint64_t word_ = 0;
  unsigned count_ = 0;  // valid bits of word_
};

}  // namespace webstrata
