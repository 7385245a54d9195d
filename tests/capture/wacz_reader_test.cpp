// SPDX-License-Identifier: Apache-2.0
#include "reading.h"

#include <fstream>

#include "make_zip.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

const std::string kLines = R"({"url":"http://a.example/","ts":"2021","links":["b"]})"
                           "\n"
                           R"({"url":"http://a.example/b","ts":"2021","links":[]})"
                           "\n";
const std::string kIndex =
    R"(example,a)/ 20210101000000 {"url":"http://a.example/","status":200,"filename":"a.warc.gz","offset":0,"length":9})"
    "\n";

std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) / (std::to_string(getpid()) + "-" + name);
}

// The readers of archive/ are chosen by bytes, so that lines of JSON serve as well as a WARC.
TEST(WaczReader, WhatLiesUnderArchiveIsReadAndNothingElse) {
  const std::string zip = make_zip({{"datapackage.json", "{}"},
                                    {"archive/", ""},
                                    {"archive/one.jsonl", kLines},
                                    {"archive/two.jsonl", kLines, false, true},
                                    {"indexes/index.cdxj", kIndex},
                                    {"pages/pages.jsonl", kLines}},
                                   true);
  const Reading reading = read_bytes(zip);
  EXPECT_EQ(reading.format, "wacz");
  EXPECT_EQ(reading.report.damage_count(), 0u);
  ASSERT_EQ(reading.captures.size(), 4u);
  EXPECT_EQ(reading.record_count, 4u);
  EXPECT_EQ(reading.captures[0].sighting.file, "one.jsonl");
  EXPECT_EQ(reading.captures[3].sighting.file, "two.jsonl");
  EXPECT_EQ(reading.captures[3].sighting.offset, kLines.find('\n') + 1);
  EXPECT_EQ(reading.captures[0].links.size(), 1u);
}

TEST(WaczReader, AFileGivesTheSameAsItsBytes) {
  const std::string zip =
      make_zip({{"archive/one.jsonl", kLines}, {"archive/two.jsonl", kLines, true}});
  const auto path = temporary("file.wacz");
  write_file(path, zip);
  const Reading from_file = read_path(path);
  const Reading from_bytes = read_bytes(zip);
  std::filesystem::remove(path);
  ASSERT_EQ(from_file.captures.size(), 4u);
  ASSERT_EQ(from_bytes.captures.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(from_file.captures[i].sighting.url, from_bytes.captures[i].sighting.url);
    EXPECT_EQ(from_file.captures[i].sighting.offset, from_bytes.captures[i].sighting.offset);
    EXPECT_EQ(from_file.captures[i].sighting.file, from_bytes.captures[i].sighting.file);
  }
}

// The WARC as a file of its own is the truth.
TEST(WaczReader, AWarcInsideGivesWhatItGivesOutside) {
  const auto path = shared_file("data/warc-corpus/webrecorder+warcio/test/data/example.warc.gz");
  if (path.empty()) GTEST_SKIP() << "data/warc-corpus is not here: set WEBSTRATA_SHARED";
  const Reading outside = read_path(path);
  for (const bool deflated : {false, true}) {
    const auto wacz = temporary("warc.wacz");
    write_file(wacz, make_zip({{"archive/example.warc.gz", read_file(path), deflated}}));
    const Reading inside = read_path(wacz);
    std::filesystem::remove(wacz);
    EXPECT_EQ(inside.record_count, outside.record_count);
    ASSERT_EQ(inside.captures.size(), outside.captures.size());
    for (std::size_t i = 0; i < inside.captures.size(); ++i) {
      EXPECT_EQ(inside.captures[i].sighting.url, outside.captures[i].sighting.url);
      EXPECT_EQ(inside.captures[i].sighting.file, "example.warc.gz");
      EXPECT_EQ(inside.captures[i].sighting.offset, outside.captures[i].sighting.offset);
      EXPECT_EQ(inside.captures[i].sighting.length, outside.captures[i].sighting.length);
      EXPECT_EQ(inside.captures[i].links.size(), outside.captures[i].links.size());
    }
  }
}

// There is no folder for temporary files, so nothing can be put there.
TEST(WaczReader, ALargeDeflatedEntryIsReadWithoutATemporaryFile) {
  std::string lines;
  while (lines.size() <= (std::size_t{2} << 20)) lines += kLines;
  const std::string zip = make_zip({{"archive/one.jsonl", lines, true}});
  ::setenv("TMPDIR", "/no/such/folder", 1);
  const Reading reading = read_bytes(zip);
  ::unsetenv("TMPDIR");
  EXPECT_EQ(reading.captures.size(), 2 * lines.size() / kLines.size());
  EXPECT_EQ(reading.report.damage_count(), 0u);
}

