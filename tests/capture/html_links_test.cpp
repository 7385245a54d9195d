// SPDX-License-Identifier: Apache-2.0

// Expected links are what a browser would make of the page, worked out by hand.

#include "webstrata/capture/html/html_links.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

using std::string_literals::operator""s;
using Lines = std::vector<std::string>;

Capture extract(std::string_view page, const ReadOptions& options, std::string_view charset = "") {
  Url url;
  EXPECT_TRUE(parse_url("http://example.org/d/p.html", url));
  Report report;
  Capture capture;
  HtmlLinkExtractor(options, report).extract(page, charset, url, capture);
  return capture;
}

// "kinds count target" of every link, targets on the page's own host from the path on.
Lines links(std::string_view page, std::string_view charset = "", LinkKinds kinds = kAllKinds) {
  ReadOptions options;
  options.kinds = kinds;
  const Capture capture = extract(page, options, charset);
  Lines lines;
  constexpr std::string_view kHost = "http://example.org";
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    const Link link = capture.links[i];
    std::string_view target = link.target;
    if (target.starts_with(kHost)) target.remove_prefix(kHost.size());
    lines.push_back(to_string(link.kinds) + " " + std::to_string(link.count) + " " +
                    std::string(target));
  }
  return lines;
}

Link only_link(const Capture& capture) {
  EXPECT_EQ(capture.links.size(), 1U);
  return capture.links[0];
}

ReadOptions with_texts() {
  ReadOptions options;
  options.with_anchor_text = options.with_context = options.with_title = options.with_text = true;
  return options;
}

TEST(HtmlLinks, AnchorsAndAreasAreNavigation) {
  EXPECT_EQ(links("<a href=x>1</a><area href=../y><a name=z>"),
            Lines({"navigation 1 /d/x", "navigation 1 /y"}));
}

TEST(HtmlLinks, LinksForProgramsWithoutFramesCount) {
  EXPECT_EQ(links("<frameset><frame src=menu><noframes><a href=x>1</a></noframes></frameset>"),
            Lines({"navigation 1 /d/menu", "navigation 1 /d/x"}));
}

TEST(HtmlLinks, RepeatedTargetsJoinKindsAndCounts) {
  EXPECT_EQ(links("<a href=x><a href='x#f' rel=nofollow><img src=x>"),
            Lines({"navigation+embed+nofollow 3 /d/x"}));
}

TEST(HtmlLinks, EveryElementHasItsKind) {
  EXPECT_EQ(
      links("<frame src=1><iframe src=2></iframe><script src=3></script><img src=4 longdesc=5>"
            "<embed src=6><object data=7><source src=8><video src=9 poster=10><audio src=11>"
            "<track src=12><input type=IMAGE src=13><input src=no><form action=14>"
            "<button formaction=15><input formaction=16><body background=17><image src=18>"),
      Lines({"navigation 1 /d/1", "embed 1 /d/2", "embed 1 /d/3", "embed 1 /d/4", "relation 1 /d/5",
             "embed 1 /d/6", "embed 1 /d/7", "embed 1 /d/8", "embed 1 /d/9", "embed 1 /d/10",
             "embed 1 /d/11", "embed 1 /d/12", "embed 1 /d/13", "form 1 /d/14", "form 1 /d/15",
             "form 1 /d/16", "embed 1 /d/17", "embed 1 /d/18"}));
}

TEST(HtmlLinks, LinkElementsGoByTheirRel) {
  EXPECT_EQ(links("<link rel=stylesheet href=a><link rel='shortcut icon' href=b>"
                  "<link rel=canonical href=c><link rel=next href=d>"
                  "<link rel=preload imagesrcset='e 1x, f 2x'>"),
            Lines({"embed 1 /d/a", "embed 1 /d/b", "relation 1 /d/c", "relation 1 /d/d",
                   "embed 1 /d/e", "embed 1 /d/f"}));
}

TEST(HtmlLinks, SrcsetGivesEveryCandidate) {
  EXPECT_EQ(links("<img src=a srcset='a 1x, b&amp;c 2x'><source srcset=d>"),
            Lines({"embed 2 /d/a", "embed 1 /d/b&c", "embed 1 /d/d"}));
}

