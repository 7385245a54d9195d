// SPDX-License-Identifier: Apache-2.0

// The CSV expected here is what Python's csv module writes with lineterminator "\n".

#include "webstrata/show/text_table.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

const TextTable kTable = {
    {"url", "score", "why"},
    {{"http://a.example/?x=1,2", "0.5", "it says \"yes\""}, {"b", "", "c\td"}}};

TEST(TextTable, TabsAreBetweenCells) {
  EXPECT_EQ(written(kTable, {}), "http://a.example/?x=1,2\t0.5\tit says \"yes\"\nb\t-\tc d\n");
}

TEST(TextTable, AHeaderNamesTheColumns) {
  EXPECT_TRUE(written(kTable, {TableForm::Tabs, true}).starts_with("url\tscore\twhy\nhttp://"));
  EXPECT_EQ(written({{"a", "b"}, {}}, {TableForm::Csv, true}), "a,b\n");
}

TEST(TextTable, CsvQuotesWhatItMust) {
  EXPECT_EQ(written(kTable, {TableForm::Csv, true}),
            "url,score,why\n\"http://a.example/?x=1,2\",0.5,\"it says \"\"yes\"\"\"\nb,,c\td\n");
}

TEST(TextTable, CellsMayBeMissingAtTheEnd) {
  const TextTable table = {{"change", "page", "target"}, {{"+", "a"}}};
  EXPECT_EQ(written(table, {}), "+\ta\n");
  EXPECT_EQ(written(table, {TableForm::Csv, false}), "+,a,\n");
}

TEST(TextTable, LinesWithTabsBecomeCsv) {
  EXPECT_EQ(csv_of_tabs("a\tb,c\nd\t\n"), "a,\"b,c\"\nd,\n");
  EXPECT_EQ(csv_of_tabs(""), "");
}

}  // namespace
}  // namespace webstrata
