// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/answer.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

Response answer(int status, std::string_view fields, std::string_view body = "") {
  Response response;
  response.url = "http://a.example/x/y";
  response.status = status;
  response.head = "HTTP/1.1 " + std::to_string(status) + " x\r\n" + std::string(fields) + "\r\n";
  response.body = body;
  return response;
}

TEST(Answer, RedirectsLeadToWebPagesOnly) {
  EXPECT_EQ(redirect_target(answer(301, "Location: ../z#f\r\n"))->href(), "http://a.example/z");
  EXPECT_EQ(redirect_target(answer(302, "location: //b.example\r\n"))->href(), "http://b.example/");
  EXPECT_FALSE(redirect_target(answer(301, "")));
  EXPECT_FALSE(redirect_target(answer(301, "Location: file:///etc/passwd\r\n")));
  EXPECT_FALSE(redirect_target(answer(301, "Location: ftp://a.example/\r\n")));
  EXPECT_FALSE(redirect_target(answer(200, "Location: /z\r\n")));
}

TEST(Answer, BodiesLoseTheirCodings) {
  AnswerBody body;
  EXPECT_EQ(body.content(answer(200, "", "plain")), "plain");
  EXPECT_EQ(body.content(answer(200, "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n")),
            "abc");
}

}  // namespace
}  // namespace webstrata
