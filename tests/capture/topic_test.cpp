// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/topic.h"

#include <cmath>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::string refusal(std::string_view text, std::string_view name = "bridges.topic") {
  try {
    parse_topic(text, name);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

TEST(Topic, ReadsKeywordsWeightsAndOptions) {
  const Topic topic = parse_topic(
      "# of bridges\n@name Bridges-1\n@weigh tf-idf\n\nbridge\r\n suspension  bridge \npont\t0.5\n",
      "x.txt");
  EXPECT_EQ(topic.name, "Bridges-1");
  EXPECT_EQ(topic.weighing, Weighing::TfIdf);
  EXPECT_EQ(topic.keywords,
            (std::vector<Keyword>{{"bridge", 1}, {"suspension  bridge", 1}, {"pont", 0.5}}));
  EXPECT_EQ(parse_topic(to_text(topic), "y.txt"), topic);
}

TEST(Topic, IsCalledAsItsFileIs) {
  EXPECT_EQ(parse_topic("a", "dir/bridges.topic").name, "bridges");
  EXPECT_EQ(parse_topic("a", "bridges.topic").weighing, Weighing::Counts);
}

TEST(Topic, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal(""), "bridges.topic: has no keyword; write one on each line");
  EXPECT_EQ(refusal("a\n@nme b"),
            "bridges.topic, line 2: '@nme' is not an option; use @name or @weigh");
  EXPECT_NE(refusal("a\tx").find("line 1: 'x' is not a weight"), std::string::npos);
  EXPECT_NE(refusal("a\t-1").find("not a weight"), std::string::npos);
  EXPECT_NE(refusal("a\tnan").find("not a weight"), std::string::npos);
  EXPECT_NE(refusal("Été\nb\nete").find("line 3: 'ete' is there already, in line 1"),
            std::string::npos);
  EXPECT_NE(refusal("@weigh bm25\na").find("counts or tf-idf"), std::string::npos);
  EXPECT_NE(refusal("@name a b\na").find("line 1"), std::string::npos);
  EXPECT_NE(refusal("a", "my topic.txt").find("@name"), std::string::npos);
  EXPECT_NE(refusal("\xff\xfe"
                    "a")
                .find("UTF-8"),
            std::string::npos);
}

// 1 + ln x of the paper; between 0 and 1 a straight line that meets it.
TEST(Topic, DampsCounts) {
  EXPECT_EQ(damped(0), 0);
  EXPECT_EQ(damped(1), 1);
  EXPECT_DOUBLE_EQ(damped(2), 1 + std::log(2.0));
  EXPECT_EQ(damped(0.5), 0.5);
}

}  // namespace
}  // namespace webstrata