TEST(HtmlLinks, EmptyReferencesLoadNothing) {
  EXPECT_EQ(links("<img src=''><script src></script><link rel=stylesheet href=''>"), Lines());
  EXPECT_EQ(links("<a href=''>"), Lines({"navigation 1 /d/p.html"}));
}

TEST(HtmlLinks, SvgHasLinksOfItsOwn) {
  EXPECT_EQ(links("<svg><a xlink:href=1><image xlink:href=2 /><use href=3 /><use href='#no' />"
                  "<a href=4 xlink:href=no></svg><a xlink:href=no>"),
            Lines({"navigation 1 /d/1", "embed 1 /d/2", "embed 1 /d/3", "navigation 1 /d/4"}));
}

TEST(HtmlLinks, MetaRefreshIsALinkOnce) {
  EXPECT_EQ(links("<meta http-equiv=Refresh content='5; url=&quot;x&quot;'>"
                  "<meta http-equiv=refresh content='5; url=y'><meta content='0;z'>"),
            Lines({"navigation+refresh 1 /d/x"}));
  EXPECT_EQ(links("<meta http-equiv=refresh content=30>"), Lines());
}

TEST(HtmlLinks, TheFirstBaseCountsForTheWholePage) {
  EXPECT_EQ(links("<a href=x><base target=_top><base href=/b/><a href=y><base href=/c/><a href=z>"),
            Lines({"navigation 1 /b/x", "navigation 1 /b/y", "navigation 1 /b/z"}));
}

TEST(HtmlLinks, ABaseThatIsNoWebUrlIsIgnored) {
  EXPECT_EQ(links("<base href='javascript:0'><base href=/b/><a href=x>"),
            Lines({"navigation 1 /d/x"}));
}

TEST(HtmlLinks, OnlyWantedKindsAreTaken) {
  const std::string_view page =
      "<a href=1><img src=2><link rel=next href=3><form action=4><meta http-equiv=refresh "
      "content='0;5'>";
  EXPECT_EQ(links(page, "", kGraphKinds),
            Lines({"navigation 1 /d/1", "navigation+refresh 1 /d/5"}));
  EXPECT_EQ(links(page, "", LinkKind::Embed), Lines({"embed 1 /d/2"}));
  EXPECT_EQ(links(page, "", LinkKind::Relation), Lines({"relation 1 /d/3"}));
  EXPECT_EQ(links(page, "", LinkKind::Form), Lines({"form 1 /d/4"}));
  EXPECT_EQ(links(page, "", LinkKind::Refresh), Lines({"navigation+refresh 1 /d/5"}));
}

TEST(HtmlLinks, LinksOfTheHeadersStay) {
  Url url;
  parse_url("http://example.org/", url);
  Report report;
  Capture capture;
  capture.links.add({"http://example.org/x", LinkKind::Relation, 1, {}, {}});
  HtmlLinkExtractor({}, report).extract("<a href=x>", "", url, capture);
  EXPECT_EQ(only_link(capture).kinds, LinkKind::Navigation | LinkKind::Relation);
}

TEST(HtmlLinks, PagesInOtherCharsetsAreRead) {
  EXPECT_EQ(links("<a href='\xe9'>", "latin1"), Lines({"navigation 1 /d/%C3%A9"}));
  EXPECT_EQ(links("<a href='\xc3\xa9'>"), Lines({"navigation 1 /d/%C3%A9"}));
  EXPECT_EQ(links("<meta charset=koi8-r><a href='\xc1'>"), Lines({"navigation 1 /d/%D0%B0"}));
  EXPECT_EQ(links("\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0\xe9\0>\0"s), Lines({"navigation 1 /d/%C3%A9"}));
  EXPECT_EQ(links("\xef\xbb\xbf<a href=x>"), Lines({"navigation 1 /d/x"}));
}

TEST(HtmlLinks, BytesThatAreNotUtf8AreReplacedInPagesThatClaimIt) {
  EXPECT_EQ(links("<a href='a\xe9'>", "utf-8"), Lines({"navigation 1 /d/a%EF%BF%BD"}));
}

