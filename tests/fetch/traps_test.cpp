// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/traps.h"

#include <gtest/gtest.h>

#include <string>

namespace webstrata {
namespace {

constexpr Time kTrapsNow = 1'628'899'200;  // 2021-08-14

std::string refusal(Traps& traps, const std::string& text) {
  Url url;
  EXPECT_TRUE(parse_url(text, url));
  return traps.refusal(url, kTrapsNow);
}

TEST(Traps, OrdinaryPagesAreLetIn) {
  Traps traps({});
  for (const char* url : {"http://a.example/", "http://a.example/doc/html/doc/index.html",
                          "http://a.example/2021/08/14/news", "http://a.example/?a=1&b=2",
                          "http://a.example/v1.2.3/2019"}) {
    EXPECT_EQ(refusal(traps, url), "") << url;
  }
}

TEST(Traps, FoldersInsideThemselvesEnd) {
  Traps traps({});
  EXPECT_EQ(refusal(traps, "http://a.example/x/x/x/"), "");
  EXPECT_NE(refusal(traps, "http://a.example/x/x/x/x/"), "");
  EXPECT_NE(refusal(traps, "http://a.example/a/b/a/b/a/b/a/b/"), "");
  EXPECT_EQ(most_repeated("/a/b/c/a/b/c"), 2U);
  EXPECT_EQ(most_repeated("/"), 0U);
}

TEST(Traps, CalendarsEnd) {
  Traps traps({.dated_urls_max = 5});
  EXPECT_NE(refusal(traps, "http://a.example/cal/2031/05/"), "");
  EXPECT_NE(refusal(traps, "http://a.example/cal?year=2031&month=5"), "");
  EXPECT_NE(refusal(traps, "http://a.example/cal?date=2031-05-01"), "");
  EXPECT_EQ(refusal(traps, "http://a.example/item/2031"), "");  // a number is not a date
  int let_in = 0;
  for (int month = 1; month <= 12; ++month) {
    if (refusal(traps, "http://a.example/cal/2020/" + std::to_string(month)).empty()) ++let_in;
  }
  EXPECT_EQ(let_in, 5);
}

TEST(Traps, PatternsAndHostsAreCounted) {
  Traps traps({.host_urls_max = 8, .pattern_urls_max = 3});
  int let_in = 0;
  for (int i = 0; i < 10; ++i) {
    if (refusal(traps, "http://a.example/list?page=" + std::to_string(i)).empty()) ++let_in;
  }
  EXPECT_EQ(let_in, 3);
  for (int i = 0; i < 10; ++i) {
    if (refusal(traps, "http://a.example/" + std::string(1, static_cast<char>('a' + i))).empty()) {
      ++let_in;
    }
  }
  EXPECT_EQ(let_in, 8);
  EXPECT_EQ(refusal(traps, "http://b.example/"), "");
}

TEST(Traps, ThePatternLeavesNumbersAndValuesOut) {
  Url url;
  parse_url("http://a.example/list12/3-4.html?page=7&sort=up&x", url);
  EXPECT_EQ(url_pattern(url), "a.example/list#/#-#.html?page=&sort=&x=");
}

TEST(Traps, MonstersAreRefused) {
  Traps traps({});
  EXPECT_NE(refusal(traps, "http://a.example/" + std::string(3000, 'x')), "");
  std::string deep = "http://a.example";
  for (int i = 0; i < 40; ++i) deep += "/" + std::to_string(i);
  EXPECT_NE(refusal(traps, deep), "");
  std::string many = "http://a.example/?";
  for (int i = 0; i < 40; ++i) many += "p" + std::to_string(i) + "=1&";
  EXPECT_NE(refusal(traps, many), "");
}

TEST(Traps, ManyCopiesOfOnePageAreEnough) {
  Traps traps({.copies_max = 2});
  EXPECT_TRUE(traps.count_content("a.example", 77));
  EXPECT_TRUE(traps.count_content("a.example", 77));
  EXPECT_FALSE(traps.count_content("a.example", 77));
  EXPECT_TRUE(traps.count_content("b.example", 77));
  EXPECT_TRUE(traps.count_content("a.example", 78));
}

}  // namespace
}  // namespace webstrata
