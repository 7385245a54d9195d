// SPDX-License-Identifier: Apache-2.0
#include "webstrata/serve/ask/answer_cache.h"

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"

namespace webstrata::serve {
namespace {

Response with_body(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

TEST(AnswerCache, KnowsWhatWasAdded) {
  AnswerCache cache;
  EXPECT_EQ(cache.find("/a"), nullptr);
  cache.add("/a", with_body("x"), 1 << 20);
  ASSERT_NE(cache.find("/a"), nullptr);
  EXPECT_EQ(cache.find("/a")->body, "x");
  cache.add("/b", with_body("x"), 0);
  EXPECT_EQ(cache.find("/b"), nullptr);
  Response pieces;
  pieces.more = [](std::string&) { return More::End; };
  cache.add("/c", pieces, 1 << 20);
  EXPECT_EQ(cache.find("/c"), nullptr);
}

// Of a thousand answers of 10 kB, at most the bytes that are allowed stay, and those are the last;
// one that is asked for again and again stays too.
TEST(AnswerCache, IsBounded) {
  AnswerCache cache;
  constexpr std::size_t kMost = 2 << 20;
  cache.add("/first", with_body(std::string(10'000, 'f')), kMost);
  for (int i = 0; i < 1000; ++i) {
    cache.add("/" + std::to_string(i), with_body(std::string(10'000, 'x')), kMost);
    EXPECT_NE(cache.find("/first"), nullptr) << i;
  }
  std::size_t kept = 0;
  for (int i = 0; i < 1000; ++i) {
    if (const auto known = cache.find("/" + std::to_string(i))) kept += known->body.size();
  }
  EXPECT_LE(kept, 2 * kMost);
  EXPECT_GT(kept, kMost / 4);
}

TEST(AnswerCache, EndsWithTheGeneration) {
  SmallServer server;
  const std::string links = "/api/v1/lib/links?url=a.example/";
  const std::string first = server.body(links);
  EXPECT_EQ(server.body(links), first);
  EXPECT_NE(first.find("b.example"), std::string::npos);
  server.forget_now({{ForgetScope::Host, "b.example"}});
  EXPECT_EQ(server.body(links).find("b.example"), std::string::npos);
}

}  // namespace
}  // namespace webstrata::serve
