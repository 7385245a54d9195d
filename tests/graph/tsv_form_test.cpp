// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/tsv_form.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

// The line of the problem and its reason; "" if there is none.
std::string problem(std::string_view text) {
  const auto found = problem_of_tsv(text);
  return found ? std::to_string(found->line) + " " + found->reason : "";
}

TEST(TsvForm, FieldsEndAtTabsOrElseAtSpaces) {
  const TsvFields tabs = split_tsv("a b\tc d\t\tmore");
  EXPECT_EQ(tabs.source, "a b");
  EXPECT_EQ(tabs.target, "c d");
  EXPECT_EQ(tabs.count, 3U);
  EXPECT_TRUE(tabs.has_tab);
  const TsvFields spaces = split_tsv("  a   b ");
  EXPECT_EQ(spaces.source, "a");
  EXPECT_EQ(spaces.target, "b");
  EXPECT_EQ(spaces.count, 2U);
  EXPECT_EQ(split_tsv("alone\t").count, 1U);
  EXPECT_EQ(split_tsv("\tindented").source, "");
  EXPECT_EQ(split_tsv("").count, 0U);
}

TEST(TsvForm, TablesOfLinksAreOnes) {
  for (const char* text : {
           "",
           "# nothing but a comment\n\n",
           "0\t1\n1\t2\n",
           "0 1\n0 2 7 1360000000\n5\n",  // weights and times are ignored
           "7\t4000000000\n",
           "http://a.example/\thttp://b.example/\nhttp://alone.example/\n",
           "http://a.example/ http://b.example/ 3\n",
           "# a header\nexample.org\texample.com\r\nexample.net\texample.org\r\n",
           "a b\n",
           "a b\nc\nd a\n",
           "Foo (band)\tBar: the film\n\"Heroes\"\tFoo (band)\n",
           "1984\tGeorge Orwell\n2001\tArthur C. Clarke\n",  // numbers that are names
           "caf\xe9\tth\xe9\n",                              // Latin-1
           "a\tb\n1\t2\nc\td\n",
       }) {
    EXPECT_EQ(problem(text), "") << text;
  }
}

TEST(TsvForm, OtherTextIsNone) {
  const std::pair<const char*, const char*> cases[] = {
      {"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\n",
       "2 'WARC-Type:' is not a name"},
      {"<a href=x>the page</a>\n", "1 '<a' is not a name"},
      {"<?xml version=\"1.0\"?>\n<gexf>\n", "1 '<?xml' is not a name"},
      {"{\"url\": \"http://a.example/\"}\n", "1 '{\"url\":' is not a name"},
      {"{\"source\":\"a\",\"target\":\"b\"}\n",
       "1 '{\"source\":\"a\",\"target\":\"b\"}' is not a name"},
      {"A memory for web crawls, in C++20.\n", "1 it has 7 words and no tab between them"},
      {"two words\nand three words\n", "2 it has 3 columns, others 2"},
      {"a,b\nb,c\n", "0 no line has a target"},
      {"a\nb\nc\n", "0 no line has a target"},
      {"a\tb\n\tindented\n", "2 it begins with a tab"},
      {"a\tb\nc d\te\tf\n", "2 it has 3 columns, others 2"},
      {"a b\nc\td\n", "2 other lines have other separators"},
      {"0\t1\n1\tx\n", "2 'x' is not a number, as those before it"},
      {"0\t1\nx\n", "2 'x' is not a number, as those before it"},
      {"http://a.example/\thttp://b.example/\nhttp://c.example/\tx\n",
       "2 'x' is not a URL, as those before it"},
      // What `extract --as tsv` prints, and what `build` reads.
      {"20210814000000\thttp://a.example/\thttp://b.example/\ttext\n",
       "1 a URL is next to something that is not a URL"},
      {"http://a.example/\t20210814000000\thttp://b.example/\n",
       "1 a URL is next to something that is not a URL"},
      // What `rank`, `captures` and `probe` print.
      {"0.25\thttp://a.example/\n", "1 a URL is next to something that is not a URL"},
      {"http://a.example/\talive\n", "1 a URL is next to something that is not a URL"},
      {"20210814000000\t200\ttext/html\thttp://a.example/\n",
       "1 its URL is not in the first columns"},
      {"2021-08-14T10:00:00Z 200 text/html sha1:ABC\n", "1 it begins with a time"},
      {"org,example)/ 20150601120000 http://example.org/ text/html 200 ABC - - 5 0 a.warc.gz\n",
       "1 it has 11 words and no tab between them"},
      {"org,example)/ 20150601120000 {\"url\": \"http://example.org/\"}\n",
       "1 '{\"url\": \"http://example.org/\"}' is not a column"},
      {"source\ttarget\n0\t1\n1\t2\n",
       "0 its first line is not like the others; if it is a header, begin it with '#'"},
      {"0\torg.example\n1\torg.example-x\n2\torg.example.www\n",
       "0 it is a list of numbered names, as Common Crawl's vertices, without edges"},
      {"graph [\n", "1 '[' is not a name"},
      {"%%MatrixMarket matrix\n", "1 '%%MatrixMarket' is not a name"},
      {"a\x01\tb\n", "1 it holds control characters"},
  };
  for (const auto& [text, reason] : cases) EXPECT_EQ(problem(text), reason) << text;
  EXPECT_EQ(problem(std::string_view("PK\3\4\0\0", 6)), "1 it holds control characters");
}

}  // namespace
}  // namespace webstrata
