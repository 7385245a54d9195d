// SPDX-License-Identifier: Apache-2.0

// The answers of the routes on a web small enough to see (small_web.h); expected values by hand.

#include "webstrata/serve/answers/answers.h"

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"
#include "webstrata/archive/ask/scores.h"

namespace webstrata::serve {
namespace {

constexpr const char* kHome = "url=http%3A%2F%2Fa.example%2F";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(LinksAnswer, HasTheHistoryOfEachLink) {
  SmallServer server;
  const std::string body = server.body(std::string("/api/v1/lib/links?") + kHome);
  EXPECT_TRUE(has(body, "\"url\":\"http://b.example/x\"")) << body;
  EXPECT_TRUE(has(body,
                  "\"first\":\"2020-06-01T00:00:00Z\",\"last\":\"2021-06-01T00:00:00Z\","
                  "\"captures\":2"))
      << body;
  EXPECT_FALSE(has(body, "\"next\"")) << body;
}

TEST(LinksAnswer, AtATimeIsThatOfTheCaptureBefore) {
  SmallServer server;
  const std::string body = server.body(std::string("/api/v1/lib/links?at=2020&") + kHome);
  EXPECT_TRUE(has(body, "http://b.example/x")) << body;
  EXPECT_FALSE(has(body, "http://c.example/")) << body;
  EXPECT_TRUE(has(body, "\"state\":\"present\"")) << body;
}

TEST(LinksAnswer, InIsTheOtherDirection) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/links?url=a.example/doc/one&direction=in");
  EXPECT_TRUE(has(body, "\"links\":[{\"url\":\"http://a.example/\"")) << body;
}

TEST(LinksAnswer, ContinuesAfterTheLastLinkGiven) {
  SmallServer server;
  const std::string first = server.body(std::string("/api/v1/lib/links?limit=1&") + kHome);
  ASSERT_TRUE(has(first, "\"next\":\"http://a.example/doc/one\"")) << first;
  const std::string rest = server.body(
      std::string("/api/v1/lib/links?after=http%3A%2F%2Fa.example%2Fdoc%2Fone&") + kHome);
  EXPECT_FALSE(has(rest, "\"uid\":1,\"kinds\"")) << rest;
  EXPECT_TRUE(has(rest, "http://b.example/x") && has(rest, "http://c.example/")) << rest;
}

TEST(LinksAnswer, AsLinesHasOneLinkPerLineAndTheNextKey) {
  SmallServer server;
  Request request = get(std::string("/api/v1/lib/links?") + kHome);
  request.accept = "application/x-ndjson";
  const std::string all = whole_body(server.service->answer(request));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 3) << all;
  request.target += "&limit=2";
  const std::string cut = whole_body(server.service->answer(request));
  EXPECT_EQ(std::count(cut.begin(), cut.end(), '\n'), 3) << cut;
  EXPECT_TRUE(has(cut, "{\"next\":\"http://b.example/x\"}\n")) << cut;
}

// A link to a page is looked up in each page that has it; of many, that is no event loop's work.
TEST(LinksAnswer, LeavesTheEventLoopIfManyPagesAreRead) {
  SmallServer server;
  std::vector<Capture> more;
  for (int i = 0; i < 100; ++i) {
    more.push_back(page_seen("http://p" + std::to_string(i) + ".example/", "2021-06-01",
                             {"http://a.example/"}));
  }
  update_archive(server.path(), more);
  const auto in_loop = [&](const std::string& more_words) {
    Request request = get("/api/v1/lib/links?url=a.example/" + more_words);
    request.is_in_loop = true;
    return server.service->answer(request);
  };
  EXPECT_TRUE(in_loop("&direction=in").needs_worker);
  EXPECT_TRUE(in_loop("&direction=in&at=2021").needs_worker);
  EXPECT_TRUE(in_loop("&level=host").needs_worker);
  EXPECT_FALSE(in_loop("").needs_worker);
  EXPECT_EQ(in_loop("").status, 200);
  // A worker answers, and what it answered is kept for the loop.
  const Response answered = server.ask("/api/v1/lib/links?url=a.example/&direction=in");
  EXPECT_EQ(answered.status, 200);
  const Response kept = in_loop("&direction=in");
  EXPECT_FALSE(kept.needs_worker);
  EXPECT_EQ(kept.body, answered.body);
}

