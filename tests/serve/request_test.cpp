// SPDX-License-Identifier: Apache-2.0

// What comes from the network before a route sees it, and what goes back.

#include "webstrata/serve/wire/request.h"

#include <zlib.h>

#include <gtest/gtest.h>

#include "webstrata/serve/wire/problem.h"
#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {
namespace {

int status_of_query(std::string_view query) {
  try {
    parse_query(query);
    return 200;
  } catch (const Problem& problem) {
    EXPECT_FALSE(std::string(problem.what()).empty());
    return problem.status();
  }
}

std::string inflated(const std::string& bytes) {
  z_stream stream = {};
  inflateInit2(&stream, 15 + 16);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(Query, IsDecodedAsFormsEncodeIt) {
  const Parameters expected = {{"url", "http://a.example/?b=c&d"}, {"x y", "1+1"}, {"flag", ""}};
  EXPECT_EQ(parse_query("url=http%3A%2F%2Fa.example%2F%3Fb%3Dc%26d&x+y=1%2b1&&flag"), expected);
}

TEST(Query, WithAnUnfinishedEscapeIsRefused) {
  for (const char* query : {"a=%", "a=%4", "a=%zz", "%=a"}) EXPECT_EQ(status_of_query(query), 400);
}

TEST(Query, WithControlCharactersOrBrokenUtf8IsRefused) {
  for (const char* query : {"a=%00", "a=%0d%0aSet-Cookie:x", "a=%7f", "a=%ff", "a=%c0%af"}) {
    EXPECT_EQ(status_of_query(query), 400) << query;
  }
  EXPECT_EQ(status_of_query("a=%C3%A4"), 200);
}

TEST(Target, IsSplitAtTheFirstQuestionMark) {
  Request request;
  request.target = "/timemap/link/http://a.example/?b?c";
  EXPECT_EQ(request.path(), "/timemap/link/http://a.example/");
  EXPECT_EQ(request.query(), "b?c");
}

// The proxies that are trusted append to the list; what a client wrote there itself is on the left.
TEST(ClientAddress, IsTheLastOneThatNoTrustedProxyWrote) {
  const std::vector<std::string> proxies = {"127.0.0.1", "10.0.0.2"};
  EXPECT_EQ(client_address("192.0.2.7", "6.6.6.6", proxies), "192.0.2.7");
  EXPECT_EQ(client_address("127.0.0.1", "6.6.6.6, 192.0.2.7", proxies), "192.0.2.7");
  EXPECT_EQ(client_address("127.0.0.1", "192.0.2.7, 10.0.0.2", proxies), "192.0.2.7");
  EXPECT_EQ(client_address("127.0.0.1", "", proxies), "127.0.0.1");
}

TEST(Accept, KnowsNamesAndRanges) {
  EXPECT_TRUE(accepts("", "application/json"));
  EXPECT_TRUE(accepts("text/html, */*;q=0.8", "application/json"));
  EXPECT_TRUE(accepts("application/*", "application/json"));
  EXPECT_FALSE(accepts("text/html", "application/json"));
  EXPECT_TRUE(accepts_by_name("text/html, application/x-ndjson;q=1", "application/x-ndjson"));
  EXPECT_FALSE(accepts_by_name("*/*", "application/x-ndjson"));
}

TEST(AcceptEncoding, MayRefuseGzip) {
  EXPECT_TRUE(accepts_gzip("gzip, deflate, br"));
  EXPECT_TRUE(accepts_gzip("deflate, *"));
  EXPECT_TRUE(accepts_gzip("gzip;q=0.5"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0.000, *"));
  EXPECT_FALSE(accepts_gzip("identity"));
  EXPECT_FALSE(accepts_gzip(""));
}

TEST(Gzip, InPiecesIsTheSameAsAtOnce) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(inflated(GzipBody().compress(text, true)), text);
  GzipBody pieces;
  std::string sent = pieces.compress(text.substr(0, 100), false);
  sent += pieces.compress(text.substr(100), false);
  sent += pieces.compress("", true);
  EXPECT_EQ(inflated(sent), text);
}

TEST(Head, HasNoLineOfItsOwnFromAValue) {
  Response response;
  response.headers.emplace_back("Location", "http://a.example/\r\nSet-Cookie: x=1");
  const std::string head = head_of(response, {});
  EXPECT_EQ(head.find("\nSet-Cookie"), std::string::npos);
  EXPECT_NE(head.find("Location: http://a.example/??Set-Cookie: x=1\r\n"), std::string::npos);
}

TEST(AccessLog, IsInTheCombinedFormatAndEscaped) {
  Request request;
  request.method_text = "GET";
  request.target = "/a\"b";
  request.user_agent = "agent\x1b[31m";
  const std::string line = combined_log_line(request, "192.0.2.7", 200, 12);
  EXPECT_NE(line.find("192.0.2.7 - - ["), std::string::npos);
  EXPECT_NE(line.find("] \"GET /a\\x22b HTTP/1.1\" 200 12 \"-\" \"agent\\x1b[31m\"\n"),
            std::string::npos);
}

TEST(Problem, IsADocumentWithOneSentence) {
  const Response response = problem_response(404, "there is no such \"thing\"");
  EXPECT_EQ(response.content_type, "application/problem+json");
  EXPECT_EQ(response.body,
            "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
            "\"detail\":\"there is no such \\\"thing\\\"\"}\n");
}

}  // namespace
}  // namespace webstrata::serve
