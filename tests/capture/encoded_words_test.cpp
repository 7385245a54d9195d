// SPDX-License-Identifier: Apache-2.0

// Examples are those of RFC 2047, section 8, and the words of Python's email.header.

#include "webstrata/capture/http/encoded_words.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(EncodedWords, AreDecoded) {
  EXPECT_EQ(decode_encoded_words("=?US-ASCII?Q?Keith_Moore?= <x>"), "Keith Moore <x>");
  EXPECT_EQ(decode_encoded_words("=?ISO-8859-1?Q?Andr=E9?= Pirard"), "Andr\xc3\xa9 Pirard");
  EXPECT_EQ(decode_encoded_words("=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?="),
            "If you can read this yo");
  EXPECT_EQ(decode_encoded_words("=?utf-8?q?caf=C3=A9?="), "caf\xc3\xa9");
}

TEST(EncodedWords, WhiteSpaceBetweenTwoGoes) {
  EXPECT_EQ(decode_encoded_words("(=?ISO-8859-1?Q?a?= b)"), "(a b)");
  EXPECT_EQ(decode_encoded_words("(=?ISO-8859-1?Q?a?=\r\n   =?ISO-8859-1?Q?b?=)"), "(ab)");
  EXPECT_EQ(decode_encoded_words("(=?ISO-8859-1?Q?a_b?=)"), "(a b)");
}

TEST(EncodedWords, WhatIsBrokenStays) {
  for (const char* text :
       {"http://a.example/?x=?y", "=?utf-8?Q?no end", "=?utf-8?X?abc?=", "=?",
        "=?utf-8?Q?bad =G0?=", "=?klingon?Q?abc?=", "=?utf-8?B?!!?=", "=?=?=?"}) {
    EXPECT_EQ(decode_encoded_words(text), text);
  }
}

}  // namespace
}  // namespace webstrata
