// SPDX-License-Identifier: Apache-2.0

// Runs small enough to count by hand: a crawl of four pages, a campaign of three answers, two
// seeds.

#include "webstrata/serve/runs/runs.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"
#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger.h"

namespace webstrata::serve {
namespace {

constexpr Moment kSecond = 1000;

// a.example/ is alive and leads to /one (moved), /two (gone) and /three, which waits.
void write_crawl(const std::filesystem::path& folder) {
  Ledger ledger = Ledger::create(folder, 0);
  ledger.set_rules({.delay_ms = 0}, {});
  ledger.set_setting(kSeedHosts, "a.example\n");
  const auto seed = *ledger.add("http://a.example/", {.found = 1 * kSecond});
  const auto visit = [&](UrlNumber url, Moment now, const Settlement& settlement) {
    const auto charge = ledger.lease(
        {.url = url, .host = "a.example", .bytes_max = 500, .score = 0.5, .why = "bf"}, now);
    ASSERT_TRUE(charge);
    ledger.commit(now);
    ledger.settle(*charge, settlement, now);
    ledger.commit(now);
  };
  visit(seed, 10 * kSecond,
        {.outcome = Outcome::Alive, .status = 200, .bytes = 100, .file = "x.gz", .offset = 7});
  ledger.learn({.url = seed, .score = 1.5});
  const UrlOrigin origin = {.from = seed, .depth = 1, .found = 10 * kSecond};
  const auto one = *ledger.add("http://a.example/one", origin);
  const auto two = *ledger.add("http://a.example/two", origin);
  ledger.add("http://a.example/three", origin);
  visit(one, 20 * kSecond,
        {.outcome = Outcome::Moved, .status = 301, .target = "http://b.example/", .bytes = 50});
  visit(two, 30 * kSecond,
        {.outcome = Outcome::Gone, .status = 404, .evidence = "404", .bytes = 60});
  ledger.commit(40 * kSecond);
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path) << text;
}

struct RunsServer : SmallServer {
  RunsServer() {
    write_crawl(folder / "week");
    write_text(
        folder / "lost.tsv",
        "webstrata liverank 1\nset\tby\tlore\nset\ttarget\tpresent\nasked\thttp://a.example/\n"
        "asked\thttp://b.example/\nasked\thttp://c.example/\nanswer\thttp://a.example/\t200\n"
        "answer\thttp://b.example/\tgone\nanswer\thttp://d.example/\talive\n");
    std::filesystem::last_write_time(
        folder / "lost.tsv",
        std::chrono::file_clock::from_sys(std::chrono::sys_seconds(std::chrono::seconds(100))));
    write_text(folder / "begin.json",
               R"({"method":"pandora","ended":"wanted","seeds":[)"
               R"({"url":"http://a.example/","score":0.5,"why":"reaches much"},)"
               R"({"url":"http://b.example/","score":0.25,"why":"reaches less"}]})");
    runs.emplace(std::vector<std::string>{(folder / "week").string(),
                                          "lost=" + (folder / "lost.tsv").string(),
                                          (folder / "begin.json").string()});
    service.emplace(*archives, *runs, settings);
  }
};

TEST(Runs, AreListedByName) {
  RunsServer server;
  EXPECT_EQ(server.body("/api/v1/lib/runs"),
            R"({"runs":[{"name":"begin","kind":"seeds","running":false,"tests":0,"found":2},)"
            R"({"name":"lost","kind":"campaign","running":false,"changed":"1970-01-01T00:01:40Z",)"
            R"("tests":3,"found":2,"waiting":1},)"
            R"({"name":"week","kind":"crawl","running":false,"began":"1970-01-01T00:00:01Z",)"
            R"("changed":"1970-01-01T00:00:30Z","tests":3,"found":1,"waiting":1,"harvest":1.5}]})"
            "\n");
}

TEST(Runs, HaveStatusAndCurve) {
  RunsServer server;
  const std::string status = server.body("/api/v1/lib/runs/week");
  for (const std::string_view part :
       {R"("outcomes":{"alive":1,"gone":1,"moved":1})", R"("states":{"done":3,"waiting":1})",
        R"("requests":3,"bytes":210,"lost":0,"hosts":1)"}) {
    EXPECT_NE(status.find(part), std::string::npos) << part << " in " << status;
  }
  EXPECT_EQ(server.body("/api/v1/lib/runs/week/curve"),
            R"({"columns":["tests","found","harvest","time"],)"
            R"("points":[[1,1,1.5,10],[2,1,1.5,20],[3,1,1.5,30]]})"
            "\n");
  EXPECT_EQ(server.body("/api/v1/lib/runs/week/curve?limit=2"),
            R"({"columns":["tests","found","harvest","time"],"points":[[1,1,1.5,10],[3,1,1.5,30]]})"
            "\n");
  EXPECT_EQ(server.body("/api/v1/lib/runs/lost/curve"),
            R"({"columns":["tests","found"],"points":[[1,1],[2,1],[3,2]]})"
            "\n");
  EXPECT_EQ(server.body("/api/v1/lib/runs/begin/curve"),
            R"({"columns":["seeds","score"],"points":[[1,0.5],[2,0.25]]})"
            "\n");
}

TEST(Runs, ShowWhatBecameOfEachPage) {
  RunsServer server;
  EXPECT_EQ(server.body("/api/v1/lib/runs/week/pages?outcome=moved"),
            R"({"pages":[{"url":"http://a.example/one","state":"done","outcome":"moved",)"
            R"("status":301,"target":"http://b.example/","time":"1970-01-01T00:00:20Z",)"
            R"("tries":1,"depth":1,"from":"http://a.example/"}]})"
            "\n");
  const std::string first = server.body("/api/v1/lib/runs/week/pages?limit=3");
  EXPECT_NE(first.find(R"("next":"3")"), std::string::npos) << first;
  EXPECT_EQ(server.body("/api/v1/lib/runs/week/pages?after=3"),
            R"({"pages":[{"url":"http://a.example/three","state":"waiting","depth":1,)"
            R"("from":"http://a.example/"}]})"
            "\n");
  EXPECT_EQ(server.body("/api/v1/lib/runs/week/pages?match=two&state=waiting"), "{\"pages\":[]}\n");
  EXPECT_EQ(server.body("/api/v1/lib/runs/lost/pages?state=waiting"),
            R"({"pages":[{"url":"http://c.example/","state":"waiting"}]})"
            "\n");
  EXPECT_EQ(server.ask("/api/v1/lib/runs/week/pages?after=x").status, 400);
}

TEST(Runs, SayWhy) {
  RunsServer server;
  EXPECT_EQ(server.body("/api/v1/lib/runs/week/why?url=http://a.example/two"),
            R"({"url":"http://a.example/two","state":"done","outcome":"gone","status":404,)"
            R"("evidence":"404","time":"1970-01-01T00:00:30Z","tries":1,"depth":1,)"
            R"("from":"http://a.example/","path":["http://a.example/"],"requests":[)"
            R"({"time":"1970-01-01T00:00:30Z","kind":"page","why":"bf","score":0.5,)"
            R"("outcome":"gone","status":404,"evidence":"404"}]})"
            "\n");
  EXPECT_NE(server.body("/api/v1/lib/runs/lost/why?url=http://b.example/")
                .find(R"("why":"page 2 of the plans by lore")"),
            std::string::npos);
  EXPECT_EQ(server.ask("/api/v1/lib/runs/week/why?url=http://a.example/none").status, 404);
  EXPECT_EQ(server.ask("/api/v1/lib/runs/week/why").status, 400);
}

TEST(Runs, HavePlansToDownload) {
  RunsServer server;
  const Response plan = server.ask("/api/v1/lib/runs/week/plan");
  EXPECT_EQ(plan.body, "http://a.example/three\n");
  EXPECT_EQ(header(plan, "Content-Disposition"), "attachment; filename=\"week-plan.txt\"");
  EXPECT_EQ(header(plan, "Cache-Control"), "no-store");
  EXPECT_EQ(header(plan, "ETag"), "");
  EXPECT_EQ(server.body("/api/v1/lib/runs/lost/plan"), "http://c.example/\n");
  EXPECT_EQ(server.body("/api/v1/lib/runs/begin/plan?limit=1"), "http://a.example/\n");
}

TEST(Runs, SendAnEventWhenSomethingChanges) {
  RunsServer server;
  Response events = server.ask("/api/v1/lib/runs/lost/events");
  EXPECT_EQ(events.content_type, "text/event-stream");
  EXPECT_TRUE(events.body.starts_with("id: 1\nevent: status\ndata: {\"name\":\"lost\""))
      << events.body;
  std::string more;
  EXPECT_EQ(events.more(more), More::Wait);
  EXPECT_EQ(more, "");
  std::ofstream(server.folder / "lost.tsv", std::ios::app) << "answer\thttp://c.example/\talive\n";
  // A run is read again only after some time, the longer the longer its reading takes.
  for (int tries = 0; tries < 5000 && more.empty(); ++tries) {
    server.service->tick();
    events.more(more);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_TRUE(more.starts_with("id: 2\nevent: status\n")) << more;
  EXPECT_NE(more.find("\"tests\":4,\"found\":3,\"waiting\":0"), std::string::npos) << more;
}

TEST(Runs, LeaveOutWhatAnArchiveHasForgotten) {
  RunsServer server;
  server.forget_now({{ForgetScope::Url, "http://a.example/two"}, {ForgetScope::Host, "b.example"}});
  const std::string pages = server.body("/api/v1/lib/runs/week/pages");
  EXPECT_EQ(pages.find("/two"), std::string::npos) << pages;
  EXPECT_EQ(pages.find("b.example"), std::string::npos) << pages;
  EXPECT_EQ(server.ask("/api/v1/lib/runs/week/why?url=http://a.example/two").status, 404);
  EXPECT_EQ(server.body("/api/v1/lib/runs/begin/plan"), "http://a.example/\n");
}

TEST(Runs, AreRefusedIfTheyAreNone) {
  const TemporaryFolder folder;
  write_text(folder / "text", "something else\n");
  EXPECT_THROW(Runs({(folder / "text").string()}), Error);
  EXPECT_THROW(Runs({(folder / "none").string()}), Error);
  RunsServer server;
  EXPECT_EQ(server.ask("/api/v1/lib/runs/other").status, 404);
  EXPECT_EQ(server.ask("/api/v1/lib/runs/other/events").status, 404);
}

TEST(Runs, OfAFolderAreNoticedWhenTheyAppear) {
  const TemporaryFolder folder;
  Runs runs({folder.path().string()});
  EXPECT_TRUE(runs.places().empty());
  write_text(folder / "text", "something else\n");
  write_text(folder / "c.tsv", "webstrata liverank 1\n");
  write_crawl(folder / "job");
  ASSERT_EQ(runs.places().size(), 2U);
  EXPECT_EQ(runs.places()[0].name, "c");
  EXPECT_EQ(runs.places()[1].name, "job");
}

}  // namespace
}  // namespace webstrata::serve
