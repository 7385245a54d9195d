// SPDX-License-Identifier: Apache-2.0

// Expected values: the published tests of webarchive-commons and cc-pyspark, the CDXJ
// specification, and answers of PyPI's surt (surt_blackbox_test.py asks it for 100,000 more).

#include "webstrata/url/dialect.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

struct Case {
  std::string_view url;
  std::string_view key;
};

constexpr Case kSharedByIaAndPywb[] = {
    {"", "-"},
    {"http://archive.org/goo/?a=2&b&a=1", "org,archive)/goo?a=1&a=2&b"},
    {"http://archive.org/goo/?", "org,archive)/goo"},
    {"http://archive.org:/", "org,archive)/"},
    {"https://34.203.211.192/robots.txt", "192,211,203,34)/robots.txt"},
    {"https://[2600:1f18:200d:fb00:2b74:867c:ab0c:150a]/robots.txt",
     "2600:1f18:200d:fb00:2b74:867c:ab0c:150a)/robots.txt"},
    {"http://www.aluroba.com/tags/%C3%CE%CA%C7%D1%E5%C7.htm",
     "com,aluroba)/tags/%c3%ce%ca%c7%d1%e5%c7.htm"},
    {"filedesc:foo", "filedesc:foo"},
    {"warcinfo:foo", "warcinfo:foo"},
    {"http://www1234.com/", "com)/"},
    {"http://www2.www2foo.com/", "com,www2foo)/"},
    {"archive.org/Goo", "org,archive)/goo"},
    {"http://archive.org:80/", "org,archive)/"},
    {"https://archive.org:443/", "org,archive)/"},
    {"https://archive.org:80/", "org,archive:80)/"},
    {"http://user:pw@archive.org:8080/", "org,archive:8080)/"},
    {"http://archive.org/a//b/./c/../d/", "org,archive)/a/b/d"},
    {"http://archive.org/%2525%41%20#x", "org,archive)/%25a%20"},
    {"http://faß.de/", "de,fass)/"},
    {"http://a.org/?jsessionid=0123456789abcdefghijklemopqrstuv&b", "org,a)/?b"},
    {"http://a.org/?a=1&", "org,a)/?&a=1"},
};

TEST(Dialect, IaAndPywbAgreeOnMost) {
  for (const auto& [url, key] : kSharedByIaAndPywb) {
    EXPECT_EQ(fold(Dialect::Ia, url), key) << url;
    EXPECT_EQ(fold(Dialect::Pywb, url), key) << url;
  }
}

TEST(Dialect, IaStripsWwwAgainAndAgainPywbOnce) {
  EXPECT_EQ(fold(Dialect::Ia, "http://www.www2.foo.com/"), "com,foo)/");
  EXPECT_EQ(fold(Dialect::Pywb, "http://www.www2.foo.com/"), "com,foo,www2)/");
}

TEST(Dialect, OpaqueUrlsAreReadByIaAndKeptByPywb) {
  EXPECT_EQ(fold(Dialect::Ia, "dns:archive.org"), "org,archive)");
  EXPECT_EQ(fold(Dialect::Pywb, "dns:archive.org"), "dns:archive.org");
  EXPECT_EQ(fold(Dialect::Ia, "mailto:me@archive.org"), "org,archive)/");
  EXPECT_EQ(fold(Dialect::Pywb, "mailto:Me@Archive.org"), "mailto:me@archive.org");
}

TEST(Dialect, ADoubledSchemeIsPardonedByPywb) {
  EXPECT_EQ(fold(Dialect::Pywb, "http://https://archive.org/a"), "org,archive)/a");
  EXPECT_EQ(fold(Dialect::Ia, "http://https://archive.org/a"), "https)/archive.org/a");
}

TEST(Dialect, WhatIaAndPywbCannotReadStaysAsItIs) {
  EXPECT_EQ(fold(Dialect::Ia, "http://a.org:port/"), "http://a.org:port/");
  EXPECT_EQ(fold(Dialect::Pywb, "http://a.org:port/"), "http://a.org:port/");
}

// Decoding one level at a time would take 30,000 passes.
TEST(Dialect, DeepEscapesTakeNoTime) {
  std::string url = "http://a.org/%";
  for (int i = 0; i < 30000; ++i) url += "25";
  EXPECT_EQ(fold(Dialect::Ia, url + "41%2525C3%25BC"), "org,a)/a%c3%bc");
  EXPECT_EQ(fold(Dialect::Pywb, url + "zz"), "org,a)/%25zz");
}

TEST(Dialect, ManySchemesAreDroppedAtOnce) {
  std::string url;
  for (int i = 0; i < 5000; ++i) url += "http://";
  EXPECT_EQ(fold(Dialect::Pywb, url + "a.org/"), "org,a)/");
}

TEST(Dialect, RawBytesBecomeEscapes) {
  EXPECT_EQ(fold(Dialect::Ia, "http://a.org/\xfc\xc3\xbc"), "org,a)/%fc%c3%bc");
}

TEST(Dialect, CdxjOnlyLowersAndReverses) {
  EXPECT_EQ(fold(Dialect::Cdxj, "https://www.example.org/index.html"),
            "org,example,www)/index.html");
  EXPECT_EQ(fold(Dialect::Cdxj, "http://Example.org/A/?b=2&a=1#F"), "org,example)/a/?b=2&a=1");
  EXPECT_EQ(fold(Dialect::Cdxj, "http://example.org:8080?x"), "org,example:8080)/?x");
  EXPECT_EQ(fold(Dialect::Cdxj, "http://192.0.2.1/"), "192.0.2.1)/");
  EXPECT_EQ(fold(Dialect::Cdxj, "http://[::1]:80/"), "[::1]:80)/");
}

TEST(Dialect, CommonCrawlReversesHostsThatItKnows) {
  EXPECT_EQ(fold(Dialect::CommonCrawlHost, "https://archive.org/x"), "org.archive");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost, "https://www.archive.org/x"), "org.archive.www");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost2025, "https://www.archive.org/x"), "org.archive");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost2025, "https://www.www.archive.org/x"), "org.archive.www");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost2025, "https://www1.archive.org/x"), "org.archive.www1");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost2025, "https://www.org/x"), "org.www");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost, "http://192.0.2.1/"), "");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost, "http://a.nosuchtopleveldomain/"), "");
  EXPECT_EQ(fold(Dialect::CommonCrawlHost, "mailto:x"), "");
}

TEST(Dialect, ExactIsTheKeyOfTheArchive) {
  EXPECT_EQ(fold(Dialect::Exact, "HTTP://www.Example.org/A?b"), "org,example,www)/A?b\x01");
  EXPECT_EQ(fold(Dialect::Exact, "no url"), "");
}

TEST(Dialect, EveryNameParsesBack) {
  for (const DialectEntry& entry : dialects()) {
    EXPECT_EQ(to_string(entry.dialect), entry.name);
    EXPECT_EQ(parse_dialect(entry.name), entry.dialect);
  }
  EXPECT_EQ(parse_dialect("surt"), std::nullopt);
}

}  // namespace
}  // namespace webstrata
