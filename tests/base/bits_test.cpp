// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/bits.h"

#include <gtest/gtest.h>

#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

TEST(Bits, TheFirstBitIsTheLowestOfTheFirstByte) {
  BitWriter writer;
  writer.write(1, 1);
  writer.write(0, 1);
  writer.write(0b11, 2);
  EXPECT_EQ(writer.finish(), std::string("\x0d"));
}

TEST(Bits, WhatIsWrittenIsRead) {
  constexpr std::uint64_t kSeed = 7;
  Random random(kSeed);
  std::vector<std::pair<std::uint64_t, unsigned>> written;
  BitWriter writer;
  for (int i = 0; i < 10000; ++i) {
    const auto width = static_cast<unsigned>(random.below(65));
    const std::uint64_t mask = width == 64 ? ~0ULL : (1ULL << width) - 1;
    written.emplace_back(random.next() & mask, width);
    writer.write(written.back().first, width);
  }
  const std::uint64_t bits = writer.bit_count();
  const std::string bytes = writer.finish();
  EXPECT_EQ(bytes.size(), (bits + 7) / 8);
  BitReader reader(bytes, "test");
  for (const auto& [value, width] : written)
    ASSERT_EQ(reader.read(width), value) << "seed " << kSeed;
}

TEST(Bits, UnaryCountsTheZeros) {
  BitWriter writer;
  writer.write(1ULL << 19, 20);
  writer.write(1, 1);
  const std::string bytes = writer.finish();
  BitReader reader(bytes, "test");
  EXPECT_EQ(reader.unary(), 19U);
  EXPECT_EQ(reader.unary(), 0U);
}

TEST(Bits, StepsNotPastTheEnd) {
  BitReader reader("a", "test");
  reader.read(5);
  EXPECT_THROW(reader.read(4), Error);
  EXPECT_EQ(reader.remaining(), 3U);
  EXPECT_THROW(BitReader(std::string_view("\0", 1), "test").unary(), Error);
}

}  // namespace
}  // namespace webstrata
