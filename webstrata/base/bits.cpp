// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/bits_test.cpp.

#include "webstrata/base/bits.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

void BitWriter::write(std::uint64_t value, unsigned width) {
  assert(width <= 64);
  while (width > 0) {
    const unsigned used = bit_count_ % 8;
    if (used == 0) bytes_.push_back('\0');
    const unsigned step = std::min(8 - used, width);
    const auto bits = static_cast<unsigned>(value & ((1U << step) - 1));
    bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | bits << used);
    value = step < 64 ? value >> step : 0;
    bit_count_ += step;
    width -= step;
  }
}

std::string BitWriter::finish() {
  bit_count_ = 0;
  return std::exchange(bytes_, {});
}

std::uint64_t BitReader::read(unsigned width) {
  assert(width <= 64);
  if (width > remaining()) {
    throw Error(ErrorKind::Corrupt, fmt::format("{}: {} bits wanted at bit {}, {} are left", what_,
                                                width, position_, remaining()));
  }
  std::uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned used = position_ % 8;
    const unsigned step = std::min(8 - used, width - done);
    const unsigned byte = static_cast<unsigned char>(bytes_[position_ / 8]);
    value |= std::uint64_t{byte >> used & ((1U << step) - 1)} << done;
    position_ += step;
    done += step;
  }
  return value;
}

std::uint64_t BitReader::unary() {
  std::uint64_t zeros = 0;
  while (read(1) == 0) ++zeros;
  return zeros;
}

}  // namespace webstrata
