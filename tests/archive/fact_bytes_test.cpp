// SPDX-License-Identifier: Apache-2.0

// Records in batches and runs: every field comes back, known or not.

#include "webstrata/archive/gather/fact_bytes.h"

#include <gtest/gtest.h>

#include "webstrata/archive/gather/sighting_record.h"

namespace webstrata {
namespace {

SightingRecord full_record() {
  SightingRecord record;
  record.time = -5;
  record.kind = 1;
  record.outcome = 2;
  record.revisit_profile = 2;
  record.has_links = record.truncated = true;
  record.status = std::int16_t{-404};
  record.text_length = 1;
  record.title_hash = ~std::uint64_t{0};
  record.offset = 3;
  record.length = 4;
  record.refers_to_time = -6;
  record.redirect = 7;
  record.refers_to = 8;
  record.digest = "digest";
  record.text_digest = "text digest";
  record.mime = "mime";
  record.spelling = "spelling";
  record.file = "file";
  record.crawl = "crawl";
  return record;
}

TEST(FactBytes, RecordsComeBackAsTheyWere) {
  SightingRecord only_status;
  only_status.status = std::int16_t{200};
  SightingRecord only_place;
  only_place.offset = 0;
  for (const SightingRecord& record : {full_record(), SightingRecord(), only_status, only_place}) {
    std::string bytes;
    append_record(bytes, record);
    ByteReader reader(bytes, "record");
    SightingRecord again = full_record();  // what it held before is forgotten
    read_record(reader, again);
    EXPECT_EQ(again, record);
    EXPECT_TRUE(reader.at_end());
  }
}

TEST(FactBytes, SightingsBecomeRecordsAndComeBack) {
  Sighting sighting;
  SightingRecord before = full_record();
  move_fields(before, sighting);
  EXPECT_EQ(sighting.kind, SightingKind::Revisit);
  EXPECT_EQ(sighting.revisit_profile, RevisitProfile::NotModified);
  EXPECT_EQ(sighting.text_digest, "text digest");
  SightingRecord after;
  copy_fields(sighting, after);
  after.has_links = true;
  after.redirect = 7;
  after.refers_to = 8;
  EXPECT_EQ(after, full_record());
}

}  // namespace
}  // namespace webstrata
