// SPDX-License-Identifier: Apache-2.0

// The examples are RFC 8288's (section 3.5) and variations on them.

#include "webstrata/capture/http/link_header.h"

#include <string>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

std::string header_links(std::string_view header) {
  Url page;
  parse_url("http://h/d/p", page);
  Report report;
  ReadOptions options;
  options.kinds = kAllKinds;
  LinkSet set;
  LinkCollector collector(options, report);
  collector.begin(page, set);
  add_link_header(header, collector);
  collector.end();
  std::string seen;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i > 0) seen += ", ";
    seen.append(set[i].target).append(" ").append(to_string(set[i].kinds));
  }
  return seen;
}

TEST(LinkHeader, OneLink) {
  EXPECT_EQ(
      header_links(
          "<http://example.com/TheBook/chapter2>; rel=\"previous\"; title=\"previous chapter\""),
      "http://example.com/TheBook/chapter2 relation");
  EXPECT_EQ(header_links("</>; rel=\"http://example.net/foo\""), "http://h/ relation");
}

TEST(LinkHeader, SeveralLinks) {
  EXPECT_EQ(
      header_links("</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
                   "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"),
      "http://h/TheBook/chapter2 relation, http://h/TheBook/chapter4 relation");
  EXPECT_EQ(header_links(",<a>,,<b>;rel=next,"), "http://h/d/a relation, http://h/d/b relation");
}

TEST(LinkHeader, KindsAreThoseOfLinkElements) {
  EXPECT_EQ(header_links("<s.css>;REL=stylesheet, <f>; rel=\"preload\"; as=font"),
            "http://h/d/s.css embed, http://h/d/f embed");
}

TEST(LinkHeader, CommasAndSemicolonsInQuotesOrTargetsDoNotPart) {
  EXPECT_EQ(header_links("<a,b;c>; title=\"x, <y>; \\\" rel=stylesheet\"; rel=next"),
            "http://h/d/a,b;c relation");
}

TEST(LinkHeader, TheFirstRelCounts) {
  EXPECT_EQ(header_links("<a>; rel=next; rel=stylesheet"), "http://h/d/a relation");
}

TEST(LinkHeader, LinksAboutOtherPagesAreLeftOut) {
  EXPECT_EQ(header_links("</>; rel=copyright; anchor=\"#foo\", <b>; rel=next"),
            "http://h/d/b relation");
}

TEST(LinkHeader, WhatCannotBeReadIsPassedOver) {
  EXPECT_EQ(header_links(""), "");
  EXPECT_EQ(header_links("a; rel=next"), "");
  EXPECT_EQ(header_links("<a"), "");
  EXPECT_EQ(header_links("<a>; rel=\"next"), "http://h/d/a relation");
  EXPECT_EQ(header_links("<a>; rel=\"next\\"), "http://h/d/a relation");
  EXPECT_EQ(header_links("junk <a> junk; rel=stylesheet, <b>"),
            "http://h/d/a relation, http://h/d/b relation");
}

}  // namespace
}  // namespace webstrata
