#include "webstrata/codec/sightings.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Sightings, GoRound) {
  SightingLists lists;
  SightingRecord record;
  record.time = -5;
  lists.records.push_back(record);
  record.status = -9998;
  record.offset = ~std::uint64_t{0};
  record.digest = "sha1:AAAA";
  record.file = "x.warc.gz";
  record.has_links = true;
  lists.records.push_back(record);
  lists.ends = {0, 2, 2};
  TimeLists times;
  times.ends = {0, 1, 1};
  times.times = {-5};
  const std::string bytes = encode_sightings(lists, times);
  const SightingsChunk chunk = SightingsChunk::open(bytes, 0);
  ASSERT_EQ(chunk.node_count(), 3U);
  EXPECT_EQ(chunk.sighting_count(), 2U);
  std::vector<SightingRecord> out;
  chunk.sightings(1, times.list(1), out);
  EXPECT_EQ(out, lists.records);
  chunk.sightings(2, times.list(2), out);
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace webstrata
