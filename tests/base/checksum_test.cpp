// SPDX-License-Identifier: Apache-2.0

// Expected values are the ones that `xxhsum` and the reference implementation give for no bytes.

#include "webstrata/base/checksum.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Checksum, IsXxh3) {
  EXPECT_EQ(checksum64(""), 0x2d06800538d394c2U);
  EXPECT_EQ(checksum128(""), (Checksum128{0x6001c324468d497fU, 0x99aa06d3014798d8U}));
}

TEST(Checksum, NoticesOneFlippedBit) {
  std::string bytes(1000, 'x');
  const auto before = checksum64(bytes);
  bytes[500] ^= 1;
  EXPECT_NE(checksum64(bytes), before);
  EXPECT_NE(checksum64(bytes, 1), checksum64(bytes, 2));
}

}  // namespace
}  // namespace webstrata
