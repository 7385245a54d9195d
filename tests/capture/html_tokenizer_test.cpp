// SPDX-License-Identifier: Apache-2.0

// The examples are worked by hand through the states of the HTML standard;
// html_differential_test.py does the same with other parsers and many pages.

#include "webstrata/capture/html/html_tokenizer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

using std::string_literals::operator""s;

constexpr HtmlTagSet kTags = {HtmlTag::A,      HtmlTag::Img,   HtmlTag::Script,
                              HtmlTag::Iframe, HtmlTag::Title, HtmlTag::Svg};

// "a[href=x] img[src=y]", the wanted start tags with href and src.
std::string tags(std::string_view page) {
  HtmlTokenizer tokenizer;
  std::string seen;
  std::string buffer;
  tokenizer.begin(page, kTags);
  for (HtmlToken token; (token = tokenizer.next()) != HtmlToken::End;) {
    if (token != HtmlToken::StartTag) continue;
    if (!seen.empty()) seen += ' ';
    seen += to_string(tokenizer.tag());
    for (const auto name : {HtmlAttribute::Href, HtmlAttribute::Src}) {
      if (!tokenizer.has(name)) continue;
      seen.append("[").append(to_string(name)).append("=");
      seen.append(tokenizer.value(name, buffer)).append("]");
    }
  }
  return seen;
}

// Everything: "<a>text</a>", tags that are not known as "<?>".
std::string tokens(std::string_view page) {
  HtmlTokenizer tokenizer;
  std::string seen;
  tokenizer.begin(page, kTags, HtmlTokenizer::Emit::Everything);
  for (HtmlToken token; (token = tokenizer.next()) != HtmlToken::End;) {
    if (token == HtmlToken::Text) {
      seen.append("{").append(tokenizer.text()).append("}");
      continue;
    }
    const std::string_view name = to_string(tokenizer.tag());
    seen.append(token == HtmlToken::StartTag ? "<" : "</").append(name.empty() ? "?" : name);
    seen += '>';
  }
  return seen;
}

TEST(HtmlTokenizer, AnEmptyPageHasNoTokens) {
  EXPECT_EQ(tokens(""), "");
  EXPECT_EQ(tokens("just text"), "{just text}");
}

TEST(HtmlTokenizer, EveryFormOfAttributeIsRead) {
  EXPECT_EQ(tags("<a href=\"x\">"), "a[href=x]");
  EXPECT_EQ(tags("<a href='x'>"), "a[href=x]");
  EXPECT_EQ(tags("<a href=x>"), "a[href=x]");
  EXPECT_EQ(tags("<A HREF = x>"), "a[href=x]");
  EXPECT_EQ(tags("<a\thref\n=\r\n'x'\f>"), "a[href=x]");
  EXPECT_EQ(tags("<a href>"), "a[href=]");
  EXPECT_EQ(tags("<a href=>x"), "a[href=]");
  EXPECT_EQ(tags("<a href=\"\">"), "a[href=]");
  EXPECT_EQ(tags("<a/href=x>"), "a[href=x]");
  EXPECT_EQ(tags("<a class=\"b\"href=x>"), "a[href=x]");
}

TEST(HtmlTokenizer, AnUnquotedValueEndsOnlyAtSpaceOrGreaterThan) {
  EXPECT_EQ(tags("<a href=x/>"), "a[href=x/]");
  EXPECT_EQ(tags("<a href=x\"y'z=<`>"), "a[href=x\"y'z=<`]");
}

TEST(HtmlTokenizer, QuotesCountOnlyBehindAnEqualsSign) {
  EXPECT_EQ(tags("<a title=\">\" href=x>"), "a[href=x]");
  EXPECT_EQ(tags("<a \"href=x>y\">"), "a");  // the name is "href
  EXPECT_EQ(tags("<a ' href=x>"), "a[href=x]");
}

TEST(HtmlTokenizer, ANameMayBeginWithAnEqualsSign) {
  EXPECT_EQ(tags("<a =href=x>"), "a");
  EXPECT_EQ(tags("<a = href=x>"), "a[href=x]");
  EXPECT_EQ(tags("<a =\"> href=x>"), "a");  // name =" and then the tag is over
}

TEST(HtmlTokenizer, TheFirstOfTwoAttributesCounts) {
  EXPECT_EQ(tags("<a href=1 HREF=2>"), "a[href=1]");
  EXPECT_EQ(tags("<a href href=2>"), "a[href=]");
}

