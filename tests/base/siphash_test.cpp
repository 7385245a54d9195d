// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/siphash.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace webstrata {
namespace {

std::string hex(const KeyedHash& hash) {
  std::string text;
  for (const std::uint64_t half : {hash.low, hash.high}) {
    for (unsigned byte = 0; byte < 8; ++byte)
      text += fmt::format("{:02x}", half >> byte * 8 & 0xff);
  }
  return text;
}

// The authors' vectors: the key and the input are 00 01 02 ...; OpenSSL's SIPHASH agrees.
TEST(SipHash, GivesTheAuthorsVectors) {
  const SecretKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string input;
  const auto hash_of = [&](std::size_t size) {
    input.clear();
    for (std::size_t i = 0; i < size; ++i) input.push_back(static_cast<char>(i));
    return hex(siphash128(key, input));
  };
  EXPECT_EQ(hash_of(0), "a3817f04ba25a8e66df67214c7550293");
  EXPECT_EQ(hash_of(1), "da87c1d86b99af44347659119b22fc45");
  EXPECT_EQ(hash_of(2), "8177228da4a45dc7fca38bdef60affe4");
  EXPECT_EQ(hash_of(15), "5493e99933b0a8117e08ec0f97cfc3d9");
}

}  // namespace
}  // namespace webstrata
