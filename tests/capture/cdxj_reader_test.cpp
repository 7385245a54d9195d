// SPDX-License-Identifier: Apache-2.0
#include "reading.h"

namespace webstrata {
namespace {

// As pywb writes it: numbers are strings.
constexpr std::string_view kPywb =
    R"(org,example)/ 20140126200624 {"url": "http://example.org/", "mime": "text/html", )"
    R"("status": "200", "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": "1228", )"
    R"("offset": "333", "filename": "example.warc.gz"})";

TEST(CdxjReader, NumbersMayBeStringsOrNumbers) {
  const std::string as_numbers =
      R"(org,example)/ 20140126200624 {"url": "http://example.org/", "mime": "text/html", )"
      R"("status": 200, "digest": "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": 1228, )"
      R"("offset": 333, "filename": "example.warc.gz"})";
  const Reading reading = read_bytes(std::string(kPywb) + "\r\n" + as_numbers + "\n");
  EXPECT_EQ(reading.format, "cdxj");
  ASSERT_EQ(reading.captures.size(), 2u);
  for (const KeptCapture& capture : reading.captures) {
    EXPECT_FALSE(capture.links_known);
    EXPECT_EQ(capture.sighting.url, "http://example.org/");
    EXPECT_EQ(to_rfc3339(capture.sighting.time), "2014-01-26T20:06:24Z");
    EXPECT_EQ(capture.sighting.status, 200);
    EXPECT_EQ(capture.sighting.digest, "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A");
    EXPECT_EQ(capture.sighting.length, 1228u);
    EXPECT_EQ(capture.sighting.offset, 333u);
    EXPECT_EQ(capture.sighting.file, "example.warc.gz");
    EXPECT_EQ(capture.sighting.kind, SightingKind::IndexLine);
  }
}

TEST(CdxjReader, CommonCrawlsLinesTellOfRedirectsAndTruncation) {
  const Reading reading = read_bytes(
      R"(an,example)/ 20240518015810 {"url": "http://an.example/", "mime": "text/html", )"
      R"("status": "301", "digest": "RY7PLBUFQNI2FFV5FTUQK72W6SNPXLQU", "length": "702", )"
      R"("offset": "17423", "filename": "crawl-data/CC-MAIN/segments/1/x-00000.warc.gz", )"
      R"("redirect": "https://an.example/home", "truncated": "length"})"
      "\n");
  ASSERT_EQ(reading.captures.size(), 1u);
  const Sighting& sighting = reading.captures[0].sighting;
  EXPECT_EQ(sighting.redirect_target, "https://an.example/home");
  EXPECT_EQ(sighting.outcome, Outcome::Moved);
  EXPECT_TRUE(sighting.truncated);
  EXPECT_EQ(sighting.file, "x-00000.warc.gz");
}

TEST(CdxjReader, MillisecondsAndHeadersAreUnderstood) {
  const Reading reading = read_bytes(
      "!OpenWayback-CDXJ 1.0\n"
      R"(org,example)/ 20140126200624123 {"url": "http://example.org/"})"
      "\n");
  EXPECT_EQ(reading.format, "cdxj");
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_EQ(reading.record_count, 1u);
  EXPECT_EQ(to_timestamp14(reading.captures[0].sighting.time), "20140126200624");
  EXPECT_FALSE(reading.captures[0].sighting.status.has_value());
}

TEST(CdxjReader, AnswersToPostAreCountedAndLeftOut) {
  const Reading reading = read_bytes(
      std::string(kPywb) + "\n" +
      R"(org,example)/?__wb_method=POST 2014 {"url": "http://example.org/", "method": "POST"})");
  EXPECT_EQ(reading.captures.size(), 1u);
  EXPECT_EQ(reading.report.damage_count(), 0u);
  EXPECT_EQ(reading.report.counts().at("records of other methods than GET left out"), 1u);
}

TEST(CdxjReader, DamagedLinesAreToldAndTheRestIsRead) {
  std::string bytes(kPywb);
  bytes += "\n";
  const std::size_t first = bytes.size();
  bytes += "org,example)/ 2014 {\"url\": \"http://example.org/\n";  // cut
  bytes += "org,example)/ 2014 {\"mime\": \"text/html\"}\n";        // no URL
  bytes += "org,example)/ 2014\n";                                  // no JSON
  bytes += "org,example)/ 2014 " + std::string(5000, '[') + "\n";   // not even an object
  bytes += "org,example)/ 2014 {\"a\":" + std::string(5000, '[') + "\n";
  bytes += "\xff\xfe \x01\n";
  bytes += kPywb;
  const Reading reading = read_bytes(bytes);
  EXPECT_EQ(reading.captures.size(), 2u);
  ASSERT_GE(reading.report.damage_count(), 6u);
  EXPECT_EQ(reading.report.damages()[0].offset, first);
}

}  // namespace
}  // namespace webstrata
