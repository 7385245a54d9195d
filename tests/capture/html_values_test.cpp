// SPDX-License-Identifier: Apache-2.0

// srcset cases follow the HTML standard's parsing algorithm, refresh cases its list of steps.

#include "webstrata/capture/html/html_values.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

using Urls = std::vector<std::string_view>;

Urls srcset(std::string_view value) {
  Urls urls;
  parse_srcset(value, urls);
  return urls;
}

TEST(HtmlValues, WordsAreFoundWholeAndInAnyCase) {
  EXPECT_TRUE(has_word("noopener NoFollow", "nofollow"));
  EXPECT_TRUE(has_word("\tnofollow\n", "nofollow"));
  EXPECT_FALSE(has_word("nofollows", "nofollow"));
  EXPECT_FALSE(has_word("", "nofollow"));
}

TEST(HtmlValues, RelationsThatBrowsersLoadAreEmbedded) {
  EXPECT_EQ(kinds_of_relation("stylesheet"), LinkKinds(LinkKind::Embed));
  EXPECT_EQ(kinds_of_relation("alternate StyleSheet"), LinkKinds(LinkKind::Embed));
  EXPECT_EQ(kinds_of_relation("shortcut icon"), LinkKinds(LinkKind::Embed));
  EXPECT_EQ(kinds_of_relation("modulepreload"), LinkKinds(LinkKind::Embed));
  EXPECT_EQ(kinds_of_relation("canonical"), LinkKinds(LinkKind::Relation));
  EXPECT_EQ(kinds_of_relation("alternate"), LinkKinds(LinkKind::Relation));
  EXPECT_EQ(kinds_of_relation(""), LinkKinds(LinkKind::Relation));
}

TEST(HtmlValues, SponsoredLinksAreNotToBeFollowed) {
  EXPECT_EQ(kinds_of_anchor("ugc"), LinkKinds(LinkKind::Nofollow));
  EXPECT_EQ(kinds_of_anchor("noopener sponsored"), LinkKinds(LinkKind::Nofollow));
  EXPECT_TRUE(kinds_of_anchor("noopener").empty());
}

TEST(HtmlValues, SrcsetIsCutAtCommasBehindUrls) {
  EXPECT_EQ(srcset("a.png"), Urls({"a.png"}));
  EXPECT_EQ(srcset("a.png 1x, b.png 2x"), Urls({"a.png", "b.png"}));
  EXPECT_EQ(srcset("a.png, b.png 2x"), Urls({"a.png", "b.png"}));
  EXPECT_EQ(srcset(" ,, a.png 100w 50h,\n\tb.png 200w , "), Urls({"a.png", "b.png"}));
  EXPECT_EQ(srcset(""), Urls());
}

TEST(HtmlValues, CommasInsideUrlsStay) {
  EXPECT_EQ(srcset("data:,a 1x, b,c 2x"), Urls({"data:,a", "b,c"}));
  EXPECT_EQ(srcset("a,b"), Urls({"a,b"}));
  EXPECT_EQ(srcset("a,,, b"), Urls({"a", "b"}));
}

TEST(HtmlValues, CandidatesWithSenselessDescriptorsAreDropped) {
  EXPECT_EQ(srcset("a 1y, b 2x"), Urls({"b"}));
  EXPECT_EQ(srcset("a 0w, b -1x, c 1x 2x, d 1x 1w, e 5h, f x, g 1.x"), Urls());
  EXPECT_EQ(srcset("a 1.5x, b .5x, c 1e1x, d 1E-1x, e 0x, f -0x"),
            Urls({"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(srcset("a calc(1x, 2x), b"), Urls({"b"}));
}

TEST(HtmlValues, RefreshMayNameAUrlInManyWays) {
  for (const std::string_view content :
       {"0;url=x", "5; url=x", "5;URL = x", "5 url=x", "5,x", "5;x", ".5;url='x'y",
        "5.5.5;url=\"x\"", "  5 ;\turl=x", "5; 'x'", "5;url='x"}) {
    EXPECT_EQ(parse_refresh(content), "x") << content;
  }
}

TEST(HtmlValues, RefreshTakesAHalfWrittenUrlWordForAUrl) {
  EXPECT_EQ(parse_refresh("5;u"), "u");
  EXPECT_EQ(parse_refresh("5;urx"), "urx");
  EXPECT_EQ(parse_refresh("5;url"), "url");
  EXPECT_EQ(parse_refresh("5;url x"), "url x");
}

TEST(HtmlValues, RefreshWithoutUrlOrSecondsIsNone) {
  for (const std::string_view content :
       {"", "5", "5;", "5; ", "x", "url=x", "-1;url=x", "5x", "5x;url=y"}) {
    EXPECT_EQ(parse_refresh(content), std::nullopt) << content;
  }
}

}  // namespace
}  // namespace webstrata
