// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/probe/page_answer.h"

#include <gtest/gtest.h>

#include "tests/capture/compressing.h"

namespace webstrata {
namespace {

const std::string kPageUrl = "http://a.example/d/p.html";

PageAnswer read(const std::string& body, const std::string& headers = "Content-Type: text/html\r\n",
                int status = 200, const std::string& url = kPageUrl) {
  Response response;
  response.url = url;
  response.status = status;
  response.http_version = "1.1";
  response.head = "HTTP/1.1 " + std::to_string(status) + " X\r\n" + headers + "\r\n";
  response.body = body;
  return AnswerReader().read(response);
}

// The digest was computed by Python's hashlib and base64.
TEST(PageAnswer, APageIsItsDigestItsTitleAndASketchOfItsText) {
  const PageAnswer answer = read("<title>Eggs</title><p>the price of eggs");
  EXPECT_EQ(answer.digest, "sha1:WREBR4GXTLQ2UCFPILB6SV3GQS7F24NJ");
  EXPECT_EQ(answer.title, "Eggs");
  EXPECT_EQ(answer.sketch.words, 4U);
  EXPECT_FALSE(answer.is_empty);
  EXPECT_EQ(similarity(answer.sketch, sketch_text("The price of eggs.", {})), 1);
}

TEST(PageAnswer, CodingsAndChunksAreTakenOff) {
  const std::string html = "<title>Eggs</title><p>the price of eggs";
  EXPECT_EQ(read(gzip_member(html), "Content-Type: text/html\r\nContent-Encoding: gzip\r\n").title,
            "Eggs");
  EXPECT_EQ(read("27\r\n" + html + "\r\n0\r\n\r\n",
                 "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n")
                .title,
            "Eggs");
}

TEST(PageAnswer, PlainTextHasWordsAndAPictureHasNone) {
  EXPECT_EQ(read("four words of text", "Content-Type: text/plain\r\n").sketch.words, 4U);
  EXPECT_EQ(read("four words of text", "Content-Type: image/png\r\n").sketch.words, 0U);
}

TEST(PageAnswer, ARedirectLeadsSomewhere) {
  EXPECT_EQ(read("", "Location: ../e/q.html#part\r\n", 301).target, "http://a.example/e/q.html");
  EXPECT_EQ(read("", "Location: https://B.example\r\n", 302).target, "https://b.example/");
  EXPECT_EQ(read("", "", 301).target, "");
}

// The words of the papers' rule, in title or text, in any case; not where they are invisible.
TEST(PageAnswer, SaysNotFoundWhereAReaderSeesIt) {
  EXPECT_TRUE(read("<title>Page not found</title><p>x").says_not_found);
  EXPECT_TRUE(read("<p>this is an <b>error</b> 404 page").says_not_found);
  EXPECT_FALSE(read("<p>the page was found").says_not_found);
  EXPECT_FALSE(read("<!-- Page Not Found --><script>'Error 404'</script><p>x").says_not_found);
  EXPECT_FALSE(read("<title>Page Not Found</title>", "Content-Type: text/html\r\n", 404)
                   .says_not_found);  // the status has said it
}

TEST(PageAnswer, ParkingServicesAreThoseThatSomebodyElseLoads) {
  const std::string loads = "<script src='//img.sedoparking.com/x.js'></script><p>Buy this domain";
  EXPECT_EQ(read(loads).parking_service, "sedoparking.com");
  EXPECT_EQ(read(loads).sale_phrase, "buy this domain");
  EXPECT_EQ(read(loads, "Content-Type: text/html\r\n", 200, "http://www.sedo.com/").parking_service,
            "");
  EXPECT_EQ(read("<p>nothing").parking_service, "");
}

TEST(PageAnswer, WhatFailedSaysNothing) {
  Response response;
  response.url = kPageUrl;
  response.failure = Failure::Reset;
  const PageAnswer answer = AnswerReader().read(response);
  EXPECT_EQ(answer.failure, Failure::Reset);
  EXPECT_TRUE(answer.is_empty);
  EXPECT_EQ(answer.digest, "");
}

TEST(PageAnswer, OwnWordsAreTheLastPartAndTheValues) {
  EXPECT_EQ(own_words("http://a.example/d/Page.html"), std::vector<std::string>{"page.html"});
  EXPECT_EQ(own_words("http://a.example/v.php?id=4711&x=8"),
            (std::vector<std::string>{"v.php", "4711"}));
  EXPECT_TRUE(own_words("http://a.example/").empty());
}

}  // namespace
}  // namespace webstrata