// Compressed so well that all input is consumed before the last bytes are produced.
TEST(WaczReader, TheEndOfAPackedEntryIsNotLost) {
  const std::string lines = kLines + std::string(3'000'000, '\n') + kLines;
  const Reading reading = read_bytes(make_zip({{"archive/one.jsonl", lines, true}}));
  EXPECT_EQ(reading.captures.size(), 4u);
  EXPECT_EQ(reading.report.damage_count(), 0u);
}

TEST(WaczReader, AnEntryThatHoldsMoreThanItSaysIsCutThere) {
  std::string zip = make_zip({{"archive/one.jsonl", kLines + kLines, true}});
  std::string size;
  append_u32(size, static_cast<std::uint32_t>(2 * kLines.size()));
  std::string smaller;
  append_u32(smaller, static_cast<std::uint32_t>(kLines.size()));
  for (std::size_t at = zip.find(size); at != std::string::npos; at = zip.find(size, at)) {
    zip.replace(at, size.size(), smaller);
  }
  const Reading reading = read_bytes(zip);
  EXPECT_EQ(reading.captures.size(), 2u);
  ASSERT_EQ(reading.report.damage_count(), 1u);
  EXPECT_EQ(reading.report.damages()[0].reason,
            "ZIP entry archive/one.jsonl holds more than it declares");
}

TEST(WaczReader, APackedEntryThatIsCutGivesWhatCouldBeSaved) {
  std::string lines;
  while (lines.size() <= (std::size_t{1} << 20)) lines += kLines;
  const std::string zip = make_zip({{"archive/one.jsonl", lines, true}});
  const Reading reading = read_bytes(std::string_view(zip).substr(0, zip.size() / 2));
  EXPECT_GT(reading.captures.size(), 100u);
  EXPECT_GE(reading.report.damage_count(), 1u);
}

// A WACZ that is compressed once more must be stored while it is read, but leaves no file.
TEST(WaczReader, ACompressedWaczIsRead) {
  const Reading reading = read_bytes(gzip_member(make_zip({{"archive/one.jsonl", kLines}})));
  EXPECT_EQ(reading.format, "wacz");
  EXPECT_EQ(reading.captures.size(), 2u);
  EXPECT_EQ(reading.report.damage_count(), 0u);
}

TEST(WaczReader, WithoutAnArchiveTheIndexesAreRead) {
  const Reading reading =
      read_bytes(make_zip({{"indexes/index.cdxj", kIndex}, {"indexes/index.idx", "x"}}));
  EXPECT_EQ(reading.report.damage_count(), 0u);
  ASSERT_EQ(reading.captures.size(), 1u);
  EXPECT_EQ(reading.captures[0].sighting.file, "a.warc.gz");
}

TEST(WaczReader, DamageInsideIsToldWithTheEntrysName) {
  const Reading reading = read_bytes(make_zip({{"archive/one.jsonl", kLines + "{broken\n"},
                                               {"archive/junk", "no format at all"},
                                               {"archive/two.jsonl", kLines, true, false, 1}}));
  EXPECT_EQ(reading.captures.size(), 4u);
  ASSERT_EQ(reading.report.damage_count(), 3u);
  EXPECT_EQ(reading.report.damages()[0].offset, kLines.size());
  EXPECT_TRUE(reading.report.damages()[0].reason.starts_with("archive/one.jsonl: "));
  EXPECT_EQ(reading.report.damages()[1].reason, "archive/junk: not a format that can be read");
  EXPECT_EQ(reading.report.damages()[2].reason, "checksum of ZIP entry archive/two.jsonl differs");
}

TEST(WaczReader, ACutFileGivesTheEntriesBeforeTheCut) {
  const std::string zip = make_zip({{"archive/one.jsonl", kLines}, {"archive/two.jsonl", kLines}});
  const Reading reading =
      read_bytes(std::string_view(zip).substr(0, zip.rfind(R"({"url")", zip.find("PK\1\2"))));
  EXPECT_EQ(reading.captures.size(), 3u);
  EXPECT_GE(reading.report.damage_count(), 1u);
}

TEST(WaczReader, AZipOfSomethingElseIsDamage) {
  const Reading reading = read_bytes(make_zip({{"hello.txt", "hello"}}));
  EXPECT_EQ(reading.format, "wacz");
  EXPECT_TRUE(reading.captures.empty());
  EXPECT_EQ(reading.report.damage_count(), 1u);
}

TEST(WaczReader, AZipInsideAZipIsNotFollowed) {
  const std::string inner = make_zip({{"archive/one.jsonl", kLines}});
  const Reading reading = read_bytes(make_zip({{"archive/inner.wacz", inner}}));
  EXPECT_TRUE(reading.captures.empty());
  EXPECT_EQ(reading.report.damage_count(), 1u);
}

}  // namespace
}  // namespace webstrata
