// SPDX-License-Identifier: Apache-2.0

// Elements of lists as rows: every kind of column, and what is missing.

#include "webstrata/serve/ask/rows.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata::serve {
namespace {

std::vector<ListColumn> all_kinds() {
  using enum ColumnKind;
  return {{"url"},           {"uid", Whole},   {"score", Number},
          {"cut", Truth},    {"time", Moment}, {"years", Years},
          {"texts", Records, {{"text"}, {"captures", Whole}}}};
}

TEST(ListRows, HaveEveryKindOfColumn) {
  ListRows rows(all_kinds());
  rows.add(
      R"({"url":"http://a.example/","uid":7,"score":0.5,"cut":true,"time":"1970-01-01T00:01:00Z",)"
      R"("years":{"2021":3,"2023":1},"texts":[{"text":"a","captures":2},{"text":"b"}]})");
  rows.add("{}");
  ASSERT_EQ(rows.size(), 2u);
  const arrow::Table table = rows.finish();
  EXPECT_EQ(table.find("url")->text(0), "http://a.example/");
  EXPECT_EQ(table.find("uid")->values<std::int64_t>()[0], 7);
  EXPECT_EQ(table.find("score")->values<double>()[0], 0.5);
  EXPECT_EQ(table.find("time")->values<std::int64_t>()[0], 60);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(table.find("cut")->buffers[1].get()) & 3, 1);
  const arrow::Column& years = table.find("years")->children[0];
  ASSERT_EQ(years.length, 2);
  EXPECT_EQ(years.children[0].values<std::int64_t>()[1], 2023);
  EXPECT_EQ(years.children[1].values<std::int64_t>()[0], 3);
  const arrow::Column& texts = table.find("texts")->children[0];
  ASSERT_EQ(texts.length, 2);
  EXPECT_EQ(texts.children[0].text(1), "b");
  EXPECT_TRUE(texts.children[1].is_null(1));
  for (const char* name : {"url", "uid", "score", "time", "years", "texts"}) {
    EXPECT_FALSE(table.find(name)->is_null(0)) << name;
    EXPECT_TRUE(table.find(name)->is_null(1)) << name;
  }
}

TEST(ListRows, AreEmptyAfterATable) {
  ListRows rows(all_kinds());
  EXPECT_EQ(rows.finish().row_count(), 0);
  rows.add(R"({"url":"x","years":{"2020":1}})");
  EXPECT_EQ(rows.finish().row_count(), 1);
  EXPECT_EQ(rows.size(), 0u);
  rows.add(R"({"url":"y"})");
  const arrow::Table table = rows.finish();
  EXPECT_EQ(table.find("url")->text(0), "y");
  EXPECT_EQ(table.find("years")->children[0].length, 0);
}

TEST(ListRows, RefuseWhatIsNoObject) {
  ListRows rows(all_kinds());
  EXPECT_THROW(rows.add("[1]"), Error);
  EXPECT_THROW(rows.add("{"), Error);
}

}  // namespace
}  // namespace webstrata::serve
