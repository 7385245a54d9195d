// SPDX-License-Identifier: Apache-2.0

// Compressed bodies come from zlib and zstd themselves; the brotli bytes from Python's brotli.

#include "webstrata/capture/http/content_coding.h"

#include <gtest/gtest.h>

#include "compressing.h"

namespace webstrata {
namespace {

// Decodes `body` as sent with these headers.
struct Decoded {
  std::string content;
  std::string problem;
};
Decoded decode(std::string_view headers, std::string_view body) {
  HttpResponse response;
  const std::string block = fmt::format("HTTP/1.1 200 OK\r\n{}\r\n{}", headers, body);
  EXPECT_TRUE(parse_http_response(block, response));
  BodyDecoder decoder;
  const DecodedBody decoded = decoder.decode(response);
  return {std::string(decoded.content), decoded.problem};
}

const std::string kText = "<html>some text, some text, some text</html>";

TEST(ContentCoding, UndoesEachCoding) {
  EXPECT_EQ(decode("Content-Encoding: gzip\r\n", gzip_member(kText)).content, kText);
  EXPECT_EQ(decode("Content-Encoding: x-gzip\r\n", gzip_member(kText)).content, kText);
  EXPECT_EQ(decode("content-encoding: ZSTD\r\n", zstd_frame(kText)).content, kText);
  const std::string zlib_bytes = [] {
    std::string out(200, '\0');
    uLongf size = out.size();
    compress(reinterpret_cast<Bytef*>(out.data()), &size,
             reinterpret_cast<const Bytef*>(kText.data()), kText.size());
    return out.substr(0, size);
  }();
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", zlib_bytes).content, kText);
  const std::string raw = zlib_bytes.substr(2, zlib_bytes.size() - 6);  // as some servers send it
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", raw).content, kText);
  const std::string brotli("\x0b\x02\x80hello\x03", 9);  // one stored block, then the last
  EXPECT_EQ(decode("Content-Encoding: br\r\n", brotli).content, "hello");
  EXPECT_EQ(decode("Content-Encoding: zstd, gzip\r\n", gzip_member(zstd_frame(kText))).content,
            kText);
}

TEST(ContentCoding, JoinsChunks) {
  const auto joined = decode("Transfer-Encoding: chunked\r\n",
                             "5;x=y\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\n\r\n");
  EXPECT_EQ(joined.content, "hello world");
  EXPECT_EQ(joined.problem, "");
}

TEST(ContentCoding, StaleHeadersAreNoDamage) {
  for (const char* headers : {"Content-Encoding: gzip\r\n", "Content-Encoding: br\r\n",
                              "Content-Encoding: deflate\r\n", "Content-Encoding: zstd\r\n",
                              "Transfer-Encoding: chunked\r\n", "Content-Encoding: klingon\r\n"}) {
    const auto decoded = decode(headers, kText);
    EXPECT_EQ(decoded.content, kText) << headers;
    EXPECT_EQ(decoded.problem, "") << headers;
  }
}

TEST(ContentCoding, ACutBodyGivesItsFirstPart) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919);
  const std::string whole = gzip_member(text);
  const auto decoded = decode("Content-Encoding: gzip\r\n", whole.substr(0, whole.size() / 2));
  EXPECT_GT(decoded.content.size(), text.size() / 4);
  EXPECT_EQ(decoded.content, text.substr(0, decoded.content.size()));
  EXPECT_NE(decoded.problem, "");
  const auto chunk = decode("Transfer-Encoding: chunked\r\n", "ff\r\nshort");
  EXPECT_EQ(chunk.content, "short");
  EXPECT_EQ(chunk.problem, "a chunk is cut off");
}

TEST(ContentCoding, ABombIsCutAtTheLimit) {
  const std::string zeros(BodyDecoder::kContentMax + (1 << 20), '\0');
  for (const auto& [headers, body] : {std::pair("Content-Encoding: gzip\r\n", gzip_member(zeros)),
                                      std::pair("Content-Encoding: zstd\r\n", zstd_frame(zeros))}) {
    const auto decoded = decode(headers, body);
    EXPECT_LE(decoded.content.size(), BodyDecoder::kContentMax + (1 << 20));
    EXPECT_NE(decoded.problem, "");
  }
}

}  // namespace
}  // namespace webstrata
