// SPDX-License-Identifier: Apache-2.0

// The instantaneous codes of WebGraph, in both of its bit orders.
//
// Big-endian streams (Java, and Rust by default) fill each byte from its highest bit; little-endian
// ones from its lowest, and store the bits of a number lowest first. The codes are those of the
// dsiutils library: all of natural numbers, unary as that many zeros before a one.
//
// Reads see a window of at least 57 bits, so most codes are read without a loop. Zeros follow the
// end; a code that needs a one there throws Error(Corrupt).

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/error.h"

namespace webstrata::bv {

enum class BitOrder : std::uint8_t { BigEndian, LittleEndian };

// The numbers are those of Java's compression flags.
enum class Code : std::uint8_t {
  Delta = 1,
  Gamma = 2,
  Golomb = 3,        // its modulus is zetak
  SkewedGolomb = 4,  // likewise
  Unary = 5,
  Zeta = 6,
  Nibble = 7,
};

// No number in a graph of 32-bit nodes needs more bits.
inline constexpr unsigned kBitsMax = 40;

inline unsigned log2_floor(std::uint64_t value) noexcept {
  return static_cast<unsigned>(std::bit_width(value)) - 1;
}

template <BitOrder order>
class CodeReader {
 public:
  // `parameter` is the k of zeta codes and the modulus of Golomb codes.
  CodeReader(std::string_view bytes, unsigned parameter) : bytes_(bytes), parameter_(parameter) {}

  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  void seek(std::uint64_t position) noexcept { position_ = position; }
  [[nodiscard]] bool is_past_end() const noexcept { return position_ > bytes_.size() * 8; }

  // `width` at most kBitsMax.
  std::uint64_t bits(unsigned width) noexcept {
    const std::uint64_t value = cut(window(), width);
    position_ += width;
    return value;
  }

  std::uint64_t unary() {
    const std::uint64_t seen = window();
    if (seen != 0) {
      const unsigned zeros = leading_zeros(seen);
      position_ += zeros + 1;
      return zeros;
    }
    return long_unary();
  }

  std::uint64_t gamma() {
    const std::uint64_t seen = window();
    const unsigned zeros = seen == 0 ? 64 : leading_zeros(seen);
    if (zeros <= 28) {  // 2 * 28 + 1 bits are certainly in the window
      position_ += 2 * zeros + 1;
      return (std::uint64_t{1} << zeros) + cut(drop(seen, zeros + 1), zeros) - 1;
    }
    const unsigned width = checked(unary());
    return (std::uint64_t{1} << width) + bits(width) - 1;
  }

  std::uint64_t delta() {
    const unsigned width = checked(gamma());
    return (std::uint64_t{1} << width) + bits(width) - 1;
  }

  std::uint64_t zeta() {
    const std::uint64_t steps = unary();
    const unsigned low = checked(steps * parameter_);
    const unsigned width = checked(low + parameter_ - 1);
    const std::uint64_t left = std::uint64_t{1} << low;
    const std::uint64_t value = bits(width);
    return value < left ? value + left - 1 : (value << 1) + bits(1) - 1;
  }

  // A number below `bound`: the first ones take a bit less.
  std::uint64_t minimal_binary(std::uint64_t bound) {
    const unsigned width = checked(log2_floor(bound));
    const std::uint64_t short_ones = (std::uint64_t{2} << width) - bound;
    const std::uint64_t value = bits(width);
    return value < short_ones ? value : (value << 1) + bits(1) - short_ones;
  }

  std::uint64_t golomb() {
    if (parameter_ == 0) return 0;
    const std::uint64_t quotient = unary();
    if (quotient >> kBitsMax != 0) fail();
    return quotient * parameter_ + minimal_binary(parameter_);
  }

  std::uint64_t skewed_golomb() {
    if (parameter_ == 0) return 0;
    const unsigned step = checked(unary());
    const std::uint64_t size = std::uint64_t{parameter_} << step;
    return size - parameter_ + minimal_binary(size);
  }

