// SPDX-License-Identifier: Apache-2.0
#include "compressing.h"
#include "reading.h"

namespace webstrata {
namespace {

constexpr std::string_view kHeader = " CDX N b a m s k r M S V g\n";
constexpr std::string_view kLine =
    "org,example)/a 20161016214133 http://example.org/A/../a text/html 200 "
    "CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6 - - 3113 862 crawl/test1.warc.gz\n";

TEST(CdxReader, AnElevenColumnLineIsASightingAtItsPlaceInTheWarc) {
  const Reading reading = read_bytes(std::string(kHeader) + std::string(kLine), {.crawl = "one"});
  EXPECT_EQ(reading.format, "cdx");
  EXPECT_EQ(reading.record_count, 1u);
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_FALSE(reading.captures[0].links_known);
  const Sighting& sighting = reading.captures[0].sighting;
  EXPECT_EQ(sighting.url, "http://example.org/a");
  EXPECT_EQ(sighting.spelling, "http://example.org/A/../a");
  EXPECT_EQ(to_timestamp14(sighting.time), "20161016214133");
  EXPECT_EQ(sighting.kind, SightingKind::IndexLine);
  EXPECT_EQ(sighting.status, 200);
  EXPECT_EQ(sighting.outcome, Outcome::Alive);
  EXPECT_EQ(sighting.mime, "text/html");
  EXPECT_EQ(sighting.digest, "sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6");
  EXPECT_EQ(sighting.file, "test1.warc.gz");
  EXPECT_EQ(sighting.offset, 862u);
  EXPECT_EQ(sighting.length, 3113u);
  EXPECT_EQ(sighting.crawl, "one");
  EXPECT_EQ(reading.report.damage_count(), 0u);
}

TEST(CdxReader, TheFirstByteIsTheDelimiterAndLettersNameTheColumns) {
  const Reading reading = read_bytes(
      "\tCDX\tb\ts\ta\tr\tV\tg\r\n"
      "20000101000000\t302\thttp://example.org/x\t/y z\t12\ta.arc.gz\r\n");
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_EQ(reading.captures[0].sighting.redirect_target, "http://example.org/y%20z");
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Moved);
  EXPECT_EQ(reading.captures[0].sighting.offset, 12u);
}

TEST(CdxReader, NineElevenFourteenAndSevenColumnsNeedNoHeader) {
  const std::string start = "org,example)/ 20160101000000 http://example.org/ text/html 200 AAA ";
  for (const char* rest : {"- 862 a.warc.gz", "- - 3113 862 a.warc.gz", "- - 862 a.warc.gz",
                           "- - 3113 862 a.warc.gz 1 2 b.warc.gz"}) {
    const Reading reading = read_bytes(start + rest);
    EXPECT_EQ(reading.format, "cdx") << rest;
    ASSERT_EQ(reading.captures.size(), 1u) << rest;
    EXPECT_EQ(reading.captures[0].sighting.offset, 862u) << rest;
    EXPECT_EQ(reading.captures[0].sighting.file, "a.warc.gz") << rest;
  }
  const Reading seven = read_bytes(start + "3113\n");
  ASSERT_EQ(seven.captures.size(), 1u);
  EXPECT_EQ(seven.captures[0].sighting.file, "input");
}

TEST(CdxReader, ARevisitWithoutStatusIsAlive) {
  const Reading reading = read_bytes(
      "org,example)/ 20160101000000 http://example.org/ warc/revisit - AAA - - 1 2 a.warc.gz\n");
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_FALSE(reading.captures[0].sighting.status.has_value());
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Alive);
}

TEST(CdxReader, DamagedLinesAreToldWithTheirOffsetAndTheRestIsRead) {
  std::string bytes(kHeader);
  const auto expect_damage_at = bytes.size();
  bytes += "org,example)/ 20160101000000 http://example.org/ text/html\n";              // short
  bytes += "k 20160101000000 nonsense text/html 200 A - - 1 2 a.warc.gz\n";             // no URL
  bytes += "k 2016x http://example.org/ text/html 200 A - - 1 2 a.warc.gz\n";           // no time
  bytes += "k 20160101000000 http://example.org/ text/html ok A - - 1 2 a.warc.gz\n";   // status
  bytes += "k 20160101000000 http://example.org/ text/html 200 A - - x 2 a.warc.gz\n";  // length
  bytes += "\n";
  bytes += kLine;
  const Reading reading = read_bytes(bytes);
  EXPECT_EQ(reading.captures.size(), 1u);
  ASSERT_EQ(reading.report.damage_count(), 5u);
  EXPECT_EQ(reading.report.damages()[0].offset, expect_damage_at);
  EXPECT_EQ(reading.report.damages()[0].reason, "4 columns instead of 11");
  EXPECT_EQ(reading.report.damages()[3].reason, "not a status: 'ok'");
  EXPECT_EQ(reading.record_count, 6u);
}

TEST(CdxReader, AHeaderInTheMiddleOfJoinedFilesCounts) {
  const Reading reading =
      read_bytes(std::string(kHeader) + std::string(kLine) +
                 " CDX N b a m s k r V g\n"
                 "k 20160101000000 http://b.example/ text/html 200 A - 5 b.arc.gz\n");
  ASSERT_EQ(reading.captures.size(), 2u);
  EXPECT_EQ(reading.captures[1].sighting.offset, 5u);
  EXPECT_EQ(reading.report.damage_count(), 0u);
}

TEST(CdxReader, BlocksOfGzipAreReadAsOneStream) {
  const std::string bytes = gzip_member(std::string(kHeader) + std::string(kLine)) +
                            gzip_member(kLine) + gzip_member(kLine);
  EXPECT_EQ(read_bytes(bytes).captures.size(), 3u);
}

TEST(CdxReader, ATruncatedGzipGivesTheLinesBeforeTheCut) {
  std::string many(kHeader);
  for (int i = 0; i < 1000; ++i) {
    many += "k 20160101000000 http://example.org/" + std::to_string(i * 7919) +
            " text/html 200 A - - 1 2 a.warc.gz\n";
  }
  const std::string whole = gzip_member(many);
  for (std::size_t size = whole.size() / 2; size < whole.size() / 2 + 200; ++size) {
    const Reading reading = read_bytes(std::string_view(whole).substr(0, size));
    EXPECT_GT(reading.captures.size(), 100u);
    EXPECT_LT(reading.captures.size(), 1000u);
    EXPECT_GE(reading.report.damage_count(), 1u);
    EXPECT_EQ(reading.captures.back().sighting.file, "a.warc.gz") << "cut at " << size;
  }
}

// Counted by hand: two lines are about pages, the others about wget's own metadata records.
TEST(CdxReader, FilesOfOtherToolsAreRead) {
  const std::string folder = "data/warc-corpus/";
  for (const char* name :
       {"nla+outbackcdx/test-integration/test1.cdx", "nla+outbackcdx/test-integration/test2.cdx",
        "iipc+warc-specifications/primers/web-archive-formats/hello-world.warc.cdx"}) {
    const auto path = shared_file(folder + name);
    if (path.empty()) GTEST_SKIP() << name << " is not here: set WEBSTRATA_SHARED";
    const Reading reading = read_path(path);
    EXPECT_EQ(reading.format, "cdx") << name;
    EXPECT_EQ(reading.report.damage_count(), 0u) << name;
    EXPECT_GE(reading.captures.size(), 1u) << name;
    EXPECT_GT(reading.record_count, reading.captures.size()) << name;
  }
}

}  // namespace
}  // namespace webstrata
