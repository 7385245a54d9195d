// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/formats/warc_records.h"

#include <gtest/gtest.h>

#include <vector>

#include "compressing.h"

namespace webstrata {
namespace {

std::string body(int number) { return fmt::format("body of record {}", number); }
std::string record(int number) { return warc_record("resource", "http://a/", body(number)); }

// The contents of all records, in order.
std::vector<std::string> contents(std::string_view bytes, Report& report) {
  InputStream in(InMemory{bytes}, report);
  WarcRecords records(in, report);
  std::vector<std::string> found;
  while (records.next()) found.emplace_back(records.content());
  return found;
}

TEST(WarcRecords, TellWhereTheyLie) {
  const std::string bytes = gzip_member(record(1)) + gzip_member(record(2));
  Report report;
  InputStream in(InMemory{bytes}, report);
  WarcRecords records(in, report);
  ASSERT_TRUE(records.next());
  EXPECT_EQ(records.type(), "resource");
  EXPECT_EQ(records.field("warc-target-uri"), "http://a/");
  EXPECT_EQ(records.content(), body(1));
  EXPECT_EQ(records.offset(), 0U);
  records.finish();
  EXPECT_EQ(records.length(), gzip_member(record(1)).size());
  ASSERT_TRUE(records.next());
  EXPECT_EQ(records.offset(), gzip_member(record(1)).size());
  EXPECT_EQ(records.content(), body(2));
  EXPECT_FALSE(records.next());
  EXPECT_EQ(report.damage_count(), 0U);
}

TEST(WarcRecords, OneStreamOrManyMembersGiveTheSame) {
  const std::string plain = record(1) + record(2) + record(3);
  const std::vector<std::string> expected = {body(1), body(2), body(3)};
  std::string members;
  for (int i = 1; i <= 3; ++i) members += gzip_member(record(i));
  // A member may end anywhere, also inside a record.
  const std::string odd = gzip_member(plain.substr(0, 50)) + gzip_member(plain.substr(50));
  for (const std::string& bytes : {plain, gzip_member(plain), members, odd, zstd_frame(plain)}) {
    Report report;
    EXPECT_EQ(contents(bytes, report), expected);
    EXPECT_EQ(report.damage_count(), 0U);
  }
}

TEST(WarcRecords, AWrongLengthDoesNotHideTheNextRecord) {
  for (const int wrong : {-3, 1, 40, 100000}) {
    std::string bad = record(1);
    const std::string size = fmt::format("Content-Length: {}", body(1).size());
    const auto wrong_size =
        fmt::format("Content-Length: {}", static_cast<int>(body(1).size()) + wrong);
    bad.replace(bad.find(size), size.size(), wrong_size);
    for (const std::string& bytes :
         {bad + record(2) + record(3),
          gzip_member(bad) + gzip_member(record(2)) + gzip_member(record(3))}) {
      Report report;
      const auto found = contents(bytes, report);
      ASSERT_EQ(found.size(), 3U) << wrong;
      EXPECT_EQ(found[1], body(2));
      EXPECT_EQ(found[2], body(3));
      // A length that is one too large includes a line end in the content; nothing is lost.
      EXPECT_GE(report.damage_count(), wrong == 1 ? 0U : 1U) << wrong;
    }
  }
}

TEST(WarcRecords, JunkBetweenRecordsIsPassedOver) {
  const std::string junk = "\x01\x02 some junk\nWARC/ not a record\nmore\n";
  Report report;
  EXPECT_EQ(contents(record(1) + junk + record(2), report),
            (std::vector<std::string>{body(1), body(2)}));
  ASSERT_EQ(report.damage_count(), 1U);
  EXPECT_EQ(report.damages()[0].offset, record(1).size());
  EXPECT_EQ(report.resynchronised_count(), 1U);
}

TEST(WarcRecords, AWarcInsideARecordStaysInside) {
  const std::string inner = record(7) + record(8);
  const std::string outer = warc_record("resource", "http://a/x.warc", inner);
  Report report;
  const auto found = contents(outer + record(2), report);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], inner);
  EXPECT_EQ(report.damage_count(), 0U);
}

TEST(WarcRecords, ACutFileKeepsWhatIsThere) {
  const std::string bytes = record(1) + record(2).substr(0, record(2).size() - 10);
  Report report;
  const auto found = contents(bytes, report);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1], body(2).substr(0, body(2).size() - 6));
  EXPECT_EQ(report.damage_count(), 1U);
}

TEST(WarcRecords, FoldedFieldsAndBareLineFeedsAreUnderstood) {
  const std::string bytes =
      "WARC/1.0\nWARC-Type: resource\nX-Long: first\n  second\nContent-Length: 2\n\nok\n\n";
  Report report;
  InputStream in(InMemory{bytes}, report);
  WarcRecords records(in, report);
  ASSERT_TRUE(records.next());
  EXPECT_EQ(records.content(), "ok");
  EXPECT_EQ(records.field("X-Long"), "first\n  second");
  EXPECT_EQ(report.damage_count(), 0U);
}

TEST(WarcRecords, ABlockBeyondTheLimitIsShownInPart) {
  const std::string large(WarcRecords::kContentMax + 1000, 'x');
  const std::string bytes = warc_record("resource", "http://a/", large) + record(2);
  Report report;
  InputStream in(InMemory{bytes}, report);
  WarcRecords records(in, report);
  ASSERT_TRUE(records.next());
  EXPECT_EQ(records.content().size(), WarcRecords::kContentMax);
  EXPECT_FALSE(records.content_is_whole());
  ASSERT_TRUE(records.next());
  EXPECT_EQ(records.content(), body(2));
  EXPECT_EQ(report.damage_count(), 0U);
}

}  // namespace
}  // namespace webstrata