  std::uint64_t nibble() {
    std::uint64_t value = 0;
    for (bool is_last = false; !is_last;) {
      is_last = bits(1) != 0;
      value = value << 3 | bits(3);
      if (value >> kBitsMax != 0 || is_past_end()) fail();
    }
    return value;
  }

  std::uint64_t read(Code code) {
    switch (code) {
      case Code::Gamma:
        return gamma();
      case Code::Zeta:
        return zeta();
      case Code::Unary:
        return unary();
      case Code::Delta:
        return delta();
      case Code::Golomb:
        return golomb();
      case Code::SkewedGolomb:
        return skewed_golomb();
      case Code::Nibble:
        return nibble();
    }
    fail();
  }

  [[noreturn]] static void fail() {
    throw Error(ErrorKind::Corrupt, "the stream ends too early or holds a number out of range");
  }

 private:
  static constexpr bool kBig = order == BitOrder::BigEndian;

  // The next 57 bits or more, first bit highest (big-endian) or lowest, followed by zeros.
  [[nodiscard]] std::uint64_t window() const noexcept {
    const std::uint64_t byte = position_ >> 3;
    std::uint64_t word = 0;
    if (byte + sizeof(word) <= bytes_.size()) [[likely]] {
      std::memcpy(&word, bytes_.data() + byte, sizeof(word));
    } else if (byte < bytes_.size()) {
      std::memcpy(&word, bytes_.data() + byte, bytes_.size() - byte);
    }
    return drop(kBig ? __builtin_bswap64(word) : word, position_ & 7);
  }
  static std::uint64_t drop(std::uint64_t window, std::uint64_t width) noexcept {
    return kBig ? window << width : window >> width;
  }
  static std::uint64_t cut(std::uint64_t window, unsigned width) noexcept {
    if (width == 0) return 0;
    return kBig ? window >> (64 - width) : window & ((std::uint64_t{1} << width) - 1);
  }
  static unsigned leading_zeros(std::uint64_t window) noexcept {
    return static_cast<unsigned>(kBig ? std::countl_zero(window) : std::countr_zero(window));
  }
  static unsigned checked(std::uint64_t width) {
    if (width > kBitsMax) fail();
    return static_cast<unsigned>(width);
  }
  std::uint64_t long_unary() {
    std::uint64_t zeros = 0;
    std::uint64_t seen = 0;
    while ((seen = window()) == 0) {
      const std::uint64_t step = 64 - (position_ & 7);
      zeros += step;
      position_ += step;
      if (is_past_end()) fail();
    }
    const unsigned rest = leading_zeros(seen);
    position_ += rest + 1;
    return zeros + rest;
  }

  std::string_view bytes_;
  std::uint64_t position_ = 0;
  std::uint64_t parameter_;
};

// How many bits `value` takes.
std::uint64_t code_length(Code code, std::uint64_t value, unsigned parameter);

// Bits being written, kept in whole words of the stream.
class BitBuffer {
 public:
  explicit BitBuffer(BitOrder order) : order_(order) {}

  // `width` at most 64; the bits of `value` above it are zero.
  void put(std::uint64_t value, unsigned width);
  void write(Code code, std::uint64_t value, unsigned parameter);
  void append(const BitBuffer& more);
  [[nodiscard]] std::uint64_t bit_count() const noexcept { return bit_count_; }
  // Returns the complete bytes, and keeps the rest.
  std::string take_bytes();
  // Returns everything, the last byte padded with zeros.
  std::string finish();

 private:
  void unary(std::uint64_t value);
  void gamma(std::uint64_t value);
  void minimal_binary(std::uint64_t value, std::uint64_t bound);
  [[nodiscard]] std::string bytes(std::size_t word_count) const;

  BitOrder order_;
  std::vector<std::uint64_t> words_;
  std::uint64_t bit_count_ = 0;
};

}  // namespace webstrata::bv
