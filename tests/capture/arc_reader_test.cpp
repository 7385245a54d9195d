// SPDX-License-Identifier: Apache-2.0

// Header lines are written as the ARC description of 1996 and Heritrix 1 have them.

#include "compressing.h"
#include "reading.h"

namespace webstrata {
namespace {

const std::string kFileHeader = [] {
  const std::string lines =
      "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n";
  return fmt::format("filedesc://x.arc 0.0.0.0 20080430204825 text/plain {}\n{}\n", lines.size(),
                     lines);
}();

std::string record(std::string_view url, std::string_view content) {
  return fmt::format("{} 192.0.2.1 20080430204825 text/html {}\n{}\n", url, content.size(),
                     content);
}

TEST(ArcReader, ReadsPages) {
  const std::string page = record("http://a.example/", http_page("<a href=/x>x</a>"));
  const std::string members = gzip_member(kFileHeader) + gzip_member(page);
  for (const std::string& bytes : {kFileHeader + page, members}) {
    const Reading reading = read_bytes(bytes);
    EXPECT_EQ(reading.format, "arc");
    EXPECT_EQ(reading.record_count, 2U);
    ASSERT_EQ(reading.captures.size(), 1U);
    EXPECT_EQ(reading.captures[0].sighting.url, "http://a.example/");
    EXPECT_EQ(to_timestamp14(reading.captures[0].sighting.time), "20080430204825");
    EXPECT_EQ(reading.captures[0].links.size(), 1U);
    EXPECT_EQ(reading.report.damage_count(), 0U);
  }
}

TEST(ArcReader, UrlsMayHoldSpaces) {
  const Reading reading = read_bytes(kFileHeader + record("http://a.example/b c", http_page("x")));
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.captures[0].sighting.url, "http://a.example/b%20c");
}

TEST(ArcReader, VersionTwoHasMoreFields) {
  const std::string lines =
      "2 0 InternetArchive\nURL IP-address Archive-date Content-type "
      "Result-code Checksum Location Offset Filename Archive-length\n";
  const std::string header =
      fmt::format("filedesc://x.arc 0.0.0.0 20080430204825 text/plain 200 - - 0 x.arc {}\n{}\n",
                  lines.size(), lines);
  const std::string content = http_page("<a href=/x>x</a>");
  const std::string page = fmt::format(
      "http://a.example/ 192.0.2.1 20080430204825 text/html 200 abc - 99 x.arc {}\n{}\n",
      content.size(), content);
  const Reading reading = read_bytes(header + page);
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.captures[0].sighting.status, 200);
  EXPECT_EQ(reading.captures[0].links.size(), 1U);
}

TEST(ArcReader, AWrongLengthDoesNotHideTheNextRecord) {
  std::string bad = record("http://a.example/1", http_page("first"));
  const std::string size = fmt::format(" {}\n", http_page("first").size());
  bad.replace(bad.find(size), size.size(), " 700\n");
  const Reading reading =
      read_bytes(kFileHeader + bad + record("http://a.example/2", http_page("x")) +
                 record("http://a.example/3", http_page("y")));
  ASSERT_EQ(reading.captures.size(), 3U);
  EXPECT_TRUE(reading.captures[0].sighting.truncated);
  EXPECT_EQ(reading.captures[2].sighting.url, "http://a.example/3");
  EXPECT_EQ(reading.report.damage_count(), 1U);
}

TEST(ArcReader, JunkIsPassedOver) {
  const Reading reading =
      read_bytes(kFileHeader + "junk\nmore junk\n" + record("http://a.example/", http_page("x")));
  EXPECT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.report.damage_count(), 1U);
  EXPECT_EQ(reading.report.resynchronised_count(), 1U);
}

TEST(ArcReader, ContentWithoutHttpIsAPageToo) {
  const Reading reading = read_bytes(kFileHeader + record("http://a.example/", "<a href=/x>x</a>"));
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.captures[0].links.size(), 1U);
}

}  // namespace
}  // namespace webstrata
