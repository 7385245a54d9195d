// SPDX-License-Identifier: Apache-2.0
#include "webstrata/report/csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace webstrata::report {
namespace {

TEST(Csv, HasALineForEachPointOfAPlot) {
  const Plot plot{.title = "Growth",
                  .series = {{.name = "new, all", .x = {1, 2.5}, .y = {0.1, std::nan("")}},
                             {.name = "old", .x = {3}, .y = {4}, .low = {3}, .high = {5}}}};
  EXPECT_EQ(to_csv(plot),
            "series,x,y,low,high\r\n"
            "\"new, all\",1,0.1,,\r\n"
            "\"new, all\",2.5,,,\r\n"
            "old,3,4,3,5\r\n");
}

TEST(Csv, NamesCategoriesAndKeepsTextsFromBeingFormulas) {
  const Plot plot{
      .series = {{.name = "n", .x = {0, 1}, .y = {7, 8}, .labels = {"=1+1", "say \"a\""}}},
      .categories = {"2021", "2023"}};
  EXPECT_EQ(to_csv(plot), "series,x,y,label\r\nn,2021,7,'=1+1\r\nn,2023,8,\"say \"\"a\"\"\"\r\n");
}

// What spreadsheets take for a formula, by OWASP's list: = + - @ tab and carriage return.
TEST(Csv, NoTextRunsInASpreadsheet) {
  for (const std::string first : {"=", "+", "-", "@", "\t", "\r"}) {
    const Table table{.columns = {{.name = "n"}}, .rows = {{first + "x"}}};
    const std::string cell = first == "\r" ? "\"'\rx\"" : "'" + first + "x";
    EXPECT_EQ(to_csv(table), "n\r\n" + cell + "\r\n");
  }
}

TEST(Csv, HasTheCellsOfATable) {
  const Table table{.columns = {{.name = "url"}, {.name = "count"}, {.name = "share"}},
                    .rows = {{std::string("http://a.example/"), std::uint64_t{12}, 0.25},
                             {std::monostate(), std::uint64_t{1}, 1e-9}}};
  EXPECT_EQ(to_csv(table), "url,count,share\r\nhttp://a.example/,12,0.25\r\n,1,1e-09\r\n");
}

TEST(Csv, MakesAFileForEachPartWithNumbers) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "webstrata_csv" / "deep";
  std::filesystem::remove_all(folder.parent_path());
  const HtmlReport report{.sections = {Text{"Words", "only"}, Plot{.title = "Cost against α, now"},
                                       Table{.title = "Costs", .columns = {{.name = "a"}}}}};
  const auto files = write_csv(report, folder);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].filename(), "cost-against-now.csv");
  EXPECT_EQ(files[1].filename(), "costs.csv");
  std::ifstream file(files[1]);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), "a\r\n");
  std::filesystem::remove_all(folder.parent_path());
}

}  // namespace
}  // namespace webstrata::report
