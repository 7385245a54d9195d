// SPDX-License-Identifier: Apache-2.0
#include "reading.h"

namespace webstrata {
namespace {

constexpr std::string_view kFetched =
    "2016-10-16T21:41:34.120Z   200       3113 http://example.org/a LLE http://example.org/ "
    "text/html #042 20161016214133017+123 sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6 - timeTrunc,2t "
    R"({"warcFilename":"A-1.warc.gz","warcFileOffset":862})"
    "\n";

TEST(CrawlLogReader, AFetchIsASightingAtTheTimeItBegan) {
  const Reading reading = read_bytes(kFetched);
  EXPECT_EQ(reading.format, "crawl-log");
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_FALSE(reading.captures[0].links_known);
  const Sighting& sighting = reading.captures[0].sighting;
  EXPECT_EQ(sighting.url, "http://example.org/a");
  EXPECT_EQ(to_timestamp14(sighting.time), "20161016214133");
  EXPECT_EQ(sighting.status, 200);
  EXPECT_EQ(sighting.mime, "text/html");
  EXPECT_EQ(sighting.digest, "sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6");
  EXPECT_TRUE(sighting.truncated);
  EXPECT_EQ(sighting.file, "A-1.warc.gz");
  EXPECT_EQ(sighting.offset, 862u);
}

TEST(CrawlLogReader, FailuresKeepHeritrixCodes) {
  const Reading reading = read_bytes(
      "2016-10-16T21:41:35.001Z    -2          - http://dead.example/ L http://example.org/ "
      "unknown #001 - - - 3t\n"
      "2016-10-16T21:41:36.001Z -9998          - http://robots.example/ L http://example.org/ "
      "unknown #001 - - - -\n"
      "2016-10-16T21:41:37.001Z     1         53 dns:example.org P http://example.org/ text/dns "
      "#001 20161016214137000+1 sha1:A - -\r\n");
  ASSERT_EQ(reading.captures.size(), 2u);
  EXPECT_EQ(reading.captures[0].sighting.status, -2);
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Unreachable);
  EXPECT_EQ(to_timestamp14(reading.captures[0].sighting.time), "20161016214135");
  EXPECT_EQ(reading.captures[0].sighting.mime, "");
  EXPECT_EQ(reading.captures[1].sighting.outcome, Outcome::Blocked);
  EXPECT_EQ(reading.report.counts().at("records about the crawl itself left out"), 1u);
  EXPECT_EQ(reading.record_count, 3u);
}

TEST(CrawlLogReader, TheOldFormWithSeventeenDigitsIsRead) {
  const Reading reading = read_bytes(
      "20040729200030340   404   210 http://example.org/x L http://example.org/ text/html #3 "
      "20040729200030200+46 -\n");
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Gone);
  EXPECT_EQ(reading.captures[0].sighting.digest, "");
}

TEST(CrawlLogReader, DamagedLinesAreToldAndTheRestIsRead) {
  const Reading reading = read_bytes(
      std::string(kFetched) + "2016-10-16T21:41:34.120Z 200\n" +
      "yesterday 200 1 http://example.org/ L - text/html\n" +
      "2016-10-16T21:41:34Z ok 1 http://example.org/ L - text/html\n" + std::string(kFetched));
  EXPECT_EQ(reading.captures.size(), 2u);
  ASSERT_EQ(reading.report.damage_count(), 3u);
  EXPECT_EQ(reading.report.damages()[0].offset, kFetched.size());
}

}  // namespace
}  // namespace webstrata
