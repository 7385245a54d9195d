// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/bytes.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Bytes, NumbersAreLittleEndian) {
  std::string out;
  append_u16(out, 0x0102);
  append_u32(out, 0x03040506);
  append_u64(out, 0x0708090a0b0c0d0e);
  EXPECT_EQ(out, std::string("\x02\x01\x06\x05\x04\x03\x0e\x0d\x0c\x0b\x0a\x09\x08\x07", 14));
  ByteReader reader(out, "test");
  EXPECT_EQ(reader.u16(), 0x0102);
  EXPECT_EQ(reader.u32(), 0x03040506U);
  EXPECT_EQ(reader.u64(), 0x0708090a0b0c0d0eU);
  EXPECT_TRUE(reader.at_end());
}

TEST(Bytes, VarintsGoRound) {
  for (const std::uint64_t value : {0ULL, 1ULL, 127ULL, 128ULL, 300ULL, 1ULL << 35, ~0ULL}) {
    std::string out;
    append_varint(out, value);
    ByteReader reader(out, "test");
    EXPECT_EQ(reader.varint(), value);
    EXPECT_TRUE(reader.at_end());
  }
}

TEST(Bytes, StepsNotPastTheEnd) {
  ByteReader reader("abc", "names block 7");
  reader.take(2);
  try {
    reader.u32();
    FAIL() << "it read past the end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    EXPECT_NE(std::string(error.what()).find("names block 7"), std::string::npos);
  }
  EXPECT_EQ(reader.remaining(), 1U);  // nothing was consumed
}

TEST(Bytes, RefusesNumbersBeyond64Bits) {
  const std::string eleven(11, '\xff');
  EXPECT_THROW(ByteReader(eleven, "test").varint(), Error);
  const std::string too_large = std::string(9, '\xff') + "\x02";
  EXPECT_THROW(ByteReader(too_large, "test").varint(), Error);
  EXPECT_THROW(ByteReader("\xff", "test").varint(), Error);
}

}  // namespace
}  // namespace webstrata
