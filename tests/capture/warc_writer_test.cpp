// SPDX-License-Identifier: Apache-2.0

// Other tools read it in tests/capture/warc_writer_peers_test.py; here our own reader does.

#include "webstrata/capture/warc_writer.h"

#include <gtest/gtest.h>

#include "reading.h"
#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

class WarcWriterTest : public testing::Test {
 protected:
  WarcWriterTest() {
    options_.folder = folder_.path();
    options_.prefix = "TEST";
    options_.host = "crawler";
    options_.seed = 1;
    options_.clock = [] { return Time{1686355200}; };
  }
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }

  TemporaryFolder folder_;
  WarcWriterOptions options_;
  const std::string answer_ =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/next>next</a>";
};

TEST_F(WarcWriterTest, WhatIsWrittenIsRead) {
  WarcWriter writer(options_);
  const WarcMessage message{
      .url = "http://a.example/", .time = 1686355201, .http = answer_, .ip = "192.0.2.1"};
  const WarcPlace response = writer.write_response(message);
  writer.write_request(
      {.url = "http://a.example/", .time = 1686355201, .http = "GET / HTTP/1.1\r\n\r\n"},
      response.record_id);
  writer.write_metadata("http://a.example/", 1686355201, response.record_id,
                        {{"via", "http://b.example/"}});
  const WarcPlace revisit =
      writer.write_revisit(message, {.payload_digest = response.payload_digest,
                                     .refers_to_url = "http://a.example/",
                                     .refers_to_time = 1686355201});
  writer.close();

  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(files()[0].filename(), "TEST-20230610000000-00000-crawler.warc.gz");  // Annex C
  const Reading reading = read_path(files()[0]);
  EXPECT_EQ(reading.report.damage_count(), 0U);
  EXPECT_EQ(reading.record_count, 5U);
  ASSERT_EQ(reading.captures.size(), 2U);
  EXPECT_EQ(reading.captures[0].links.at(0).target, "http://a.example/next");
  EXPECT_EQ(reading.captures[0].sighting.offset, response.offset);
  EXPECT_EQ(reading.captures[0].sighting.length, response.length);
  EXPECT_EQ(reading.captures[0].sighting.digest, response.payload_digest);
  EXPECT_EQ(reading.captures[1].sighting.kind, SightingKind::Revisit);
  EXPECT_EQ(reading.captures[1].sighting.offset, revisit.offset);
  EXPECT_EQ(reading.captures[1].sighting.refers_to_time, 1686355201);
  Capture again;
  ASSERT_TRUE(read_capture_at(files()[0].string(), response.offset, {}, again));
  EXPECT_EQ(again.sighting.url, "http://a.example/");
}

// SHA-1 of "<p>one</p>" and "<p>two</p>" from sha1sum, brought to base32 by Python. The digest was
// that of the empty string wherever CR LF CR LF did not end the header, and all such pages were
// equal.
TEST_F(WarcWriterTest, ThePayloadBeginsWhereTheReaderFindsIt) {
  const std::vector<std::string> ends = {"\n\n", "\r\n\n", "\n\r\n", "\r\r\n\r\r\n", "\r\n\r\n"};
  WarcWriter writer(options_);
  std::vector<std::string> digests;
  for (const std::string& end : ends) {
    for (const char* body : {"<p>one</p>", "<p>two</p>"}) {
      const std::string http = "HTTP/1.1 200 OK\nContent-Type: text/html" + end + body;
      const WarcMessage message{.url = "http://a.example/", .time = 1686355201, .http = http};
      digests.push_back(writer.write_response(message).payload_digest);
      writer.write_revisit(message, {.payload_digest = digests.back()});
    }
  }
  writer.close();
  for (std::size_t i = 0; i < digests.size(); ++i) {
    EXPECT_EQ(digests[i], i % 2 == 0 ? "sha1:3CURHRYR54XL2CVXV2KABN2Y3JA4O4B2"
                                     : "sha1:FEME523OHNOXMNZD54NGSUDR67CV2UZO");
  }
  const Reading reading = read_path(files()[0]);
  EXPECT_EQ(reading.report.damage_count(), 0U);
  ASSERT_EQ(reading.captures.size(), 2 * digests.size());
  for (std::size_t i = 0; i < digests.size(); ++i) {
    EXPECT_EQ(reading.captures[2 * i].sighting.digest, digests[i]);
    EXPECT_EQ(reading.captures[2 * i + 1].sighting.mime, "text/html");
  }
}

// WARC 1.1, 5.9: the digest of the payload, which is the body alone. Known from another tool:
// printf '<a href=/next>next</a>' | openssl sha1 -binary | base32
TEST_F(WarcWriterTest, ThePayloadDigestIsThatOfTheBodyAlone) {
  const std::pair<std::string, std::string> known[] = {
      {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/next>next</a>",
       "sha1:IK22U3KS626PJ5ZP6X4XOABBTKO2DME5"},
      {"HTTP/1.1 200 OK\r\nX-Other: header\r\nContent-Type: text/html\r\n\r\n"
       "<a href=/next>next</a>",
       "sha1:IK22U3KS626PJ5ZP6X4XOABBTKO2DME5"},
      {"HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"},
  };
  for (const auto& [http, digest] : known) {
    TemporaryFolder folder;
    options_.folder = folder.path();
    options_.compress = false;
    WarcWriter writer(options_);
    const WarcPlace place =
        writer.write_response({.url = "http://a.example/", .time = 0, .http = http});
    EXPECT_EQ(place.payload_digest, digest);
    writer.close();
    const std::string file = read_file((folder.path() / place.file).string());
    EXPECT_NE(file.find("\r\nWARC-Payload-Digest: " + digest + "\r\n"), std::string::npos) << file;
  }
}

TEST_F(WarcWriterTest, AFileIsOpenUntilItIsComplete) {
  WarcWriter writer(options_);
  writer.write_response({.url = "http://a.example/", .time = 0, .http = answer_});
  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(files()[0].extension(), ".open");
  writer.close();
  EXPECT_EQ(files()[0].extension(), ".gz");
}

TEST_F(WarcWriterTest, ANewFileBeginsBehindTheLimit) {
  options_.file_bytes_max = 2000;
  WarcWriter writer(options_);
  for (int i = 0; i < 30; ++i) {
    const WarcPlace place =
        writer.write_response({.url = "http://a.example/", .time = i, .http = answer_});
    writer.write_request({.url = "http://a.example/", .time = i, .http = "GET / HTTP/1.1\r\n\r\n"},
                         place.record_id);
  }
  writer.close();
  EXPECT_GT(files().size(), 3U);
  std::size_t captures = 0;
  for (const auto& file : files()) captures += read_path(file).captures.size();
  EXPECT_EQ(captures, 30U);
}

TEST_F(WarcWriterTest, ValuesCannotBreakTheHeader) {
  WarcWriter writer(options_);
  writer.write_response(
      {.url = "http://a.example/\r\nWARC-Type: evil", .time = 0, .http = answer_});
  writer.close();
  EXPECT_EQ(read_path(files()[0]).record_count, 2U);
}

TEST_F(WarcWriterTest, ARevisitNeedsItsDigest) {
  WarcWriter writer(options_);
  EXPECT_THROW(writer.write_revisit({.url = "http://a.example/", .time = 0, .http = answer_}, {}),
               Error);
}

TEST_F(WarcWriterTest, ErrorsNameTheFile) {
  options_.folder = "/no/such/folder";
  WarcWriter writer(options_);
  EXPECT_THROW(writer.write_response({.url = "http://a.example/", .time = 0, .http = answer_}),
               Error);
}

}  // namespace
}  // namespace webstrata
