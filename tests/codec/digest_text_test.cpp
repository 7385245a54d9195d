// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/digest_text.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

using Alphabet = DigestForm::Alphabet;

void expect_form(std::string_view text, std::string_view prefix, Alphabet alphabet, int size) {
  const auto parts = split_digest(text);
  ASSERT_TRUE(parts) << text;
  EXPECT_EQ(parts->form.prefix, prefix);
  EXPECT_EQ(parts->form.alphabet, alphabet);
  EXPECT_EQ(parts->form.size, size);
  EXPECT_EQ(parts->bytes.size(), static_cast<std::size_t>(size));
  std::string again;
  join_digest(parts->form, parts->bytes, again);
  EXPECT_EQ(again, text);
}

TEST(DigestText, KnowsTheFormsOfWebArchives) {
  expect_form("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:", Alphabet::Base32, 20);
  expect_form("sha1:275de46a0f57a5dff84f2c6c7c667620fac8f62c", "sha1:", Alphabet::HexLower, 20);
  expect_form("sha1:275DE46A0F57A5DFF84F2C6C7C667620FAC8F62C", "sha1:", Alphabet::HexUpper, 20);
  expect_form("md5:d41d8cd98f00b204e9800998ecf8427e", "md5:", Alphabet::HexLower, 16);
  expect_form("sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
              "sha256:", Alphabet::Base32, 32);
  expect_form("urn:sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "urn:sha1:", Alphabet::Base32, 20);
  expect_form("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "", Alphabet::Base32, 20);
}

// The empty text's SHA-1, da39a3ee5e6b4b0d3255bfef95601890afd80709, is known in both encodings.
TEST(DigestText, BothWritingsOfOneDigestHaveTheSameBytes) {
  const auto hex = split_digest("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709");
  const auto base32 = split_digest("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  ASSERT_TRUE(hex && base32);
  EXPECT_EQ(hex->bytes, base32->bytes);
  EXPECT_EQ(hex->bytes.substr(0, 3), "\xda\x39\xa3");
}

TEST(DigestText, WhatWouldNotComeBackExactlyHasNoForm) {
  for (const std::string_view text :
       {"", "sha1:", "sha1", "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
        "sha1:275dE46a0f57a5dff84f2c6c7c667620fac8f62c", "sha1:abc", "sha1:MFRA====", "sha1:AB",
        "sha1:0189", "a very long name of an algorithm:ABCDEFGH", "sha1:AA AA", "-"}) {
    const auto parts = split_digest(text);
    if (!parts) continue;
    std::string again;
    join_digest(parts->form, parts->bytes, again);
    EXPECT_EQ(again, text);
  }
  EXPECT_FALSE(split_digest("sha1:abc"));       // a digit and a half
  EXPECT_FALSE(split_digest("sha1:MFRA===="));  // padding
  EXPECT_FALSE(split_digest("sha1:GZ"));        // two bits after the byte, and not 0: would be lost
  EXPECT_FALSE(split_digest("sha1:AH"));        // two bits too many
}

}  // namespace
}  // namespace webstrata