TEST(HtmlLinks, QueriesAreWrittenInThePagesOwnCharset) {
  EXPECT_EQ(links("<a href='\xe9?\xe9#\xe9'>", "iso-8859-1"),
            Lines({"navigation 1 /d/%C3%A9?%E9"}));
  EXPECT_EQ(links("<a href='?&#x416;'>", "iso-8859-1"),
            Lines({"navigation 1 /d/p.html?%26%231046%3B"}));
  EXPECT_EQ(links("<a href='?\x82\xa0'>", "sjis"), Lines({"navigation 1 /d/p.html?%82%A0"}));
  EXPECT_EQ(links("<a href='?\xc3\xa9'>", "utf-8"), Lines({"navigation 1 /d/p.html?%C3%A9"}));
}

TEST(HtmlLinks, AnchorTextIsWhatAReaderSees) {
  const auto text = [](std::string_view page) {
    ReadOptions options;
    options.with_anchor_text = true;
    return std::string(only_link(extract(page, options)).text);
  };
  EXPECT_EQ(text("x<a href=x>\n A  <b>b&amp;c</b>d<br>e </a>y"), "A b&cd e");
  EXPECT_EQ(text("<a href=x>open to the end"), "open to the end");
  EXPECT_EQ(text("<a href=x>one <a>two</a>"), "one");
  EXPECT_EQ(text("<a href=x><script>no</script><style>no</style>yes<!-- no --></a>"), "yes");
  EXPECT_EQ(text("<a href=x><img alt='a  &lt; b'> <img alt=c></a>"), "a < b c");
  EXPECT_EQ(text("<a href=x>text<img alt=no></a>"), "text");
  EXPECT_EQ(text("<area href=x alt=' the area '>"), "the area");
  EXPECT_EQ(text("<a href=x></a>"), "");
}

TEST(HtmlLinks, AnchorTextIsCutAtAThousandCharacters) {
  ReadOptions options;
  options.with_anchor_text = true;
  std::string long_text;
  for (int i = 0; i < 1500; ++i) long_text += "ä";
  EXPECT_EQ(only_link(extract("<a href=x>" + long_text, options)).text.size(), 2000U);
}

TEST(HtmlLinks, ContextIsTheTextOnBothSides) {
  ReadOptions options;
  options.with_context = true;
  options.context_chars = 9;
  const auto context = [&](std::string_view page) {
    return std::string(only_link(extract(page, options)).context);
  };
  EXPECT_EQ(context("<p>far far away <a href=x>not this</a> and on and on</p>"),
            "far away and on an");
  EXPECT_EQ(context("<a href=x>a</a>"), "");
  EXPECT_EQ(context("äöü <a href=x>a</a>"), "äöü");
  EXPECT_EQ(context("<title>no</title>a<script>no</script><p><a href=x>a</a><p>b"), "a b");
}

TEST(HtmlLinks, TitleAndTextComeOnRequest) {
  const std::string_view page =
      "<head><title> A &amp;\n B </title><style>no</style></head><body><h1>C</h1>d<i>e</i>"
      "<ul><li>f<li>g</ul><svg><title>h</title><style>no</style></svg><textarea>&lt;i</textarea>"
      "<title>no</title><noscript>j</noscript>";
  const Capture capture = extract(page, with_texts());
  EXPECT_EQ(capture.title, "A & B");
  EXPECT_EQ(capture.text, "C de f g h <i j");
  const Capture without = extract(page, {});
  EXPECT_EQ(without.title, "");
  EXPECT_EQ(without.text, "");
}

TEST(HtmlLinks, TheTitleAloneTakesTheFastWay) {
  ReadOptions options;
  options.with_title = true;
  const Capture capture = extract("<title>\xe4 &euro;</title><a href=x>y</a>", options, "latin1");
  EXPECT_EQ(capture.title, "ä €");
  EXPECT_EQ(only_link(capture).text, "");
  EXPECT_EQ(extract("<title>a\xff</title>", options, "utf-8").title, "a\ufffd");
}

TEST(HtmlLinks, AnExtractorForgetsThePageBefore) {
  Url url;
  parse_url("http://example.org/d/", url);
  Report report;
  const ReadOptions options = with_texts();
  HtmlLinkExtractor extractor(options, report);
  Capture capture;
  extractor.extract("<base href=/b/><title>one</title><svg><a href=x>text", "", url, capture);
  capture.clear();
  extractor.extract("<a href=x><title>two</title>", "", url, capture);
  EXPECT_EQ(only_link(capture).target, "http://example.org/d/x");
  EXPECT_EQ(only_link(capture).text, "");
  EXPECT_EQ(capture.title, "two");
}

}  // namespace
}  // namespace webstrata
