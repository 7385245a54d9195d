// SPDX-License-Identifier: Apache-2.0

// Who may ask, what is refused and how, what is cached, and what happens when the archive changes.

#include "webstrata/serve/service.h"

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"
#include "webstrata/serve/guard.h"
#include "webstrata/serve/routes.h"

namespace webstrata::serve {
namespace {

constexpr const char* kLinks = "/api/v1/lib/links?url=a.example/";

TEST(Service, RefusesWhatItDoesNotUnderstandWithASentence) {
  SmallServer server;
  const std::vector<std::pair<std::string, int>> cases = {
      {"/api/v1/lib/links", 400},
      {"/api/v1/lib/links?url=%zz", 400},
      {"/api/v1/lib/links?url=a.example/&limit=-1", 400},
      {"/api/v1/lib/links?url=a.example/&limit=0", 400},
      {"/api/v1/lib/links?url=a.example/&limit=99999999999999999999", 400},
      {"/api/v1/lib/links?url=a.example/&at=2015-13", 400},
      {"/api/v1/lib/links?url=a.example/&during=2016", 200},
      {"/api/v1/lib/links?url=a.example/&during=x..y", 400},
      {"/api/v1/lib/links?url=a.example/&at=2015&during=2015..", 400},
      {"/api/v1/lib/links?url=a.example/&kinds=none", 400},
      {"/api/v1/lib/links?url=a.example/&direction=up", 400},
      {"/api/v1/lib/links?url=a.example/&lmit=3", 400},
      {"/api/v1/lib/links?url=a.example/&url=b.example/", 400},
      {"/api/v1/lib/links?url=a.example/&after=nonsense", 400},
      {"/api/v1/lib/captures?url=a.example/&after=99999999999999999999+x", 400},
      {"/api/v1/lib/links?url=unknown.example/", 404},
      {"/api/v1/other/links?url=a.example/", 404},
      {"/api/v1/lib/nothing", 404},
      {"/api/v1/lib/links/", 404},
      {"/api/v1/%zz/links", 400},
      {"/api/v1/lib/network?limit=2001", 400},
      // What a question does not need must be right all the same.
      {"/api/v1/lib/network?depth=3", 400},
      {"/api/v1/lib/diff?from=2020&to=2021&limit=x", 400},
      {"/api/v1/lib/urls?url=a.example/&group=folder&limit=0", 400},
      {"/api/v1/lib/links?url=a.example/&level=host&limit=010", 400},
      {"/api/v1/lib/rank?url=a.example/&limit=-1", 400},
  };
  for (const auto& [target, status] : cases) {
    const Response response = server.ask(target);
    EXPECT_EQ(response.status, status) << target << " " << response.body;
    if (status == 200) continue;
    EXPECT_EQ(response.content_type, "application/problem+json") << target;
    EXPECT_NE(response.body.find("\"detail\":\""), std::string::npos) << target;
    EXPECT_EQ(response.body.find(server.folder.path().string()), std::string::npos) << target;
  }
}

TEST(Service, AnswersOptionsAndRefusesOtherMethods) {
  SmallServer server;
  Request request = get(kLinks);
  request.method = Method::Options;
  EXPECT_EQ(server.service->answer(request).status, 204);
  request.method = Method::Other;
  request.method_text = "DELETE";
  const Response refused = server.service->answer(request);
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(header(refused, "Allow"), "GET, HEAD, OPTIONS");
}

TEST(Service, IsNotReachedByAnotherName) {
  SmallServer server;
  Request request = get(kLinks);
  request.host = "evil.example";
  EXPECT_EQ(server.service->answer(request).status, 421);
  request.host = "[::1]:8931";
  EXPECT_EQ(server.service->answer(request).status, 200);
}

TEST(Service, NeedsTheTokenIfThereIsOne) {
  Settings settings;
  settings.token = "0123456789abcdef";
  SmallServer server(settings);
  Request request = get(kLinks);
  EXPECT_EQ(server.service->answer(request).status, 401);
  request.authorization = "Bearer 0123456789abcdee";
  EXPECT_EQ(server.service->answer(request).status, 401);
  request.authorization = "Bearer 0123456789abcdef";
  EXPECT_EQ(server.service->answer(request).status, 200);
  request.authorization = "Basic bWU6MDEyMzQ1Njc4OWFiY2RlZg==";  // me:0123456789abcdef
  EXPECT_EQ(server.service->answer(request).status, 200);
  EXPECT_EQ(server.ask("/healthz").status, 200);
}

// The tag of one form begins that of another.
TEST(Service, TheFormsOfAListHaveTagsOfTheirOwn) {
  SmallServer server;
  const std::vector<std::string> forms = {"application/json", "application/x-ndjson",
                                          "application/vnd.apache.arrow.stream"};
  std::vector<std::string> tags;
  Request request = get(kLinks);
  for (const std::string& form : forms) {
    request.accept = form;
    const Response response = server.service->answer(request);
    EXPECT_EQ(response.content_type, form);
    tags.push_back(header(response, "ETag"));
  }
  for (std::size_t form = 0; form < forms.size(); ++form) {
    for (std::size_t tag = 0; tag < tags.size(); ++tag) {
      request.accept = forms[form];
      request.if_none_match = tags[tag];
      EXPECT_EQ(server.service->answer(request).status, form == tag ? 304 : 200) << form << tag;
    }
  }
}

TEST(Service, LetsOtherOriginsReadOnlyIfAsked) {
  SmallServer closed;
  Request request = get(kLinks);
  request.origin = "https://other.example";
  EXPECT_EQ(header(closed.service->answer(request), "Access-Control-Allow-Origin"), "");
  Settings settings;
  settings.origins = {"https://other.example"};
  SmallServer open(settings);
  EXPECT_EQ(header(open.service->answer(request), "Access-Control-Allow-Origin"),
            "https://other.example");
}

TEST(Service, ServesBelowItsBasePath) {
  Settings settings;
  settings.base_path = parse_base_path("webstrata");
  SmallServer server(settings);
  EXPECT_EQ(server.ask(std::string("/webstrata") + kLinks).status, 200);
  EXPECT_EQ(server.ask(kLinks).status, 404);
  const Response page = server.ask("/webstrata/");
  EXPECT_NE(page.body.find("<base href=\"/webstrata/\">"), std::string::npos);
  EXPECT_EQ(server.ask("/webstrata").status, 200);
  EXPECT_THROW(parse_base_path("/a?b"), Error);
}

TEST(Service, GivesViewsOfThePageTheirOwnAddresses) {
  SmallServer server;
  const Response view = server.ask("/a/lib/page?url=http://a.example/");
  EXPECT_EQ(view.status, 200);
  EXPECT_EQ(view.content_type, "text/html; charset=utf-8");
  EXPECT_NE(header(view, "Content-Security-Policy").find("default-src 'none'"), std::string::npos);
}

TEST(Service, KnowsWhatTheClientAlreadyHas) {
  SmallServer server;
  Request request = get(kLinks);
  const std::string tag = header(server.service->answer(request), "ETag");
  ASSERT_FALSE(tag.empty());
  request.if_none_match = tag;
  EXPECT_EQ(server.service->answer(request).status, 304);
  update_archive(server.path(), {page_seen("http://d.example/", "2023-01-01", {})});
  const Response changed = server.service->answer(request);
  EXPECT_EQ(changed.status, 200);
  EXPECT_NE(header(changed, "ETag"), tag);
}

TEST(Service, ServesANewGenerationAtOnceAndFinishesOnTheOld) {
  SmallServer server;
  Request request = get("/api/v1/lib/urls?url=*.example");
  request.accept = "application/x-ndjson";
  Response old = server.service->answer(request);
  update_archive(server.path(), {page_seen("http://d.example/", "2023-01-01", {})});
  EXPECT_EQ(whole_body(old).find("d.example"), std::string::npos);
  EXPECT_NE(whole_body(server.service->answer(request)).find("d.example"), std::string::npos);
}

TEST(Service, ForgetsAtOnce) {
  SmallServer server;
  EXPECT_EQ(server.ask("/api/v1/lib/page?url=b.example/x").status, 200);
  EXPECT_NE(server.body("/api/v1/lib/hosts").find("b.example"), std::string::npos);
  server.forget_now({{ForgetScope::Host, "b.example"}});
  EXPECT_EQ(server.ask("/api/v1/lib/page?url=b.example/x").status, 404);
  EXPECT_EQ(server.body("/api/v1/lib/hosts").find("b.example"), std::string::npos);
  EXPECT_EQ(server.body(kLinks).find("b.example"), std::string::npos);
}

TEST(Service, CountsRequests) {
  SmallServer server;
  server.service->ended(get(kLinks), {200, 100, 0.002});
  const std::string text = server.body("/metrics");
  EXPECT_NE(
      text.find("webstrata_requests_total{route=\"api/v1/{archive}/links\",status=\"2xx\"} 1"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("webstrata_generation{archive=\"lib\"} "), std::string::npos);
}

TEST(ArchivePlace, HasANameForAddresses) {
  EXPECT_EQ(parse_archive_place("some/lib.ws").name, "lib");
  EXPECT_EQ(parse_archive_place("some/lib.ws/").name, "lib");
  EXPECT_EQ(parse_archive_place("old=some/lib.ws").name, "old");
  EXPECT_EQ(parse_archive_place("old=some/lib.ws").path, "some/lib.ws");
  EXPECT_THROW(parse_archive_place("some/my lib.ws"), Error);
}

TEST(Archives, NeedDifferentNames) {
  SmallServer server;
  EXPECT_THROW(Archives({{"lib", server.path()}, {"lib", server.path()}}), Error);
  EXPECT_NO_THROW(Archives({{"lib", server.path()}, {"again", server.path()}}));
}

TEST(Routes, AreAllInTheOpenApiDocument) {
  Settings settings;
  settings.is_writable = true;
  const std::string document = openapi_document("http://localhost/", {"lib"}, settings);
  for (const Route& route : routes()) {
    const bool is_api = route.path.starts_with("api/");
    const std::string path = "\"/" + std::string(route.path) + "\"";
    EXPECT_EQ(document.find(path) != std::string::npos, is_api) << path;
  }
}

TEST(Routes, HaveAPlaceForTheArchive) {
  const auto found = find_route("api/v1/my%20lib/info", "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->places.at("archive"), "my lib");
  EXPECT_FALSE(find_route("api/v1//info", ""));
  EXPECT_FALSE(find_route("api/v1/lib/info/more", ""));
}

}  // namespace
}  // namespace webstrata::serve