TEST(DiffAnswer, ListsChangesFromPlaceToPlace) {
  SmallServer server;
  const std::string diff = "/api/v1/lib/diff?from=2020&to=2021&list=all";
  Request lines = get(diff);
  lines.accept = "application/x-ndjson";
  const std::string all = whole_body(server.service->answer(lines));
  const auto count = static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
  ASSERT_GT(count, 2u) << all;
  std::string joined;
  for (std::size_t after = 0; after < count; ++after) {
    const std::string one = server.body(diff + "&limit=1&after=" + std::to_string(after));
    const std::size_t begin = one.find("\"changes\":[") + 11;
    joined += one.substr(begin, one.find(']', begin) - begin) + "\n";
    EXPECT_EQ(has(one, "\"next\":\"" + std::to_string(after + 1) + "\""), after + 1 < count) << one;
    EXPECT_TRUE(has(one, "\"left_out\":" + std::to_string(count - after - 1))) << one;
  }
  EXPECT_EQ(joined, all);
}

TEST(LinksAnswer, CountsByHostAndYear) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/links?url=a.example/*&level=host");
  EXPECT_TRUE(has(body, "{\"name\":\"a.example\",\"links\":2,")) << body;
  EXPECT_TRUE(has(body,
                  "\"name\":\"b.example\",\"links\":1,\"first\":\"2020-06-01T00:00:00Z\","
                  "\"last\":\"2020-06-01T00:00:00Z\",\"years\":{\"2020\":1}"))
      << body;
}

TEST(CapturesAnswer, ListsThemAndContinues) {
  SmallServer server;
  const std::string all = server.body(std::string("/api/v1/lib/captures?") + kHome);
  EXPECT_TRUE(has(all, "\"time\":\"2020-06-01T00:00:00Z\"") && has(all, "\"links\":2")) << all;
  const std::string late = server.body(std::string("/api/v1/lib/captures?from=2021&") + kHome);
  EXPECT_FALSE(has(late, "2020-06-01")) << late;
  const std::string first = server.body("/api/v1/lib/captures?url=a.example/*&limit=1");
  ASSERT_TRUE(has(first, "\"next\":\"1 http://a.example/\"")) << first;
  const std::string rest =
      server.body("/api/v1/lib/captures?url=a.example/*&after=1+http%3A%2F%2Fa.example%2F");
  EXPECT_FALSE(has(rest, "2020-06-01")) << rest;
  EXPECT_TRUE(has(rest, "\"status\":404")) << rest;
}

TEST(PageAnswer, HasItsStatesOverTime) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/page?url=a.example/doc/one");
  EXPECT_TRUE(has(body, "\"state\":\"gone\",\"since\":\"2022-06-01T00:00:00Z\"")) << body;
  EXPECT_TRUE(has(body,
                  "\"states\":[{\"state\":\"present\",\"since\":\"2021-06-01T00:00:00Z\","
                  "\"until\":\"2021-06-01T00:00:00Z\"},{\"state\":\"gone\""))
      << body;
  EXPECT_TRUE(has(body, "\"links_in\":1")) << body;
}

// The home page was seen in 2020 and 2021: present since the first, seen last in the second.
TEST(PageAnswer, IsInItsStateSinceTheFirstSightingThatAgrees) {
  SmallServer server;
  const std::string now = server.body(std::string("/api/v1/lib/page?") + kHome);
  EXPECT_TRUE(has(now,
                  "\"state\":\"present\",\"since\":\"2020-06-01T00:00:00Z\","
                  "\"seen\":\"2021-06-01T00:00:00Z\""))
      << now;
  const std::string before = server.body(std::string("/api/v1/lib/page?at=2020&") + kHome);
  EXPECT_TRUE(has(before, "\"seen\":\"2020-06-01T00:00:00Z\"")) << before;
}

TEST(HistoryAnswer, SaysInWhichCapturesALinkWas) {
  SmallServer server;
  const std::string body =
      server.body("/api/v1/lib/history?source=http://a.example/&target=http://c.example/");
  EXPECT_TRUE(has(body,
                  "\"seen\":[{\"time\":\"2020-06-01T00:00:00Z\",\"present\":false},"
                  "{\"time\":\"2021-06-01T00:00:00Z\",\"present\":true}]"))
      << body;
  EXPECT_EQ(server.ask("/api/v1/lib/history?source=a.example/doc/one&target=c.example/").status,
            404);
}

TEST(UrlsAnswer, CompletesAndListsWildcards) {
  SmallServer server;
  EXPECT_TRUE(has(server.body("/api/v1/lib/urls?url=a.example/d"), "http://a.example/doc/one"));
  EXPECT_TRUE(has(server.body("/api/v1/lib/urls?url=b.ex"), "http://b.example/x"));
  const std::string two = server.body("/api/v1/lib/urls?url=*.example&limit=2");
  EXPECT_TRUE(has(two, "\"next\":\"http://b.example/x\"")) << two;
  const std::string rest =
      server.body("/api/v1/lib/urls?url=*.example&after=http%3A%2F%2Fb.example%2Fx");
  EXPECT_TRUE(has(rest, "\"urls\":[{\"url\":\"http://b.example/x\"")) << rest;
  const std::string captured = server.body("/api/v1/lib/urls?url=*.example&captured=true");
  EXPECT_FALSE(has(captured, "b.example")) << captured;
  EXPECT_TRUE(has(server.body("/api/v1/lib/urls?url=nothing.example/"), "\"urls\":[]"));
}

TEST(UrlsAnswer, CountsFolders) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/urls?url=a.example/*&group=folder");
  EXPECT_TRUE(has(body,
                  "{\"path\":\"/doc/\",\"url\":\"http://a.example/doc/\",\"nodes\":1,"
                  "\"pages\":1,\"captures\":1,\"years\":{\"2021\":1}}"))
      << body;
}

TEST(HostsAnswer, CountsAndSorts) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/hosts?sort=pages&order=descending&limit=1");
  EXPECT_TRUE(has(body,
                  "\"total\":3,\"hosts\":[{\"host\":\"a.example\",\"domain\":\"a.example\","
                  "\"nodes\":2,\"pages\":2,\"captures\":3,\"links\":4,"))
      << body;
  EXPECT_TRUE(has(body, "\"years\":{\"2020\":1,\"2021\":2}}],\"next\":\"1\"")) << body;
  EXPECT_TRUE(has(server.body("/api/v1/lib/hosts?match=*.example"), "\"total\":3"));
  EXPECT_TRUE(has(server.body("/api/v1/lib/hosts?match=b.ex"), "\"total\":1"));
}

// Links in the order of keys: a.example/doc/one in both captures, b.example/x in the first,
// c.example/ in the second.
TEST(StrataAnswer, HasRunsOfColumns) {
  SmallServer server;
  const std::string body = server.body(std::string("/api/v1/lib/strata?") + kHome);
  EXPECT_TRUE(has(body, "\"times\":[1590969600,1622505600]")) << body;
  EXPECT_TRUE(has(body, "\"runs\":[[0,2],[0,1],[1,1]]")) << body;
  EXPECT_EQ(server.ask("/api/v1/lib/strata?url=a.example/*").status, 400);
}

TEST(StatsAnswer, OfAWildcardIsByMonth) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/stats?url=a.example/*");
  EXPECT_TRUE(has(body, "\"2021-06\":{\"captures\":2,\"new_pages\":1,\"births\":1,\"deaths\":1}"))
      << body;
}

TEST(DiffAnswer, ListsWhatChanged) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/diff?from=2020&to=2021&list=all");
  EXPECT_TRUE(has(body,
                  "{\"change\":\"vanished\",\"source\":\"http://a.example/\",\"target\":"
                  "\"http://b.example/x\"}"))
      << body;
  EXPECT_TRUE(has(body, "\"pages_appeared\":1")) << body;
  EXPECT_TRUE(has(body, "\"left_out\":0,")) << body;
}

// At the end of 2020 only the home page is known; at the end of 2021 it is seen again, and doc/one
// is new.
TEST(DiffAnswer, CountsByFolder) {
  SmallServer server;
  const std::string body =
      server.body("/api/v1/lib/diff?from=2020&to=2021&url=a.example/*&group=folder");
  EXPECT_TRUE(has(body,
                  "\"folders\":[{\"path\":\"/\",\"url\":\"http://a.example/\",\"pages_kept\":1,"
                  "\"pages_appeared\":0,\"pages_vanished\":0,\"pages_not_seen\":0},"
                  "{\"path\":\"/doc/\",\"url\":\"http://a.example/doc/\",\"pages_kept\":0,"
                  "\"pages_appeared\":1,"))
      << body;
  const std::string deeper =
      server.body("/api/v1/lib/diff?from=2021&to=2022&url=a.example/doc/*&group=folder");
  EXPECT_TRUE(has(deeper, "\"folders\":[{\"path\":\"/doc/one\",")) << deeper;
  EXPECT_TRUE(has(deeper, "\"pages_vanished\":1")) << deeper;
  EXPECT_EQ(server.ask("/api/v1/lib/diff?from=2020&to=2021&group=folder").status, 400);
}

TEST(StatsAnswer, HasBirthsAndDeaths) {
  SmallServer server;
  const std::string body = server.body("/api/v1/lib/stats");
  EXPECT_TRUE(has(body, "\"births\":1,\"deaths\":1")) << body;
}

TEST(RankAnswer, HasTheTopAndTheScoreOfAUrl) {
  SmallServer server;
  const Archive archive = Archive::open(server.path());
  // a.example/, a.example/doc/one, b.example/x, c.example/
  save_scores(server.path(), "pagerank_2021", archive.manifest().generation,
              std::vector<double>{0.5, 0.25, 0.125, 0.375});
  const std::string top = server.body("/api/v1/lib/rank?limit=2");
  EXPECT_TRUE(has(top,
                  "{\"column\":\"pagerank_2021\",\"date\":\"2021\",\"top\":[{\"url\":"
                  "\"http://a.example/\",\"uid\":0,\"score\":0.5},{\"url\":"
                  "\"http://c.example/\""))
      << top;
  const std::string one = server.body("/api/v1/lib/rank?url=a.example/doc/one");
  EXPECT_TRUE(has(one, "\"score\":0.25,\"rank\":3")) << one;
  EXPECT_EQ(server.ask("/api/v1/lib/rank?column=other").status, 404);
}

// A hub links to forty hosts that nothing else links to: its own PageRank is the lowest, and
// without it a picture of twenty nodes would have no connection.
TEST(NetworkAnswer, KeepsAHubWithItsLinks) {
  SmallServer server;
  std::vector<std::string> targets;
  for (int i = 0; i < 40; ++i) targets.push_back("http://t" + std::to_string(i) + ".example/");
  update_archive(server.path(), {page_seen("http://hub.example/", "2021-07-01", targets)});
  const std::string body = server.body("/api/v1/lib/network?at=2021&limit=20");
  EXPECT_TRUE(has(body, "\"name\":\"hub.example\"")) << body;
  EXPECT_FALSE(has(body, "\"links\":[]")) << body;
}

TEST(NetworkAnswer, IsOfHostsOrPages) {
  SmallServer server;
  const std::string hosts = server.body("/api/v1/lib/network?at=2021");
  EXPECT_TRUE(has(hosts, "\"name\":\"a.example\"") && has(hosts, "\"total_nodes\":2")) << hosts;
  const std::string pages = server.body("/api/v1/lib/network?level=page&url=a.example/doc/one");
  EXPECT_TRUE(has(pages,
                  "\"nodes\":[{\"name\":\"http://a.example/doc/one\",\"uid\":1},"
                  "{\"name\":\"http://a.example/\",\"uid\":0}]"))
      << pages;
  EXPECT_TRUE(has(pages, "\"links\":[[0,1,1],[1,0,1]]")) << pages;
  EXPECT_EQ(server.ask("/api/v1/lib/network?url=none.example").status, 404);
  EXPECT_EQ(server.ask("/api/v1/lib/network?level=page").status, 400);
}

}  // namespace
}  // namespace webstrata::serve
