// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/sitemap.h"

#include <gtest/gtest.h>

#include "tests/capture/compressing.h"

namespace webstrata {
namespace {

const Time kNow = *parse_time("2023-06-10");

Sitemap parse(std::string_view body) {
  Url base;
  EXPECT_TRUE(parse_url("http://a.example/sitemap.xml", base));
  return parse_sitemap(body, base, kNow);
}

constexpr std::string_view kXml = R"(<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://x.example/i">
  <url><loc> http://a.example/x?a=1&amp;b=2 </loc><lastmod>2022-01-02</lastmod>
    <changefreq>weekly</changefreq><priority>0.8</priority>
    <image:image><image:loc>http://a.example/picture.png</image:loc></image:image></url>
  <!-- <url><loc>http://a.example/hidden</loc></url> -->
  <url><loc><![CDATA[http://a.example/y?a&b]]></loc></url>
</urlset>)";

TEST(Sitemap, XmlGivesPagesWithWhatIsSaidOfThem) {
  const Sitemap sitemap = parse(kXml);
  ASSERT_EQ(sitemap.pages.size(), 2U);
  EXPECT_EQ(sitemap.pages[0].url, "http://a.example/x?a=1&b=2");
  EXPECT_EQ(sitemap.pages[0].changed, parse_time("2022-01-02"));
  EXPECT_EQ(sitemap.pages[0].priority, 0.8);
  EXPECT_EQ(sitemap.pages[0].period, 7 * 86400);
  EXPECT_EQ(sitemap.pages[1].url, "http://a.example/y?a&b");
  EXPECT_TRUE(sitemap.sitemaps.empty());
  EXPECT_FALSE(sitemap.is_cut);
}

TEST(Sitemap, GzipIsTheSame) {
  const Sitemap sitemap = parse(gzip_member(kXml));
  ASSERT_EQ(sitemap.pages.size(), 2U);
  EXPECT_EQ(sitemap.pages[1].url, "http://a.example/y?a&b");
}

TEST(Sitemap, AnIndexNamesSitemaps) {
  const Sitemap sitemap = parse(
      "<sitemapindex><sitemap><loc>http://a.example/1.xml.gz</loc></sitemap>"
      "<sitemap><loc>/2.xml</loc><lastmod>2020</lastmod></sitemap></sitemapindex>");
  ASSERT_EQ(sitemap.sitemaps.size(), 2U);
  EXPECT_EQ(sitemap.sitemaps[0].url, "http://a.example/1.xml.gz");
  EXPECT_EQ(sitemap.sitemaps[1].url, "http://a.example/2.xml");
  EXPECT_TRUE(sitemap.pages.empty());
}

TEST(Sitemap, TextHasAUrlALine) {
  const Sitemap sitemap =
      parse("\xef\xbb\xbfhttp://a.example/1\r\nhttp://a.example/2\n\n mailto:x@a.example\n");
  ASSERT_EQ(sitemap.pages.size(), 2U);
  EXPECT_EQ(sitemap.pages[1].url, "http://a.example/2");
  EXPECT_EQ(sitemap.left_out, 1U);
}

TEST(Sitemap, ClaimsThatMakeNoSenseAreDropped) {
  const Sitemap sitemap = parse(
      "<urlset><url><loc>http://a.example/</loc><lastmod>2099-01-01</lastmod><priority>0</priority>"
      "<changefreq>always</changefreq></url><url><loc>http://a.example/b</loc><priority>7</"
      "priority>"
      "<lastmod>yesterday</lastmod></url></urlset>");
  ASSERT_EQ(sitemap.pages.size(), 2U);
  for (const SitemapEntry& entry : sitemap.pages) {
    EXPECT_EQ(entry.changed, std::nullopt);
    EXPECT_EQ(entry.priority, std::nullopt);
    EXPECT_EQ(entry.period, std::nullopt);
  }
}

TEST(Sitemap, NoMoreEntriesThanTheProtocolAllows) {
  std::string text;
  for (std::size_t i = 0; i <= kSitemapEntriesMax; ++i) {
    text += "http://a.example/" + std::to_string(i) + "\n";
  }
  const Sitemap sitemap = parse(text);
  EXPECT_EQ(sitemap.pages.size(), kSitemapEntriesMax);
  EXPECT_EQ(sitemap.left_out, 1U);
  EXPECT_TRUE(sitemap.is_cut);
}

TEST(Sitemap, ABombIsCutAtTheLimit) {
  const std::string spaces(kSitemapBytesMax + 1000, ' ');
  const Sitemap sitemap = parse(gzip_member(spaces + "\nhttp://a.example/behind\n"));
  EXPECT_TRUE(sitemap.is_cut);
  EXPECT_TRUE(sitemap.pages.empty());
}

TEST(Sitemap, BrokenOnesGiveWhatTheyHave) {
  EXPECT_EQ(parse("").pages.size(), 0U);
  EXPECT_EQ(
      parse("<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.exam").pages.size(),
      1U);
  EXPECT_EQ(parse("<url></loc></url><loc>http://a.example/</loc><").pages.size(), 0U);
  EXPECT_EQ(parse("<![CDATA[").pages.size(), 0U);
  EXPECT_EQ(parse("\x1f\x8b rubbish").pages.size(), 0U);
}

TEST(Sitemap, OnlyItsOutermostElementMakesAnXmlSitemap) {
  EXPECT_TRUE(looks_like_sitemap(kXml));
  EXPECT_TRUE(looks_like_sitemap(gzip_member(kXml)));
  EXPECT_TRUE(looks_like_sitemap("<!-- by <x> --><s:sitemapindex xmlns:s='x'></s:sitemapindex>"));
  for (const std::string_view text :
       {"", "<", "<!-- <urlset>", "<!DOCTYPE html><p>&lt;urlset>", "<html><urlset></urlset></html>",
        "http://a.example/", "<urlsets>"}) {
    EXPECT_FALSE(looks_like_sitemap(text)) << text;
  }
}

}  // namespace
}  // namespace webstrata
