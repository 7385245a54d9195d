// SPDX-License-Identifier: Apache-2.0

// Changes over HTTP: who may, what is refused with a sentence, and what the archive has afterwards.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/serve/small_web.h"
#include "webstrata/archive/disk/generations.h"
#include "webstrata/serve/routes.h"

namespace webstrata::serve {
namespace {

constexpr const char* kToken = "0123456789abcdef";
constexpr const char* kNewPage =
    R"({"url":"http://d.example/","time":"2022-06-01T00:00:00Z","status":200,)"
    R"("links":[{"url":"http://a.example/","kinds":"navigation"}]})"
    "\n";

Settings writable() {
  Settings settings;
  settings.token = kToken;
  settings.is_writable = true;
  settings.reading_needs_token = false;
  return settings;
}

Request post(const std::string& target, std::string body) {
  Request request = get(target);
  request.method = Method::Post;
  request.method_text = "POST";
  request.authorization = std::string("Bearer ") + kToken;
  request.body = std::move(body);
  return request;
}

// Asks from another thread, while the server lets go of old generations as it does every second.
Response change(SmallServer& server, const Request& request) {
  std::atomic<bool> is_done = false;
  Response response;
  std::thread asking([&] {
    response = server.service->answer(request);
    is_done = true;
  });
  while (!is_done) {
    server.service->tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  asking.join();
  return response;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(Writing, IsRefusedUnlessTheServerWasStartedForIt) {
  Settings settings = writable();
  settings.is_writable = false;
  SmallServer server(settings);
  for (const char* verb : {"update", "forget", "compact"}) {
    const Request request = post(std::string("/api/v1/lib/") + verb, kNewPage);
    EXPECT_EQ(server.service->answer(request).status, 403) << verb;
    ASSERT_TRUE(server.service->body_rule(request).refusal) << verb;
    EXPECT_EQ(server.service->body_rule(request).refusal->status, 403) << verb;
  }
  EXPECT_FALSE(has(server.body("/api/v1/openapi.json"), "\"post\""));
}

TEST(Writing, NeedsTheTokenAsABearer) {
  SmallServer server(writable());
  Request request = post("/api/v1/lib/update", kNewPage);
  for (const std::string& other :
       {std::string(), std::string("Bearer 0123456789abcdee"),
        std::string("Basic bWU6MDEyMzQ1Njc4OWFiY2RlZg==")}) {  // me:0123456789abcdef
    request.authorization = other;
    EXPECT_EQ(server.service->answer(request).status, 401) << other;
    EXPECT_EQ(server.service->body_rule(request).refusal->status, 401) << other;
  }
  EXPECT_EQ(server.ask("/api/v1/lib/info").status, 200);  // reading is open
  EXPECT_TRUE(has(server.body("/api/v1/openapi.json"), "\"post\""));
  EXPECT_EQ(server.service->body_rule(post("/api/v1/lib/update", "")).bytes_max,
            server.settings.upload_bytes_max);
  EXPECT_EQ(server.service->body_rule(post("/api/v1/lib/info", "")).bytes_max, 0u);
}

TEST(Writing, TakesPostAndNothingElse) {
  SmallServer server(writable());
  const Response got = server.ask("/api/v1/lib/update");
  EXPECT_EQ(got.status, 405);
  EXPECT_EQ(header(got, "Allow"), "POST, OPTIONS");
  const Response posted = server.service->answer(post("/api/v1/lib/info", "{}"));
  EXPECT_EQ(posted.status, 405);
  EXPECT_EQ(header(posted, "Allow"), "GET, HEAD, OPTIONS");
  Request options = get("/api/v1/lib/forget");
  options.method = Method::Options;
  EXPECT_EQ(header(server.service->answer(options), "Allow"), "POST, OPTIONS");
}

TEST(Writing, BadRequestsGetASentenceAndChangeNothing) {
  SmallServer server(writable());
  const std::vector<std::tuple<std::string, std::string, int>> cases = {
      {"update", "", 400},
      {"update", "{}", 400},
      {"update", "WARC/1.0\r\nWARC-Type: response\r\n", 400},
      {"update", "{\"url\":\"http://d.example/\"}\n", 400},  // no time
      {"update?nothing=1", kNewPage, 400},
      {"update?strict=perhaps", kNewPage, 400},
      {"update?strict=true", std::string(kNewPage) + "{\"url\":\n", 400},
      {"forget", "", 400},
      {"forget", "[]", 400},
      {"forget", "{}", 400},
      {"forget", R"({"url":[]})", 400},
      {"forget", R"({"url":"a.example/*"})", 400},
      {"forget", R"({"url":[7]})", 400},
      {"forget", R"({"url":[""]})", 400},
      {"forget", R"({"url":["a.example/"],"urls":["b.example/"]})", 400},
      {"forget", R"({"url":["a.example/"],"url":["b.example/"]})", 400},
      {"forget", R"({"url":["a.example/"],"from":"2015-13"})", 400},
      {"forget", R"({"url":["a.example/"],"from":"2016","to":"2015"})", 400},
      {"forget", R"({"url":["a.example/"],"force":"yes"})", 400},
      {"forget", R"({"url":["a.example/"],"exactly":null})", 400},
      {"forget", R"({"host":["example"]} x)", 400},
      {"forget", R"({"host":["com"]})", 400},  // everything under a public suffix
      {"forget?url=a.example/", R"({"url":["a.example/"]})", 400},
      {"compact?x=1", "", 400},
  };
  const std::string before = server.body("/api/v1/lib/info");
  for (const auto& [what, body, status] : cases) {
    const Response response = change(server, post("/api/v1/lib/" + what, body));
    EXPECT_EQ(response.status, status) << what << " " << body << " " << response.body;
    EXPECT_TRUE(has(response.body, "\"detail\":\"")) << what << " " << body;
    EXPECT_FALSE(has(response.body, server.folder.path().string())) << response.body;
  }
  EXPECT_EQ(server.service->answer(post("/api/v1/other/compact", "")).status, 404);
  EXPECT_EQ(server.body("/api/v1/lib/info"), before);
}

TEST(Writing, UpdatesAreInTheNextAnswer) {
  SmallServer server(writable());
  EXPECT_EQ(server.ask("/api/v1/lib/page?url=d.example/").status, 404);
  const Response updated = change(server, post("/api/v1/lib/update?crawl=week", kNewPage));
  ASSERT_EQ(updated.status, 200) << updated.body;
  EXPECT_TRUE(has(updated.body, "\"changed\":true,\"generation\":2,")) << updated.body;
  EXPECT_TRUE(has(updated.body, "\"captures\":1,\"sightings\":0,\"links\":1")) << updated.body;
  EXPECT_EQ(header(updated, "Cache-Control"), "no-store");
  EXPECT_EQ(server.ask("/api/v1/lib/page?url=d.example/").status, 200);
  EXPECT_TRUE(has(server.body("/api/v1/lib/links?url=a.example/&direction=in"), "d.example"));
  // The same again changes nothing.
  const Response again = change(server, post("/api/v1/lib/update?crawl=week", kNewPage));
  EXPECT_TRUE(has(again.body, "\"changed\":false,\"generation\":2,")) << again.body;
  // A damaged line is counted.
  const Response damaged =
      change(server, post("/api/v1/lib/update", std::string(kNewPage) + "{\"url\":\n"));
  EXPECT_TRUE(has(damaged.body, "\"damaged\":1,")) << damaged.body;
}

TEST(Writing, ForgottenUrlsVanishFromTheNextAnswer) {
  SmallServer server(writable());
  const std::string page = "/api/v1/lib/page?url=http://a.example/doc/one";
  const std::string links = "/api/v1/lib/links?url=http://a.example/";
  EXPECT_EQ(server.ask(page).status, 200);
  EXPECT_TRUE(has(server.body(links), "doc/one"));
  const Response tried =
      change(server, post("/api/v1/lib/forget", R"({"url":["a.example/doc/*"],"dry_run":true})"));
  EXPECT_TRUE(has(tried.body, "\"sightings\":2,")) << tried.body;
  EXPECT_EQ(server.ask(page).status, 200);
  const Response forgotten =
      change(server, post("/api/v1/lib/forget", R"({"url":["a.example/doc/*"]})"));
  ASSERT_EQ(forgotten.status, 200) << forgotten.body;
  EXPECT_TRUE(has(forgotten.body, "\"changed\":true,\"generation\":2,\"names\":1,"))
      << forgotten.body;
  EXPECT_TRUE(has(forgotten.body, "\"records\":[{\"url\":\"http://a.example/doc/one\""))
      << forgotten.body;
  EXPECT_EQ(server.ask(page).status, 404);
  EXPECT_FALSE(has(server.body(links), "doc/one"));
  // An update does not bring it back.
  const std::string line =
      R"({"url":"http://a.example/doc/one","time":"2023-06-01T00:00:00Z","status":200,"links":[]})";
  EXPECT_EQ(change(server, post("/api/v1/lib/update", line + "\n")).status, 200);
  EXPECT_EQ(server.ask(page).status, 404);
}

TEST(Writing, CompactMergesTheStrata) {
  SmallServer server(writable());
  EXPECT_TRUE(has(change(server, post("/api/v1/lib/compact", "")).body, "\"changed\":false"));
  ASSERT_EQ(change(server, post("/api/v1/lib/update", kNewPage)).status, 200);
  const bool was_stack = Manifest::load(server.path()).is_stack();
  const Response compacted = change(server, post("/api/v1/lib/compact", ""));
  ASSERT_EQ(compacted.status, 200) << compacted.body;
  EXPECT_EQ(has(compacted.body, "\"changed\":true"), was_stack) << compacted.body;
  EXPECT_FALSE(Manifest::load(server.path()).is_stack());
}

TEST(Writing, OneWriterAtATime) {
  SmallServer server(writable());
  const WriterLock lock = WriterLock::take(server.path());
  for (const auto& [verb, body] : std::vector<std::pair<std::string, std::string>>{
           {"update", kNewPage}, {"forget", R"({"url":["b.example/x"]})"}, {"compact", ""}}) {
    const Response response = server.service->answer(post("/api/v1/lib/" + verb, body));
    EXPECT_EQ(response.status, 409) << verb << " " << response.body;
    EXPECT_TRUE(has(response.body, "try again")) << response.body;
  }
  EXPECT_EQ(server.ask("/api/v1/lib/info").status, 200);
}

TEST(Writing, TakesAsLongAsItTakes) {
  SmallServer server(writable());
  EXPECT_EQ(server.service->effort_of(post("/api/v1/lib/compact", "")), Effort::Long);
  EXPECT_EQ(server.service->effort_of(get("/api/v1/lib/compact")), Effort::Quick);
  // A server that stops cancels it, and the archive is as it was.
  CancelToken cancel;
  cancel.cancel();
  Request request = post("/api/v1/lib/update", kNewPage);
  request.cancel = &cancel;
  EXPECT_EQ(change(server, request).status, 503);
  EXPECT_TRUE(has(server.body("/api/v1/lib/info"), "\"generation\":1,"));
}

}  // namespace
}  // namespace webstrata::serve
