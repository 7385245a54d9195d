// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/topic_scorer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/report.h"
#include "webstrata/capture/html/html_links.h"

namespace webstrata {
namespace {

Topic topic(std::string text, std::string name = "t") { return parse_topic(text, name + ".topic"); }

// A page as an HTML reader gives it to the scorer.
Capture read(const TopicScorer& scorer, std::string_view html) {
  const ReadOptions options = scorer.wanting({});
  Report report;
  HtmlLinkExtractor extractor(options, report);
  Capture capture;
  Url page;
  EXPECT_TRUE(parse_url("http://a.example/", page));
  capture.sighting.url = page.href();
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  extractor.extract(html, "utf-8", page, capture);
  return capture;
}

TopicScores scored(const TopicScorer& scorer, std::string_view html) {
  TopicScoring scoring(scorer);
  EXPECT_TRUE(scoring.score(read(scorer, html)));
  return scoring.scores().front();
}

TEST(TopicScorer, CountsInTheVisibleText) {
  const TopicScorer scorer({topic("bridge")}, LinkWindow::Context);
  EXPECT_EQ(scored(scorer, "<title>Bridge</title><p>nothing<script>bridge</script>").page, 0);
  EXPECT_EQ(scored(scorer, "<p>One <b>brid</b>ge.").page, 1);
  EXPECT_DOUBLE_EQ(scored(scorer, "<p>bridge, Bridge<p>BRIDGE").page, 1 + std::log(3.0));
}

TEST(TopicScorer, WeightsAndSeveralWordsAddUp) {
  const TopicScorer scorer({topic("bridge\t2\npont\t0.25")}, LinkWindow::Context);
  EXPECT_DOUBLE_EQ(scored(scorer, "bridge bridge pont").page, 1 + std::log(4.25));
  EXPECT_DOUBLE_EQ(scored(scorer, "pont").page, 0.25);
}

// 50 characters on either side of the anchor, and its own text.
TEST(TopicScorer, LooksRoundALink) {
  const TopicScorer scorer({topic("bridge")}, LinkWindow::Context);
  const std::string far(60, 'x');
  const std::string near(30, 'x');
  const auto alone = [&](const std::string& html) {
    const TopicScores scores = scored(scorer, html);
    return scores.links.empty() ? 0 : scores.links.front().score;
  };
  EXPECT_EQ(alone("bridge " + far + " <a href=b>b</a>"), 0);
  EXPECT_EQ(alone("bridge " + near + " <a href=b>b</a>"), 1);
  EXPECT_EQ(alone("<a href=b>b</a> " + near + " bridge"), 1);
  EXPECT_EQ(alone("<a href=b>b</a> " + far + " bridge"), 0);
  EXPECT_DOUBLE_EQ(alone("a bridge <a href=b>the bridge</a> bridge"), 1 + std::log(3.0));
}

TEST(TopicScorer, AWordThatTheWindowCutsDoesNotCount) {
  const TopicScorer scorer({topic("ridge\nridges\nbrid")}, LinkWindow::Context);
  // 49 characters and a space are in between: the window begins after the b of "bridge".
  const std::string before = "bridge " + std::string(43, 'x') + " <a href=b>b</a>";
  EXPECT_TRUE(scored(scorer, before).links.empty());
  const std::string behind = "<a href=b>b</a> " + std::string(45, 'x') + " bridge";
  EXPECT_TRUE(scored(scorer, behind).links.empty());
}

TEST(TopicScorer, PhrasesGoOnFromTheTextIntoTheLink) {
  const TopicScorer scorer({topic("suspension bridge")}, LinkWindow::Context);
  EXPECT_EQ(scored(scorer, "the suspension <a href=b>bridge</a>").links.size(), 1U);
  const TopicScorer anchor({topic("suspension bridge")}, LinkWindow::Anchor);
  EXPECT_TRUE(scored(anchor, "the suspension <a href=b>bridge</a>").links.empty());
}

TEST(TopicScorer, AnchorTextIsTheAltOfAnImageToo) {
  const TopicScorer scorer({topic("bridge")}, LinkWindow::Anchor);
  const TopicScores scores = scored(scorer, "bridge <a href=b><img alt='a bridge'></a>");
  ASSERT_EQ(scores.links.size(), 1U);
  EXPECT_EQ(scores.links[0].score, 1);
}

TEST(TopicScorer, WindowsOfOneLinkCountTogether) {
  const TopicScorer scorer({topic("bridge")}, LinkWindow::Anchor);
  const TopicScores scores =
      scored(scorer, "<a href=b>bridge</a> <a href=c>other</a> <a href=b#x>bridge bridge</a>");
  ASSERT_EQ(scores.links.size(), 1U);
  EXPECT_EQ(scores.links[0].link, 0U);
  EXPECT_DOUBLE_EQ(scores.links[0].score, 1 + std::log(3.0));
}

TEST(TopicScorer, TopicsDoNotDisturbEachOther) {
  const TopicScorer scorer({topic("bridge", "a"), topic("bridge\nriver", "b")}, LinkWindow::Anchor);
  TopicScoring scoring(scorer);
  ASSERT_TRUE(scoring.score(read(scorer, "bridge river river <a href=x>river</a>")));
  EXPECT_EQ(scoring.scores()[0].page, 1);
  EXPECT_DOUBLE_EQ(scoring.scores()[1].page, 1 + std::log(4.0));
  EXPECT_TRUE(scoring.scores()[0].links.empty());
  EXPECT_EQ(scoring.scores()[1].links.size(), 1U);
  EXPECT_THROW(TopicScorer({topic("x"), topic("y")}, LinkWindow::Anchor), Error);
}

TEST(TopicScorer, APageWithoutTextHasNoScore) {
  const TopicScorer scorer({topic("bridge")}, LinkWindow::Context);
  TopicScoring scoring(scorer);
  Capture capture = read(scorer, "bridge");
  capture.text_known = false;
  EXPECT_FALSE(scoring.score(capture));
  capture.text_known = true;
  capture.sighting.outcome = Outcome::Gone;
  EXPECT_FALSE(scoring.score(capture));
}

// By hand: 3 captures, "bridge" in 2, "arch" in 1, "river" in none.
// idf = 1 + ln(4/3), 1 + ln(4/2), 1 + ln(4/1).
TEST(TopicScorer, WeighsByTfIdf) {
  TopicScorer scorer({topic("@weigh tf-idf\nbridge\narch\t2\nriver")}, LinkWindow::Anchor);
  TopicScoring scoring(scorer);
  std::vector<DocumentFrequencies> frequencies(1);
  for (const char* html : {"bridge bridge arch", "bridge", "other"}) {
    scoring.count(read(scorer, html), frequencies);
  }
  EXPECT_EQ(frequencies[0].documents, 3U);
  EXPECT_EQ(frequencies[0].with_keyword, (std::vector<std::uint64_t>{2, 1, 0}));
  scorer.set_frequencies(frequencies);
  const double expected =
      (1 + std::log(2.0)) * (1 + std::log(4.0 / 3)) + 2 * (1 + std::log(4.0 / 2));
  EXPECT_NEAR(scored(scorer, "bridge bridge arch").page, expected, 1e-12);
  EXPECT_NEAR(scored(scorer, "<a href=x>river</a>").links[0].score, 1 + std::log(4.0), 1e-12);
}

}  // namespace
}  // namespace webstrata
