// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/http/http_message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace webstrata {
namespace {

TEST(HttpMessage, ReadsStatusHeadersAndBody) {
  HttpResponse response;
  ASSERT_TRUE(parse_http_response(
      "HTTP/1.1 404 Not Found\r\nServer: x\r\ncontent-type:  text/html \r\n\r\nbody", response));
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.headers.value("Content-Type"), "text/html");
  EXPECT_EQ(response.body, "body");
}

TEST(HttpMessage, IsLenient) {
  HttpResponse response;
  ASSERT_TRUE(parse_http_response("HTTP/1.0 200\nA: 1\n\nx", response));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "x");
  ASSERT_TRUE(
      parse_http_response("HTTP/1.1 200 OK\r\nno colon here\r\nA: 1\r\n b\r\n\r\n", response));
  EXPECT_EQ(response.headers.malformed_count(), 1U);
  EXPECT_EQ(response.headers.value("a"), "1\r\n b");
  ASSERT_TRUE(parse_http_response("HTTP/1.1 200 OK\r\nA: 1", response));
  EXPECT_EQ(response.headers.value("A"), "1");
  EXPECT_TRUE(response.body.empty());
}

// Every mixture of line ends that servers were seen to send. The body begins with a line end too:
// it belongs to the body.
TEST(HttpMessage, EveryLineEndEndsAHead) {
  const std::vector<std::string> ends = {"\n", "\r\n", "\r\r\n"};
  for (const std::string& first : ends) {
    for (const std::string& second : ends) {
      for (const std::string& empty : ends) {
        const std::string head =
            "HTTP/1.1 200 OK" + first + "Content-Type: text/html" + second + empty;
        const std::string message = head + "\r\nbody";
        EXPECT_EQ(http_head_size(message), head.size()) << message;
        HttpResponse response;
        ASSERT_TRUE(parse_http_response(message, response));
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.headers.value("Content-Type"), "text/html");
        EXPECT_EQ(response.body, "\r\nbody");
      }
    }
  }
}

TEST(HttpMessage, AHeadWithoutAnEndIsAllOfTheMessage) {
  for (const std::string_view message :
       {"", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nA: 1\r\n", "HTTP/1.1 200 OK\nA: 1\n\r"}) {
    EXPECT_EQ(http_head_size(message), message.size()) << message;
  }
}

TEST(HttpMessage, RefusesWhatIsNoAnswer) {
  HttpResponse response;
  for (const char* text :
       {"", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1", "HTTP/1.1 abc\r\n\r\n", "<html>"}) {
    EXPECT_FALSE(parse_http_response(text, response)) << text;
  }
}

TEST(HttpMessage, FindsParameters) {
  EXPECT_EQ(field_parameter("text/html; charset=utf-8", "charset"), "utf-8");
  EXPECT_EQ(field_parameter("text/html;a=b; Charset = \"x y\" ;c=d", "charset"), "x y");
  EXPECT_EQ(field_parameter("text/html", "charset"), "");
  EXPECT_EQ(field_parameter("text/html; charset", "charset"), "");
}

}  // namespace
}  // namespace webstrata
