// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/text_table.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::size_t kMany = 1000;

TEST(TextTable, GoesRoundAndSharesBothEnds) {
  const std::vector<std::string_view> texts = {
      "", "crawl-0001.warc.gz",         "crawl-0002.warc.gz", "aaa", "aaaa", "aa",
      "", std::string_view("\0\xff", 2)};
  std::string bytes;
  append_text_table(bytes, texts);
  ByteReader reader(bytes, "test");
  const auto again = read_text_table(reader, kMany, kMany);
  EXPECT_TRUE(reader.at_end());
  ASSERT_EQ(again.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(again[i], texts[i]);
  EXPECT_EQ(bytes.size(), 1 + texts.size() * 3 + 18 + 1 + 3 + 1 + 2);  // counted by hand
}

TEST(TextTable, NeverCountsAByteTwice) {
  const SharedEnds shared = shared_ends("aaa", "aaaa");
  EXPECT_EQ(shared.front + shared.back, 3U);
  EXPECT_EQ(shared_ends("abc", "abc").front, 3U);
  EXPECT_EQ(shared_ends("abc", "abc").back, 0U);
}

TEST(TextTable, RefusesWhatDoesNotFit) {
  std::string bytes;
  append_text_table(bytes, {"abc", "abcd"});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader cut(std::string_view(bytes).substr(0, size), "test");
    EXPECT_THROW(read_text_table(cut, kMany, kMany), Error);
  }
  ByteReader too_many(bytes, "test");
  EXPECT_THROW(read_text_table(too_many, 1, kMany), Error);
  ByteReader too_long(bytes, "test");
  EXPECT_THROW(read_text_table(too_long, kMany, 6), Error);
  ByteReader fits(bytes, "test");
  EXPECT_EQ(read_text_table(fits, 2, 7).size(), 2U);
  const std::string shares_too_much("\x02\x00\x00\x01x\x01\x01\x00", 8);
  ByteReader wrong(shares_too_much, "test");
  EXPECT_THROW(read_text_table(wrong, kMany, kMany), Error);
}

}  // namespace
}  // namespace webstrata
