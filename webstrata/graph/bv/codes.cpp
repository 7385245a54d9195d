// SPDX-License-Identifier: Apache-2.0

// code_length() and BitBuffer::write() state each code once for both bit orders; only the functions
// that store bits differ between them. The readers are in the header, because they are inlined into
// the decoder of lists.
// Tested by tests/graph/bv_codes_test.cpp.

#include "webstrata/graph/bv/codes.h"

#include <algorithm>
#include <cassert>

namespace webstrata::bv {
namespace {

unsigned gamma_length(std::uint64_t value) { return 2 * log2_floor(value + 1) + 1; }

unsigned minimal_binary_length(std::uint64_t value, std::uint64_t bound) {
  const unsigned width = log2_floor(bound);
  return value < (std::uint64_t{2} << width) - bound ? width : width + 1;
}

// The step of a skewed Golomb code: its groups double in size.
unsigned skewed_step(std::uint64_t value, std::uint64_t modulus) {
  return log2_floor(value / modulus + 1);
}

}  // namespace

std::uint64_t code_length(Code code, std::uint64_t value, unsigned parameter) {
  switch (code) {
    case Code::Unary:
      return value + 1;
    case Code::Gamma:
      return gamma_length(value);
    case Code::Delta:
      return gamma_length(log2_floor(value + 1)) + log2_floor(value + 1);
    case Code::Zeta: {
      const unsigned step = log2_floor(value + 1) / parameter;
      const std::uint64_t left = std::uint64_t{1} << (step * parameter);
      return step + 1 + step * parameter + parameter - (value + 1 - left < left ? 1 : 0);
    }
    case Code::Golomb:
      if (parameter == 0) return 0;
      return value / parameter + 1 + minimal_binary_length(value % parameter, parameter);
    case Code::SkewedGolomb: {
      if (parameter == 0) return 0;
      const unsigned step = skewed_step(value, parameter);
      const std::uint64_t size = std::uint64_t{parameter} << step;
      return step + 1 + minimal_binary_length(value - (size - parameter), size);
    }
    case Code::Nibble:
      return value == 0 ? 4 : 4 * (log2_floor(value) / 3 + 1);
  }
  return 0;
}

void BitBuffer::put(std::uint64_t value, unsigned width) {
  if (width == 0) return;
  assert(width == 64 || value >> width == 0);
  const auto used = static_cast<unsigned>(bit_count_ % 64);
  if (used == 0) words_.push_back(0);
  const unsigned room = 64 - used;
  bit_count_ += width;
  if (order_ == BitOrder::LittleEndian) {
    words_.back() |= value << used;
    if (width > room) words_.push_back(value >> room);
  } else if (width <= room) {
    words_.back() |= value << (room - width);
  } else {
    words_.back() |= value >> (width - room);
    words_.push_back(value << (64 - (width - room)));
  }
}

void BitBuffer::unary(std::uint64_t value) {
  for (; value >= 63; value -= 63) put(0, 63);
  const auto width = static_cast<unsigned>(value) + 1;
  put(order_ == BitOrder::BigEndian ? 1 : std::uint64_t{1} << value, width);
}

void BitBuffer::gamma(std::uint64_t value) {
  const unsigned width = log2_floor(value + 1);
  unary(width);
  put(value + 1 - (std::uint64_t{1} << width), width);
}

void BitBuffer::minimal_binary(std::uint64_t value, std::uint64_t bound) {
  const unsigned width = log2_floor(bound);
  const std::uint64_t short_ones = (std::uint64_t{2} << width) - bound;
  if (value < short_ones) return put(value, width);
  put((value + short_ones) >> 1, width);
  put((value + short_ones) & 1, 1);
}

void BitBuffer::write(Code code, std::uint64_t value, unsigned parameter) {
  switch (code) {
    case Code::Unary:
      return unary(value);
    case Code::Gamma:
      return gamma(value);
    case Code::Delta: {
      const unsigned width = log2_floor(value + 1);
      gamma(width);
      return put(value + 1 - (std::uint64_t{1} << width), width);
    }
    case Code::Zeta: {
      const unsigned step = log2_floor(value + 1) / parameter;
      const std::uint64_t left = std::uint64_t{1} << (step * parameter);
      unary(step);
      return minimal_binary(value + 1 - left, (left << parameter) - left);
    }
    case Code::Golomb:
      if (parameter == 0) return;
      unary(value / parameter);
      return minimal_binary(value % parameter, parameter);
    case Code::SkewedGolomb: {
      if (parameter == 0) return;
      const unsigned step = skewed_step(value, parameter);
      const std::uint64_t size = std::uint64_t{parameter} << step;
      unary(step);
      return minimal_binary(value - (size - parameter), size);
    }
    case Code::Nibble: {
      unsigned step = value == 0 ? 0 : log2_floor(value) / 3;
      for (;; --step) {
        put(step == 0 ? 1 : 0, 1);
        put(value >> (3 * step) & 7, 3);
        if (step == 0) return;
      }
    }
  }
}

void BitBuffer::append(const BitBuffer& more) {
  assert(order_ == more.order_);
  const auto rest = static_cast<unsigned>(more.bit_count_ % 64);
  const std::size_t whole = more.bit_count_ / 64;
  words_.reserve(words_.size() + more.words_.size());
  for (std::size_t i = 0; i < whole; ++i) put(more.words_[i], 64);
  if (rest == 0) return;
  put(order_ == BitOrder::BigEndian ? more.words_[whole] >> (64 - rest) : more.words_[whole], rest);
}

std::string BitBuffer::bytes(std::size_t word_count) const {
  std::string out(word_count * 8, '\0');
  for (std::size_t i = 0; i < word_count; ++i) {
    const std::uint64_t word =
        order_ == BitOrder::BigEndian ? __builtin_bswap64(words_[i]) : words_[i];
    std::memcpy(out.data() + 8 * i, &word, sizeof(word));
  }
  return out;
}

std::string BitBuffer::take_bytes() {
  const std::size_t whole = bit_count_ / 64;
  std::string out = bytes(whole);
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(whole));
  bit_count_ %= 64;
  return out;
}

std::string BitBuffer::finish() {
  std::string out = bytes(words_.size());
  out.resize((bit_count_ + 7) / 8);
  words_.clear();
  bit_count_ = 0;
  return out;
}

}  // namespace webstrata::bv
