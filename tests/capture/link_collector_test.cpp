// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/record/link_collector.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

class LinkCollectorTest : public testing::Test {
 protected:
  LinkCollectorTest() {
    parse_url("http://a.example/dir/page.html", page_);
    collector_.begin(page_, links_);
  }

  ReadOptions options_;
  Report report_;
  LinkCollector collector_{options_, report_};
  Url page_;
  LinkSet links_;
};

TEST_F(LinkCollectorTest, ResolvesAndJoins) {
  collector_.add("x.html#one", LinkKind::Navigation);
  collector_.add(" x.html#two\n", LinkKind::Navigation);
  collector_.add("/dir/x.html", LinkKind::Navigation | LinkKind::Nofollow);
  ASSERT_EQ(links_.size(), 1U);
  EXPECT_EQ(links_[0].target, "http://a.example/dir/x.html");
  EXPECT_EQ(links_[0].count, 3);
  EXPECT_TRUE(links_[0].kinds.has(LinkKind::Nofollow));
}

// The shape spares others from parsing the target again.
TEST_F(LinkCollectorTest, HandsOnTheShapeOfTheTarget) {
  collector_.add("//b.example:81/x?y", LinkKind::Navigation);
  collector_.add("//b.example:81/x?y", LinkKind::Navigation, "its text comes later");
  Url parsed;
  ASSERT_TRUE(parse_url("http://b.example:81/x?y", parsed));
  ASSERT_EQ(links_.size(), 1U);
  EXPECT_EQ(links_[0].shape, parsed.shape());
  EXPECT_EQ(links_[0].text, "its text comes later");
}

TEST_F(LinkCollectorTest, TheFirstBaseCounts) {
  collector_.set_base("/other/");
  collector_.set_base("/third/");
  collector_.add("x", LinkKind::Navigation);
  EXPECT_EQ(links_[0].target, "http://a.example/other/x");
}

TEST_F(LinkCollectorTest, LeavesOutAndCounts) {
  collector_.add("mailto:a@b.example", LinkKind::Navigation);
  collector_.add("javascript:void(0)", LinkKind::Navigation);
  collector_.add("http://[", LinkKind::Navigation);
  collector_.add("http://user:secret@b.example/", LinkKind::Navigation);
  collector_.add("style.css", LinkKind::Embed);  // not asked for
  collector_.end();
  ASSERT_EQ(links_.size(), 1U);
  EXPECT_EQ(links_[0].target, "http://b.example/");
  EXPECT_EQ(report_.counts().at("links of other schemes left out"), 2U);
  EXPECT_EQ(report_.counts().at("links that are no URLs left out"), 1U);
  EXPECT_EQ(report_.counts().at("links stripped of userinfo"), 1U);
}

TEST_F(LinkCollectorTest, APageForgetsTheReferencesOfTheLast) {
  collector_.add("x", LinkKind::Navigation);
  Url other;
  LinkSet links;
  parse_url("http://b.example/", other);
  collector_.begin(other, links);
  collector_.add("x", LinkKind::Navigation);
  EXPECT_EQ(links[0].target, "http://b.example/x");
}

TEST_F(LinkCollectorTest, TheFirstTextStays) {
  collector_.add("x", LinkKind::Navigation, "", "");
  collector_.add("x", LinkKind::Navigation, "words", "around");
  collector_.add("x", LinkKind::Navigation, "later", "");
  EXPECT_EQ(links_[0].text, "words");
  EXPECT_EQ(links_[0].context, "around");
  EXPECT_EQ(links_[0].count, 3);
}

}  // namespace
}  // namespace webstrata
