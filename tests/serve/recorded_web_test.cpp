// SPDX-License-Identifier: Apache-2.0

// Records written by hand, plain and as one gzip member for several records.

#include "webstrata/serve/replay/recorded_web.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/serve/some_records.h"
#include "tests/temporary_folder.h"
#include "webstrata/serve/replay/replay_service.h"
#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {
namespace {

RecordedWeb web_of(const std::string& bytes, const char* at, const TemporaryFolder& folder) {
  const std::string path = folder / "x.warc";
  std::ofstream(path, std::ios::binary) << bytes;
  Report report;
  return RecordedWeb::read({path}, parse_interval(at)->last, report);
}

void expect_the_web_of_2020(const RecordedWeb& web) {
  const auto home = web.find("http://a.example/");
  ASSERT_TRUE(home);
  EXPECT_EQ(home->status, 200);
  EXPECT_EQ(home->body, "old");
  const std::vector<std::pair<std::string, std::string>> headers = {{"Content-Type", "text/html"}};
  EXPECT_EQ(home->headers, headers);
  EXPECT_EQ(web.find("http://a.example/b?c")->status, 404);
  EXPECT_FALSE(web.find("http://a.example/b"));
  EXPECT_FALSE(web.find("http://c.example/"));
}

TEST(RecordedWeb, IsThatOfADate) {
  const TemporaryFolder folder;
  expect_the_web_of_2020(web_of(some_records(), "2020", folder));
  const RecordedWeb later = web_of(some_records(), "2021", folder);
  EXPECT_EQ(later.find("http://a.example/")->status, 301);
  EXPECT_EQ(later.find("http://c.example/")->body, "old");
  EXPECT_EQ(later.hosts(), (std::vector<std::string>{"a.example", "c.example"}));
}

// One member for the whole file, as `gzip x.warc` makes it: records have no offsets of their own.
TEST(RecordedWeb, ReadsRecordsThatShareAGzipMember) {
  const TemporaryFolder folder;
  expect_the_web_of_2020(web_of(GzipBody().compress(some_records(), true), "2020", folder));
}

TEST(Replay, IsAProxyAndAVirtualHost) {
  const TemporaryFolder folder;
  const RecordedWeb web = web_of(some_records(), "2020", folder);
  ReplayService service(web);
  Request request;
  request.host = "a.example:8932";
  request.target = "/";
  EXPECT_EQ(service.answer(request).body, "old");
  request.host = "127.0.0.1:8932";
  request.target = "http://a.example/";
  const Response answer = service.answer(request);
  EXPECT_EQ(answer.body, "old");
  EXPECT_EQ(answer.headers.back(), std::make_pair(std::string("Memento-Datetime"),
                                                  std::string("Mon, 01 Jun 2020 00:00:00 GMT")));
  request.target = "/other";
  EXPECT_EQ(service.answer(request).status, 404);
  request.method = Method::Other;
  request.method_text = "POST";
  EXPECT_EQ(service.answer(request).status, 405);
  request.method_text = "CONNECT";
  EXPECT_EQ(service.answer(request).status, 501);
}

}  // namespace
}  // namespace webstrata::serve
