// SPDX-License-Identifier: Apache-2.0
#include "reading.h"

namespace webstrata {
namespace {

TEST(TsvReader, ALineWithTargetsIsACapture) {
  const Reading reading = read_bytes(
      "https://a.example/x\t19960109162845\thttps://a.example/\tmailto:me@a.example\ty\ty\n"
      "https://a.example/empty\t19960109162845\r\n");
  EXPECT_EQ(reading.format, "tsv");
  ASSERT_EQ(reading.captures.size(), 2u);
  const KeptCapture& capture = reading.captures[0];
  EXPECT_TRUE(capture.links_known);
  EXPECT_EQ(capture.sighting.kind, SightingKind::Response);
  EXPECT_EQ(capture.sighting.outcome, Outcome::Alive);
  EXPECT_EQ(to_timestamp14(capture.sighting.time), "19960109162845");
  ASSERT_EQ(capture.links.size(), 2u);
  EXPECT_EQ(capture.links[0].target, "https://a.example/");
  EXPECT_EQ(capture.links[1].target, "https://a.example/y");
  EXPECT_EQ(capture.links[1].count, 2);
  EXPECT_TRUE(reading.captures[1].links_known);
  EXPECT_TRUE(reading.captures[1].links.empty());
}

TEST(TsvReader, AThirdColumnWithAStatusMakesASighting) {
  const Reading reading = read_bytes(
      "url\ttime\tstatus\tdigest\tlength\n"
      "https://a.example/\t19960109162845\t200\t275de46a0f57a5dff84f2c6c7c667620fac8f62c\t295\n"
      "https://a.example/\t19970109162845\t404\t-\t-\n"
      "https://a.example/\t19970109162845\t-\n");
  ASSERT_EQ(reading.captures.size(), 3u);
  EXPECT_EQ(reading.record_count, 3u);
  const Sighting& first = reading.captures[0].sighting;
  EXPECT_FALSE(reading.captures[0].links_known);
  EXPECT_EQ(first.kind, SightingKind::IndexLine);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.digest, "sha1:275de46a0f57a5dff84f2c6c7c667620fac8f62c");
  EXPECT_EQ(first.length, 295u);
  EXPECT_EQ(reading.captures[1].sighting.outcome, Outcome::Gone);
  EXPECT_EQ(reading.captures[1].sighting.digest, "");
  EXPECT_FALSE(reading.captures[2].sighting.status.has_value());
}

TEST(TsvReader, DamagedLinesAreToldAndTheRestIsRead) {
  const std::string good = "https://a.example/\t19960109162845\thttps://b.example/\n";
  const Reading reading =
      read_bytes(good + "https://a.example/\n" + "https://a.example/\tsoon\thttps://b.example/\n" +
                 "a.html\t19960109162845\thttps://b.example/\n" +
                 "https://a.example/\t19960109162845\t200\tabc\tmany\n" + good);
  EXPECT_EQ(reading.captures.size(), 2u);
  ASSERT_EQ(reading.report.damage_count(), 4u);
  EXPECT_EQ(reading.report.damages()[0].offset, good.size());
}

// Counts from the data's README and a recount in Python: 7,846,290 fields after the time, of which
// 112 are empty.
TEST(TsvReader, ThirtyYearsOfOneSiteAreReadAsTheyAre) {
  const auto links = shared_file("data/openbsd-www/links_all_versions.tsv.zst");
  const auto sightings = shared_file("data/openbsd-www/captures.tsv.gz");
  if (links.empty() || sightings.empty()) {
    GTEST_SKIP() << "data/openbsd-www is not here: set WEBSTRATA_SHARED";
  }
  Report report;
  InputStream in(links, report);
  const ReadOptions options;
  const auto reader = recognise(in.peek(kRecogniseBytes))->open({in, options, report, "links"});
  Capture capture;
  std::uint64_t captures = 0;
  std::uint64_t instances = 0;  // two spellings of one target are one link that counts two
  while (reader->next(capture)) {
    ++captures;
    for (std::size_t i = 0; i < capture.links.size(); ++i) instances += capture.links[i].count;
  }
  for (const auto& [what, times] : report.counts()) {
    if (what.ends_with("left out")) instances += times;
  }
  EXPECT_EQ(captures, 95358u);
  EXPECT_EQ(instances, 7846290u - 112u);
  EXPECT_EQ(report.damage_count(), 0u);

  const Reading read = read_path(sightings);
  std::uint64_t alive = 0, gone = 0;
  for (const KeptCapture& kept : read.captures) {
    alive += kept.sighting.outcome == Outcome::Alive;
    gone += kept.sighting.outcome == Outcome::Gone;
    EXPECT_FALSE(kept.links_known);
  }
  EXPECT_EQ(alive, 95358u);
  EXPECT_EQ(gone, 2152u);
  EXPECT_EQ(read.report.damage_count(), 0u);
}

}  // namespace
}  // namespace webstrata
