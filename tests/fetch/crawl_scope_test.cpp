// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/crawl_scope.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

bool has(const CrawlScope& scope, const char* text) {
  Url url;
  EXPECT_TRUE(parse_url(text, url));
  return scope.has(url);
}

TEST(CrawlScope, WithoutRulesEverythingBelongs) {
  EXPECT_TRUE(has(CrawlScope(), "http://a.example/"));
}

TEST(CrawlScope, AHostIsItselfAlone) {
  CrawlScope scope;
  scope.add_host("A.example");
  EXPECT_TRUE(has(scope, "http://a.example/x"));
  EXPECT_TRUE(has(scope, "https://a.example:8080/x"));
  EXPECT_FALSE(has(scope, "http://www.a.example/"));
  EXPECT_FALSE(has(scope, "http://aa.example/"));
}

TEST(CrawlScope, ADomainHasAllBelow) {
  CrawlScope scope;
  scope.add_domain("a.example");
  EXPECT_TRUE(has(scope, "http://a.example/x"));
  EXPECT_TRUE(has(scope, "http://x.y.a.example/"));
  EXPECT_FALSE(has(scope, "http://ba.example/"));
  EXPECT_FALSE(has(scope, "http://a.example.org/"));
}

TEST(CrawlScope, APrefixIsOfTheWholeUrl) {
  CrawlScope scope;
  scope.add_prefix("http://a.example/docs/");
  EXPECT_TRUE(has(scope, "http://a.example/docs/x"));
  EXPECT_TRUE(has(scope, "https://a.example/docs/"));
  EXPECT_FALSE(has(scope, "http://a.example/doc"));
}

TEST(CrawlScope, SurtsAreThoseOfHeritrixAndOfArchives) {
  for (const char* surt : {"http://(example,a,www,)/docs", "(example,a,www,)/docs",
                           "example,a,www)/docs", "https://(example,a,www,)/docs"}) {
    CrawlScope scope;
    scope.add_surt(surt);
    EXPECT_TRUE(has(scope, "http://www.a.example/docs/x")) << surt;
    EXPECT_FALSE(has(scope, "http://www.a.example/")) << surt;
    EXPECT_FALSE(has(scope, "http://a.example/docs/x")) << surt;
  }
  CrawlScope domain;
  domain.add_surt("http://(example,a,");
  EXPECT_TRUE(has(domain, "http://a.example/"));
  EXPECT_TRUE(has(domain, "http://www.a.example/"));
  EXPECT_FALSE(has(domain, "http://b.example/"));
}

TEST(CrawlScope, SeveralRulesAddUp) {
  CrawlScope scope;
  scope.add_prefix("http://a.example/x/");
  scope.add_domain("b.example");
  scope.add_host("www.b.example");  // inside the domain already
  scope.add_domain("a.example");    // swallows the prefix
  EXPECT_TRUE(has(scope, "http://a.example/y"));
  EXPECT_TRUE(has(scope, "http://c.b.example/"));
  EXPECT_FALSE(has(scope, "http://c.example/"));
}

TEST(CrawlScope, WhatIsNoRuleIsRefused) {
  CrawlScope scope;
  EXPECT_THROW(scope.add_host("a.example/x"), Error);
  EXPECT_THROW(scope.add_host(""), Error);
  EXPECT_THROW(scope.add_prefix("/docs"), Error);
  EXPECT_THROW(scope.add_prefix("mailto:a@a.example"), Error);
  EXPECT_THROW(scope.add_surt(""), Error);
  EXPECT_THROW(scope.add_surt("http://(example,a,)x"), Error);
}

}  // namespace
}  // namespace webstrata
