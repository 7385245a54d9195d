// SPDX-License-Identifier: Apache-2.0

// Expected values: RFC 4648 section 10; md5sum, sha1sum, sha256sum and sha512sum, in base32 by
// Python.

#include "webstrata/capture/record/digest.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Digest, Base32IsRfc4648) {
  EXPECT_EQ(base32(""), "");
  EXPECT_EQ(base32("f"), "MY======");
  EXPECT_EQ(base32("fo"), "MZXQ====");
  EXPECT_EQ(base32("foo"), "MZXW6===");
  EXPECT_EQ(base32("foobar"), "MZXW6YTBOI======");
}

TEST(Digest, Sha1OfNothingIsTheFamousOne) {
  EXPECT_EQ(sha1_base32(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

struct KnownDigest {
  std::string_view of_nothing;
  std::string_view of_abc;
};
constexpr KnownDigest kKnown[] = {
    {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"},
    {"sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj", "sha1:vgmt4nsha2awvor6evyxqugcnsonbwe5"},
    {"sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
     "sha1:a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"md5:d41d8cd98f00b204e9800998ecf8427e", "md5:900150983cd24fb0d6963f7d28e17f72"},
    {"md5:2QOYZWMPACZAJ2MABGMOZ6CCPY", "md5:SAAVBGB42JH3BVUWH56SRYL7OI"},
    {"sha256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
     "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"},
    {"sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====",
     "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ===="},
};

TEST(Digest, EveryAlgorithmAndFormIsCompared) {
  for (const auto& [of_nothing, of_abc] : kKnown) {
    EXPECT_EQ(digest_like(of_nothing, "abc"), of_abc);
    EXPECT_EQ(digest_like(of_abc, ""), of_nothing);
    EXPECT_TRUE(is_digest_of(of_nothing, ""));
    EXPECT_FALSE(is_digest_of(of_nothing, "abc"));
    EXPECT_TRUE(is_digest_of(of_abc, "abc"));
  }
}

TEST(Digest, WhatCannotBeComparedCountsAsRight) {
  for (const char* digest :
       {"sha1:", "sha1:3I42", "crc32:00000000", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "sha256:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"}) {
    EXPECT_EQ(digest_like(digest, "abc"), "") << digest;
    EXPECT_TRUE(is_digest_of(digest, "abc")) << digest;
  }
  EXPECT_FALSE(is_digest_of("", ""));
}

}  // namespace
}  // namespace webstrata