TEST(HtmlTokenizer, ValuesAreDecoded) {
  EXPECT_EQ(tags("<a href='?a&amp;b&copy=c'>"), "a[href=?a&b&copy=c]");
  EXPECT_EQ(tags("<a href='a\r\nb\0'>"s), "a[href=a\nb\ufffd]");
}

TEST(HtmlTokenizer, ATagThatThePageCutsOffIsDropped) {
  for (const std::string_view page :
       {"<a", "<a ", "<a href", "<a href=", "<a href=x", "<a href='x", "<a href='x'", "<a href=x /",
        "<", "</", "</a", "<!", "<!-", "<!--", "<!--x--", "<?", "<img><a href=\"x>"}) {
    EXPECT_EQ(tags(page).find("href"), std::string::npos) << page;
  }
}

TEST(HtmlTokenizer, ALessThanWithoutALetterIsText) {
  EXPECT_EQ(tokens("a < b <3 <"), "{a < b <3 <}");
  EXPECT_EQ(tokens("x</"), "{x</}");
  EXPECT_EQ(tags("<<a href=x>"), "a[href=x]");
}

TEST(HtmlTokenizer, EndTagsMayHaveAttributes) {
  EXPECT_EQ(tokens("</a href='>'>x"), "</a>{x}");
  EXPECT_EQ(tokens("</>x</ a>y</1>z"), "{x}{y}{z}");
}

TEST(HtmlTokenizer, CommentsEndInManyWays) {
  for (const std::string_view comment :
       {"<!---->", "<!-->", "<!--->", "<!-- -- -->", "<!-- --!>", "<!----!>", "<!-- <!-- -->",
        "<!-- <!-->", "<!--<a href=y>-->", "<!-- --->", "<!-- --!-->", "<!-- ->-->"}) {
    EXPECT_EQ(tags(std::string(comment) + "<a href=x>"), "a[href=x]") << comment;
  }
}

TEST(HtmlTokenizer, CommentsDoNotEndInOthers) {
  for (const std::string_view comment :
       {"<!--!>", "<!---!>", "<!-- ->", "<!-- --!->", "<!-- -- >", "<!--", "<!-- --!"}) {
    EXPECT_EQ(tags(std::string(comment) + "<a href=x>"), "") << comment;
  }
}

TEST(HtmlTokenizer, BogusCommentsAndDoctypesEndAtTheFirstGreaterThan) {
  for (const std::string_view comment :
       {"<!>", "<!x>", "<!->", "<?php x ?>", "<?>", "</ x>", "<!DOCTYPE html>", "<![CDATA[x>",
        "<!doctype html PUBLIC \"a>"}) {
    EXPECT_EQ(tags(std::string(comment) + "<a href=x>"), "a[href=x]") << comment;
  }
}

TEST(HtmlTokenizer, RawTextRunsToItsOwnEndTag) {
  for (const std::string_view name :
       {"style", "xmp", "iframe", "noembed", "textarea", "title", "script"}) {
    const std::string start = "<" + std::string(name) + ">";
    const std::string end = "</" + std::string(name);
    const std::string seen =
        tags(start + "<a href=1></x>" + end + "x><a href=2>" + end + " ><img src=3>");
    EXPECT_TRUE(seen.ends_with("img[src=3]")) << name;
    EXPECT_EQ(seen.find("href"), std::string::npos) << name;
  }
}

TEST(HtmlTokenizer, PlaintextNeverEnds) {
  EXPECT_EQ(tokens("<plaintext><a></plaintext>"), "<plaintext>{<a></plaintext>}");
}

TEST(HtmlTokenizer, NoscriptHoldsMarkup) {
  EXPECT_EQ(tags("<noscript><img src=x></noscript>"), "img[src=x]");
}

// HTML 4.01, 16.4.1: its content is for programs that show no frames. Crawlers are such programs.
TEST(HtmlTokenizer, NoframesHoldsMarkup) {
  EXPECT_EQ(tags("<frameset><frame src=f><noframes><body><a href=x></body></noframes></frameset>"),
            "a[href=x]");
}

TEST(HtmlTokenizer, ScriptsHideTheirEndInDoublyEscapedParts) {
  EXPECT_EQ(tags("<script><a href=y></script><a href=x>"), "script a[href=x]");
  EXPECT_EQ(tags("<script><!-- </script><a href=x>"), "script a[href=x]");
  EXPECT_EQ(tags("<script><!-- <script> </script> <a href=y> </script><a href=x>"),
            "script a[href=x]");
  EXPECT_EQ(tags("<script><!-- <script> --> </script><a href=x>"), "script a[href=x]");
  EXPECT_EQ(tags("<script><!--<script></script><a href=y>--></script><a href=x>"),
            "script a[href=x]");
  EXPECT_EQ(tags("<script><!-- <scripts> </script><a href=x>"), "script a[href=x]");
  EXPECT_EQ(tags("<script><!--> <script> </script><a href=x>"), "script a[href=x]");
  EXPECT_EQ(tags("<script>x</scripty></script/ ><a href=x>"), "script a[href=x]");
  EXPECT_EQ(tags("<script><!--<script><a href=x>"), "script");
}

