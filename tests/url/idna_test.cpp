// SPDX-License-Identifier: Apache-2.0

// Punycode: samples of RFC 3492, section 7.1. Names: UTS 46 and what registries really sell.

#include "webstrata/url/idna.h"

#include <gtest/gtest.h>

#include <string>

#include "webstrata/url/punycode.h"

namespace webstrata {
namespace {

std::string ascii(std::string_view domain) {
  std::string out;
  return append_domain_to_ascii(out, domain) ? out : "-";
}

TEST(Punycode, TheSamplesOfTheRfcGoBothWays) {
  const std::pair<std::u32string, std::string> samples[] = {
      {U"ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"},
      {U"他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"},
      {U"Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"},
      {U"3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"},
      {U"MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"},
      {U"-> $1.00 <-", "-> $1.00 <--"},
  };
  for (const auto& [label, code] : samples) {
    EXPECT_EQ(punycode_encode(label), code);
    EXPECT_EQ(punycode_decode(code), label);
  }
}

TEST(Punycode, BrokenCodeIsNothing) {
  for (const char* text : {"a-\xff", "\xff-a", "99999999", "-a", "!", "a-b!"}) {
    EXPECT_EQ(punycode_decode(text), std::nullopt) << text;
  }
}

TEST(Idna, NamesAreMappedAndEncoded) {
  EXPECT_EQ(ascii("Bücher.example"), "xn--bcher-kva.example");
  EXPECT_EQ(ascii("faß.de"), "xn--fa-hia.de");
  EXPECT_EQ(ascii("ＧＯ.com"), "go.com");
  EXPECT_EQ(ascii("日本語。ＪＰ"), "xn--wgv71a119e.jp");
  EXPECT_EQ(ascii("a\u00adb"), "ab");
  EXPECT_EQ(ascii("XN--BCHER-KVA"), "xn--bcher-kva");
  EXPECT_EQ(ascii("..ü."), "..xn--tda.");
}

TEST(Idna, SymbolsHyphensAndPunctuationAreTakenAsUts46TakesThem) {
  EXPECT_EQ(ascii("☃.net"), "xn--n3h.net");
  EXPECT_EQ(ascii("i❤.ws"), "xn--i-7iq.ws");
  EXPECT_EQ(ascii("💩.la"), "xn--ls8h.la");
  EXPECT_EQ(ascii("xn--ls8h.la"), "xn--ls8h.la");
  EXPECT_EQ(ascii("-ü"), "xn----eha");
  EXPECT_EQ(ascii("ü-"), "xn----dha");
  EXPECT_EQ(ascii("ab--ü"), "xn--ab---3ra");
  EXPECT_EQ(ascii("ü!"), "xn--!-dha");
}

TEST(Idna, InvalidLabelsAreRefused) {
  for (const char* text : {"xn--", "xn--a", "xn--ü", "xn--lsh", "xn--fa-", "\u0301a", "a\u200db",
                           "אa", "1א", "a\ufffd"}) {
    EXPECT_EQ(ascii(text), "-") << text;
  }
}

TEST(Idna, ManyLabelsAreNoProblem) {
  std::string domain;
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    domain += "ü.";
    expected += "xn--tda.";
  }
  EXPECT_EQ(ascii(domain), expected);
}

TEST(Idna, TheOldMappingDissolvesSharpS) {
  std::string out;
  EXPECT_TRUE(append_domain_to_ascii_2003(out, "Faß.DE"));
  EXPECT_EQ(out, "fass.DE");
}

TEST(Idna, AceIsSeenAtLabelStartsOnly) {
  EXPECT_TRUE(has_ace_label("xn--a"));
  EXPECT_TRUE(has_ace_label("b.xn--a"));
  EXPECT_FALSE(has_ace_label("axn--b.cxn--"));
}

}  // namespace
}  // namespace webstrata
