// SPDX-License-Identifier: Apache-2.0

// Expected values: the URL standard's algorithm followed by hand. Most cases are in
// node_truth_test.py.

#include "webstrata/url/url.h"

#include <gtest/gtest.h>

#include <string>

namespace webstrata {
namespace {

// The href, or "-" for a failure.
std::string parsed(std::string_view text) {
  Url url;
  return parse_url(text, url) ? std::string(url.href()) : "-";
}

std::string resolved(std::string_view base_text, std::string_view reference) {
  Url base;
  Url url;
  EXPECT_TRUE(parse_url(base_text, base));
  return resolve_url(base, reference, url) ? std::string(url.href()) : "-";
}

constexpr std::string_view kBase = "http://example.org/a/b/c?q";

TEST(Url, TheExampleOfTheHeaderHolds) {
  EXPECT_EQ(resolved("http://Example.org/a/b?c", "../d#e"), "http://example.org/d");
}

TEST(Url, GivesItsParts) {
  Url url;
  ASSERT_TRUE(parse_url("HTTPS://User:Secret@Example.ORG:8443/a/%7Eb?c=d&e#f", url));
  EXPECT_EQ(url.href(), "https://example.org:8443/a/%7Eb?c=d&e");
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.host(), "example.org");
  EXPECT_EQ(url.port(), "8443");
  EXPECT_EQ(url.path(), "/a/%7Eb");
  EXPECT_EQ(url.query(), "?c=d&e");
  EXPECT_TRUE(url.is_web());
  EXPECT_TRUE(url.had_userinfo());
}

TEST(Url, PartsThatAreMissingAreEmpty) {
  Url url;
  ASSERT_TRUE(parse_url("ftp://example.org", url));
  EXPECT_EQ(url.href(), "ftp://example.org/");
  EXPECT_EQ(url.port(), "");
  EXPECT_EQ(url.path(), "/");
  EXPECT_EQ(url.query(), "");
  EXPECT_FALSE(url.had_userinfo());
}

TEST(Url, ALoneQuestionMarkIsKeptAndAFragmentDropped) {
  EXPECT_EQ(parsed("http://x/?"), "http://x/?");
  EXPECT_EQ(parsed("http://x#?"), "http://x/");
  EXPECT_EQ(parsed("http://x?a?b#c"), "http://x/?a?b");
}

TEST(Url, UserinfoIsStrippedUpToTheLastAt) {
  EXPECT_EQ(parsed("http://a:b@c@d/"), "http://d/");
  EXPECT_EQ(parsed("http://@d/"), "http://d/");
  EXPECT_EQ(parsed("http://a@/"), "-");
}

TEST(Url, RelativeReferencesResolve) {
  EXPECT_EQ(resolved(kBase, ""), kBase);
  EXPECT_EQ(resolved(kBase, "#x"), kBase);
  EXPECT_EQ(resolved(kBase, "d"), "http://example.org/a/b/d");
  EXPECT_EQ(resolved(kBase, "d/"), "http://example.org/a/b/d/");
  EXPECT_EQ(resolved(kBase, "/d"), "http://example.org/d");
  EXPECT_EQ(resolved(kBase, "?d"), "http://example.org/a/b/c?d");
  EXPECT_EQ(resolved(kBase, "//d/e"), "http://d/e");
  EXPECT_EQ(resolved(kBase, "./d"), "http://example.org/a/b/d");
  EXPECT_EQ(resolved(kBase, ".."), "http://example.org/a/");
  EXPECT_EQ(resolved(kBase, "../../../d"), "http://example.org/d");
  EXPECT_EQ(resolved(kBase, "d/./e/../f"), "http://example.org/a/b/d/f");
  EXPECT_EQ(resolved(kBase, "d//../e"), "http://example.org/a/b/d/e");
}

TEST(Url, ASchemeWithoutSlashesIsRelativeOnlyToTheSameScheme) {
  EXPECT_EQ(resolved(kBase, "http:d"), "http://example.org/a/b/d");
  EXPECT_EQ(resolved(kBase, "http:/d"), "http://example.org/d");
  EXPECT_EQ(resolved(kBase, "https:d"), "https://d/");
  EXPECT_EQ(parsed("http:d"), "http://d/");
  EXPECT_EQ(parsed("http:///d"), "http://d/");
}

TEST(Url, BackslashesAreSlashesBeforeTheQuery) {
  EXPECT_EQ(parsed("http:\\\\x\\a\\..\\b?c\\d"), "http://x/b?c\\d");
  EXPECT_EQ(resolved(kBase, "\\d"), "http://example.org/d");
  EXPECT_EQ(resolved(kBase, "/\\d"), "http://d/");
}

TEST(Url, EscapedDotsAreDots) {
  EXPECT_EQ(parsed("http://x/a/%2e%2E/b"), "http://x/b");
  EXPECT_EQ(parsed("http://x/a/.%2e"), "http://x/");
  EXPECT_EQ(parsed("http://x/a/%2e"), "http://x/a/");
  EXPECT_EQ(parsed("http://x/..."), "http://x/...");
  EXPECT_EQ(parsed("http://x/.a/../b"), "http://x/b");
}

TEST(Url, TabsNewlinesAndOuterSpaceVanish) {
  EXPECT_EQ(parsed(" \x01http://ex\tam\nple.o\rrg/ "), "http://example.org/");
  EXPECT_EQ(parsed("h\nttp:/\t/x"), "http://x/");
  EXPECT_EQ(resolved(kBase, "d e #f"), "http://example.org/a/b/d%20e%20");
}

TEST(Url, EachPartHasItsOwnEscapes) {
  EXPECT_EQ(parsed("http://x/ \"<>^`{}|'[]"), "http://x/%20%22%3C%3E%5E%60%7B%7D|'[]");
  EXPECT_EQ(parsed("http://x/? \"<>^`{}|'[]"), "http://x/?%20%22%3C%3E^`{}|%27[]");
  EXPECT_EQ(parsed("http://x/%zz%4"), "http://x/%zz%4");
  EXPECT_EQ(parsed("http://x/\x7f"), "http://x/%7F");
}

TEST(Url, BytesOutsideAsciiAreEscapedAsTheyAre) {
  EXPECT_EQ(parsed("http://x/\xc3\xbc?\xc3\xbc"), "http://x/%C3%BC?%C3%BC");
  EXPECT_EQ(parsed("http://x/\xfc?\xff\xfe"), "http://x/%FC?%FF%FE");
  EXPECT_EQ(parsed("http://\xfc/"), "-");
}

TEST(Url, DefaultPortsVanishAndOthersAreChecked) {
  EXPECT_EQ(parsed("http://x:80/"), "http://x/");
  EXPECT_EQ(parsed("https://x:0443/"), "https://x/");
  EXPECT_EQ(parsed("ftp://x:21/"), "ftp://x/");
  EXPECT_EQ(parsed("http://x:/"), "http://x/");
  EXPECT_EQ(parsed("http://x:0/"), "http://x:0/");
  EXPECT_EQ(parsed("http://x:65535/"), "http://x:65535/");
  EXPECT_EQ(parsed("http://x:65536/"), "-");
  EXPECT_EQ(parsed("http://x:99999999999999999999/"), "-");
  EXPECT_EQ(parsed("http://x:8a/"), "-");
}

TEST(Url, HostsAreDecodedLoweredAndChecked) {
  EXPECT_EQ(parsed("http://EX%41MPLE.org/"), "http://example.org/");
  EXPECT_EQ(parsed("http://a,b)c!d*e_f/"), "http://a,b)c!d*e_f/");
  for (const char* bad : {"http://a b/", "http://a%20b/", "http://a<b/", "http://a^b/",
                          "http://a|b/", "http://a%00b/", "http://a%25b/", "http://a%2Fb/",
                          "http:///", "http://%zz/", "http://[x]/"}) {
    EXPECT_EQ(parsed(bad), "-") << bad;
  }
}

TEST(Url, OtherSchemesAreKeptVerbatimButPrintable) {
  Url url;
  ASSERT_TRUE(parse_url("MailTo:A@B.org?Subject=x y#z", url));
  EXPECT_FALSE(url.is_web());
  EXPECT_EQ(url.href(), "mailto:A@B.org?Subject=x%20y");
  EXPECT_EQ(url.scheme(), "mailto");
  EXPECT_EQ(url.host(), "");
  EXPECT_EQ(url.port(), "");
  EXPECT_EQ(url.path(), "A@B.org");
  EXPECT_EQ(url.query(), "?Subject=x%20y");
  EXPECT_EQ(resolved(kBase, "javascript:f('\xc3\xbc')"), "javascript:f('%C3%BC')");
  EXPECT_EQ(parsed("file:///C:\\x/../y"), "file:///C:\\x/../y");
}

TEST(Url, RelativeTextsNeedAWebBase) {
  EXPECT_EQ(parsed("a/b"), "-");
  EXPECT_EQ(parsed(""), "-");
  EXPECT_EQ(parsed("//x/"), "-");
  EXPECT_EQ(resolved("mailto:a", "b"), "-");
  EXPECT_EQ(resolved("mailto:a", "http:b"), "http://b/");
}

TEST(Url, TooLongResultsAreRefused) {
  const std::string start = "http://x/";
  const std::string longest = start + std::string(kUrlBytesMax - start.size(), 'a');
  EXPECT_EQ(parsed(longest), longest);
  EXPECT_EQ(parsed(longest + "a"), "-");
  EXPECT_EQ(parsed("data:," + std::string(kUrlBytesMax, 'a')), "-");
  EXPECT_EQ(parsed(start + std::string(kUrlBytesMax / 2, ' ') + "b"), "-") << "escapes count";
}

TEST(Url, AFilledUrlForgetsWhatItHeld) {
  Url url;
  ASSERT_TRUE(parse_url("http://u@x:81/long/path?query", url));
  ASSERT_TRUE(parse_url("tel:1", url));
  EXPECT_EQ(url.href(), "tel:1");
  EXPECT_FALSE(url.is_web());
  EXPECT_FALSE(url.had_userinfo());
  ASSERT_TRUE(parse_url("https://y", url));
  EXPECT_EQ(url.host(), "y");
  EXPECT_EQ(url.query(), "");
}

// What was parsed once is put together again without parsing: the same parts, and the same key.
TEST(Url, ComesBackFromItsTextAndShape) {
  Url url;
  Url again;
  for (const char* text :
       {"http://example.org", "https://example.org:8443/a/b?c=d", "ftp://[2001:db8::1]:21/x",
        "http://192.0.2.1:80/?", "mailto:a@b.example?subject=x", "javascript:void(0)"}) {
    ASSERT_TRUE(parse_url(text, url)) << text;
    ASSERT_TRUE(restore_url(url.href(), url.shape(), again)) << text;
    EXPECT_EQ(again.href(), url.href());
    EXPECT_EQ(again.scheme(), url.scheme());
    EXPECT_EQ(again.host(), url.host());
    EXPECT_EQ(again.port(), url.port());
    EXPECT_EQ(again.path(), url.path());
    EXPECT_EQ(again.query(), url.query());
    EXPECT_EQ(again.is_web(), url.is_web());
    EXPECT_EQ(again.shape(), url.shape());
  }
  const std::string longest = "http://a/" + std::string(kUrlBytesMax - 9, 'x');
  ASSERT_TRUE(parse_url(longest, url));
  ASSERT_TRUE(restore_url(longest, url.shape(), again));
  EXPECT_EQ(again.path(), url.path());
  // Without a shape the text is parsed.
  ASSERT_TRUE(restore_url("HTTP://Example.org", {}, again));
  EXPECT_EQ(again.href(), "http://example.org/");
  EXPECT_FALSE(restore_url("no url", {}, again));
}

TEST(Url, AReferenceInheritsNoUserinfo) {
  Url base;
  Url url;
  ASSERT_TRUE(parse_url("http://u@x/", base));
  ASSERT_TRUE(resolve_url(base, "a", url));
  EXPECT_FALSE(url.had_userinfo());
}

}  // namespace
}  // namespace webstrata