TEST(HtmlTokenizer, ForeignElementsHoldMarkup) {
  EXPECT_EQ(tags("<svg><title><a href=x>"), "svg title a[href=x]");
  EXPECT_EQ(tags("<svg><style><a href=x>"), "svg a[href=x]");
  EXPECT_EQ(tags("<svg><script><a href=x>"), "svg script a[href=x]");
  EXPECT_EQ(tags("<svg></svg><title><a href=x>"), "svg title");
  EXPECT_EQ(tags("<svg/><title><a href=x>"), "svg title");
  EXPECT_EQ(tags("<svg><script/><title><a href=x>"), "svg script title a[href=x]");
}

TEST(HtmlTokenizer, IntegrationPointsHoldHtml) {
  EXPECT_EQ(tags("<svg><foreignObject><title><a href=x>"), "svg title");
  EXPECT_EQ(tags("<svg><desc><style><a href=x>"), "svg");
  EXPECT_EQ(tags("<svg><foreignObject></foreignObject><style><a href=x>"), "svg a[href=x]");
  EXPECT_EQ(tags("<math><mi><style><a href=x>"), "");
  EXPECT_EQ(tags("<math><style><a href=x>"), "a[href=x]");
  EXPECT_EQ(tags("<math><annotation-xml encoding=TEXT/html><style><a href=x>"), "");
  EXPECT_EQ(tags("<math><annotation-xml><style><a href=x>"), "a[href=x]");
}

TEST(HtmlTokenizer, SomeHtmlElementsEndForeignContent) {
  EXPECT_EQ(tags("<svg><p><style><a href=x>"), "svg");
  EXPECT_EQ(tags("<svg></p><style><a href=x>"), "svg");
  EXPECT_EQ(tags("<svg><font color=red><style><a href=x>"), "svg");
  EXPECT_EQ(tags("<svg><font><style><a href=x>"), "svg a[href=x]");
  EXPECT_EQ(tags("<div><svg></div><style><a href=x>"), "svg");
}

TEST(HtmlTokenizer, EndTagsDoNotReachOutOfAnnotations) {
  EXPECT_EQ(tags("<i><math><annotation-xml><svg></i><style><a href=x>"), "svg a[href=x]");
}

TEST(HtmlTokenizer, CdataExistsOnlyInForeignContent) {
  EXPECT_EQ(tags("<svg><![CDATA[<a href=y>]]></svg><a href=x>"), "svg a[href=x]");
  EXPECT_EQ(tokens("<svg><![CDATA[a]]b]]>"), "<svg>{a]]b}");
  EXPECT_EQ(tokens("<svg><![CDATA[a"), "<svg>{a}");
  EXPECT_EQ(tags("<![CDATA[<a href=x>]]>"), "");  // a bogus comment up to the first >
}

TEST(HtmlTokenizer, TextComesWithItsOwner) {
  HtmlTokenizer tokenizer;
  tokenizer.begin("<title>A &amp; B</title>", {});
  ASSERT_EQ(tokenizer.next(), HtmlToken::Text);
  EXPECT_EQ(tokenizer.text(), "A &amp; B");
  EXPECT_EQ(tokenizer.text_owner(), HtmlTag::Title);
  EXPECT_TRUE(tokenizer.text_has_references());
  EXPECT_EQ(tokenizer.next(), HtmlToken::End);
}

TEST(HtmlTokenizer, UnknownTagsAreTokensToo) { EXPECT_EQ(tokens("<x-y>a</x-y>"), "<?>{a}</?>"); }

TEST(HtmlTokenizer, ReadsNothingBeyondThePage) {
  // Each page has a heap block of its own size, so that the sanitizer notices a read past its end.
  const std::string page =
      "<svg><a href='x&amp;'><![CDATA[x]]><!-- --><script><!--<script></a x=\">\">";
  for (std::size_t size = 0; size <= page.size(); ++size) {
    const std::vector<char> cut(page.begin(), page.begin() + static_cast<std::ptrdiff_t>(size));
    tokens({cut.data(), cut.size()});
    tags({cut.data(), cut.size()});
  }
}

}  // namespace
}  // namespace webstrata
