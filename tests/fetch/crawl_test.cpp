// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/crawl.h"

#include "tests/fetch/crawl_fixture.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/ledger/ledger_export.h"

namespace webstrata {
namespace {

TEST_F(CrawlTest, EverythingInScopeIsAskedOnceAndPolitely) {
  CrawlSettings all = settings();
  const CrawlResult result = run(all);
  EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
  expect_polite(1000);
  EXPECT_GT(result.news.pages, 100U);
  EXPECT_EQ(asked_pages().size(), result.news.pages);
  EXPECT_EQ(web.log().size(), result.news.pages + RandomWeb::kHosts);  // each once, and robots.txt
}

TEST_F(CrawlTest, FailuresAreTriedAgainLater) {
  pages.fail_share = 0.1;
  const CrawlResult result = run(settings());
  expect_polite(1000);
  EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
  EXPECT_EQ(asked_pages().size(), result.news.pages);
  EXPECT_GT(web.log().size(), result.news.pages + RandomWeb::kHosts);
}

TEST_F(CrawlTest, ScopeAndDepthHold) {
  CrawlSettings narrow = settings();
  narrow.scope.add_host("h0.example");
  narrow.depth_max = 1;
  run(narrow);
  for (const std::string& url : asked_pages()) EXPECT_TRUE(url.starts_with("http://h0.example/"));
  std::set<std::string> linked = {"http://h0.example/0"};
  std::string body = pages.pages["http://h0.example/0"];
  for (std::size_t at = body.find("http"); at != std::string::npos;
       at = body.find("http", at + 1)) {
    const std::string url = body.substr(at, body.find('\'', at) - at);
    if (url.starts_with("http://h0.example/") && !url.ends_with("/7")) linked.insert(url);
  }
  EXPECT_EQ(asked_pages(), linked);
}

TEST_F(CrawlTest, TheBudgetIsSpentToTheLastRequestAndNotBeyond) {
  const CrawlResult result = run(settings(), {.requests = 40});
  EXPECT_EQ(result.end, CrawlEnd::Spent);
  EXPECT_EQ(web.log().size(), 40U);
  CrawlSettings more = settings();
  more.seeds = {};
  run(more, {.requests = 60});
  EXPECT_EQ(web.log().size(), 60U);
  expect_polite(1000);
}

TEST_F(CrawlTest, AWeekOfCrawlingTakesSeconds) {
  const Moment start = clock.now();
  const CrawlResult result = run(settings(), {.rate = Rate{1, 3'600'000}}, {.delay_ms = 60'000});
  EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
  EXPECT_GT(clock.now() - start, Moment{6} * 86'400'000);
}

TEST_F(CrawlTest, OnlyTheFoundPagesOfABudgetInTime) {
  const CrawlResult result = run(settings(), {.time_ms = 10'000});
  EXPECT_EQ(result.end, CrawlEnd::Spent);
  EXPECT_EQ(result.reason, "the time of 10s is over");
}

// "Flags given now replace its own": also for URLs that were let in under the old ones.
TEST_F(CrawlTest, ANarrowerScopeHoldsForUrlsThatWait) {
  run(settings(), {.requests = 40});
  const std::size_t before = web.log().size();
  CrawlSettings narrow = settings();
  narrow.seeds.clear();
  narrow.scope.add_host("h3.example");
  const CrawlResult result = run(narrow);
  for (std::size_t i = before; i < web.log().size(); ++i) {
    EXPECT_TRUE(web.log()[i].url.starts_with("http://h3.example/")) << web.log()[i].url;
  }
  EXPECT_GT(web.log().size(), before);
  EXPECT_EQ(result.news.outside, result.news.waiting);
  EXPECT_GT(result.news.outside, 0U);
  // They still wait, for a run with a wider scope.
  CrawlSettings wide = settings();
  wide.seeds.clear();
  EXPECT_EQ(run(wide).news.waiting, 0U);
  EXPECT_EQ(asked_pages().size(), web.log().size() - RandomWeb::kHosts) << "each once";
}

// The other way around: what was turned away only for its scope or depth is let in.
TEST_F(CrawlTest, AWiderScopeAndDepthHoldForUrlsThatWereTurnedAway) {
  CrawlSettings narrow = settings();
  narrow.scope.add_host("h0.example");
  narrow.depth_max = 1;
  EXPECT_EQ(run(narrow).end, CrawlEnd::NothingLeft);
  const std::size_t before = asked_pages().size();
  for (const std::string order : {"found", "bf"}) {
    CrawlSettings wide = settings();
    wide.seeds.clear();
    wide.order.name = order;
    wide.scope.add_domain("example");
    EXPECT_EQ(run(wide).end, CrawlEnd::NothingLeft);
  }
  const std::set<std::string> asked = asked_pages();
  EXPECT_GT(asked.size(), before + 100);
  EXPECT_EQ(asked.size(), web.log().size() - RandomWeb::kHosts) << "each once";
  std::filesystem::remove_all(folder / "job");
  run(settings());
  EXPECT_EQ(asked_pages(), asked) << "as if the scope had been wide from the beginning";
}

TEST_F(CrawlTest, ASmallerDepthHoldsForUrlsThatWait) {
  run(settings(), {.requests = 40});
  const std::size_t before = web.log().size();
  CrawlSettings narrow = settings();
  narrow.seeds.clear();
  narrow.depth_max = 0;
  run(narrow);
  EXPECT_EQ(web.log().size(), before);
}

// A robots.txt that would take seconds for each page.
TEST_F(CrawlTest, RulesThatAreTooMuchWorkAreCounted) {
  std::string robots = "user-agent: *\n";
  for (int rule = 0; rule < 20'000; ++rule)
    robots += "disallow: /*a*a" + std::to_string(rule) + "\n";
  const std::string longest = "/" + std::string(1900, 'a');
  pages.special = {{"http://h0.example/robots.txt", robots},
                   {"http://h0.example/0", "<a href='" + longest + "'>x</a><a href=/1>y</a>"},
                   {"http://h0.example/1", "fine"}};
  CrawlSettings own = settings();
  own.scope.add_host("h0.example");
  const CrawlResult result = run(own);
  EXPECT_EQ(result.news.robots_capped, 1U);
  EXPECT_EQ(result.news.pages, 2U);
  EXPECT_FALSE(asked_pages().contains("http://h0.example" + longest));
}

// A host whose pages no link leads to, but the sitemaps that its robots.txt names: an index with a
// part that is XML, and one of plain lines.
struct SitemapCrawlTest : CrawlTest {
  SitemapCrawlTest() {
    const std::string host = "http://map.example";
    pages.special = {{host + "/robots.txt",
                      "User-agent: *\nDisallow: /7\nSitemap: /index.xml\nSitemap: "
                      "http://map.example/lines.txt\n"},
                     {host + "/index.xml",
                      "<sitemapindex><sitemap><loc>http://map.example/part.xml</loc>"
                      "</sitemap></sitemapindex>"},
                     {host + "/part.xml",
                      "<urlset><url><loc>http://map.example/d/1</loc></url>"
                      "<url><loc>http://map.example/7</loc></url>"
                      "<url><loc>http://else.example/</loc></url></urlset>"},
                     {host + "/lines.txt", "http://map.example/d/2\n"},
                     {host + "/", "<p>no links"},
                     {host + "/d/1", "<p>one"},
                     {host + "/d/2", "<p>two"}};
  }
  CrawlSettings mapped(const std::string& order) {
    CrawlSettings mapped = settings();
    mapped.seeds = {"http://map.example/"};
    mapped.scope.add_host("map.example");
    mapped.with_sitemaps = true;
    mapped.order.name = order;
    return mapped;
  }
  const std::set<std::string> all = {"http://map.example/",         "http://map.example/index.xml",
                                     "http://map.example/part.xml", "http://map.example/lines.txt",
                                     "http://map.example/d/1",      "http://map.example/d/2"};
};

TEST_F(SitemapCrawlTest, LeadToPagesThatNothingLinksTo) {
  CrawlSettings without = mapped("found");
  without.with_sitemaps = false;
  run(without);
  EXPECT_EQ(asked_pages(), std::set<std::string>{"http://map.example/"});
}

TEST_F(SitemapCrawlTest, AreAskedInEveryOrderAndScoreNothing) {
  for (const std::string order : {"found", "bf"}) {
    std::filesystem::remove_all(folder / "job");
    const std::size_t before = web.log().size();
    const CrawlResult result = run(mapped(order));
    EXPECT_EQ(asked_pages(), all) << order;
    EXPECT_EQ(web.log().size() - before, all.size() + 1) << "each once, and robots.txt";
    EXPECT_EQ(result.news.pages, 3U) << order;
    EXPECT_EQ(result.news.harvest, 3) << order;
  }
}

TEST_F(SitemapCrawlTest, StayInScopeButForTheSitemapOfTheHostItself) {
  CrawlSettings narrow = mapped("found");
  narrow.scope = {};
  narrow.scope.add_prefix("http://map.example/d/");
  narrow.seeds = {"http://map.example/d/1"};
  run(narrow);
  EXPECT_EQ(asked_pages(),
            (std::set<std::string>{"http://map.example/d/1", "http://map.example/index.xml",
                                   "http://map.example/lines.txt", "http://map.example/d/2"}));
}

TEST_F(SitemapCrawlTest, AreKnownAgainWhenAJobGoesOn) {
  for (const std::uint64_t requests : {2, 3, 4, 5, 6, 7, 20}) {
    CrawlSettings again = mapped("bf");
    if (requests > 2) again.seeds.clear();
    run(again, {.requests = requests});
  }
  EXPECT_EQ(asked_pages(), all);
  EXPECT_EQ(web.log().size(), all.size() + 1);
}

// A folder as the scope, and a robots.txt that has expired when the job is resumed.
TEST_F(SitemapCrawlTest, OfTheHostItselfAreAskedWhenAJobGoesOnInANarrowScope) {
  CrawlSettings narrow = mapped("found");
  narrow.scope = {};
  narrow.scope.add_prefix("http://map.example/d/");
  narrow.seeds = {"http://map.example/d/1"};
  run(narrow, {.requests = 2});
  clock.advance_to(clock.now() + Moment{2} * 86'400'000);
  narrow.seeds.clear();
  run(narrow);
  EXPECT_EQ(asked_pages(),
            (std::set<std::string>{"http://map.example/d/1", "http://map.example/index.xml",
                                   "http://map.example/lines.txt", "http://map.example/d/2"}));
}

TEST_F(CrawlTest, EstimatorsOfExploreDecideTheOrder) {
  CrawlSettings settled = settings();
  settled.order.name = "bf";
  const CrawlResult result = run(settled, {}, {.delay_ms = 0, .connections = 1});
  EXPECT_EQ(asked_pages().size(), result.news.pages);
  // Breadth first: no page is requested before one that is nearer to the seed.
  std::map<std::string, int> depth = {{"http://h0.example/0", 0}};
  int last = 0;
  for (const auto& asked : web.log()) {
    if (asked.url.ends_with("robots.txt")) continue;
    ASSERT_TRUE(depth.contains(asked.url));
    EXPECT_GE(depth[asked.url], last);
    last = depth[asked.url];
    const std::string& body = pages.pages[asked.url];
    for (std::size_t at = body.find("http"); at != std::string::npos;
         at = body.find("http", at + 1)) {
      depth.emplace(body.substr(at, body.find('\'', at) - at), last + 1);
    }
  }
  CrawlSettings unknown = settings();
  unknown.order.name = "no-such-order";
  Ledger ledger = Ledger::create(folder / "other", clock.now());
  EXPECT_THROW(crawl(web, clock, ledger, unknown), Error);
}

// What the ledger says about each charge for a page, by its URL: the score, and why.
using Grounds = std::multimap<std::string, std::pair<std::string, std::string>>;
Grounds grounds_in(const std::filesystem::path& job) {
  Grounds grounds;
  export_ledger(job, [&](std::string_view line) {
    if (!line.starts_with("{\"record\":\"charge\"") || line.find("\"robots\"") != line.npos) return;
    const auto field = [&](const std::string& name, const char* end) {
      const std::size_t at = line.find("\"" + name + "\":") + name.size() + 3;
      return std::string(line.substr(at, line.find(end, at) - at));
    };
    grounds.emplace(field("url", ",\"host"),
                    std::pair(field("score", ",\"why"), field("why", ",\"settled")));
  });
  return grounds;
}

// Pages are worth what their text says: 0 is worth 1 and leads to 1 and 2; 1 is worth 0.5 and leads
// to 2 and 3. So once 1 is fetched, two pages worth 1.5 link to 2, and one worth 0.5 to 3.
TEST_F(CrawlTest, TheLedgerSaysByWhichScoreEachPageWasChosen) {
  pages.special = {{"http://h0.example/0", "<a href=/1>x</a><a href=/2>x</a>worth 1"},
                   {"http://h0.example/1", "<a href=/2>x</a><a href=/3>x</a>worth 0.5"},
                   {"http://h0.example/2", "worth 0"},
                   {"http://h0.example/3", "worth 0"}};
  CrawlSettings led = settings();
  led.order.name = "nh-n-sum";
  led.topic.wanting = [](ReadOptions options) {
    options.with_text = true;
    return options;
  };
  led.topic.score = [](const Capture& capture, std::vector<double>&) {
    const std::size_t at = capture.text.find("worth ");
    return at == std::string::npos ? 0 : std::stod(std::string(capture.text.substr(at + 6)));
  };
  run(led, {}, {.delay_ms = 0, .connections = 1});
  EXPECT_EQ(grounds_in(folder / "job"),
            (Grounds{{R"("http://h0.example/0")", {"0", R"("seed")"}},
                     {R"("http://h0.example/1")", {"1", R"("nh-n-sum")"}},
                     {R"("http://h0.example/2")", {"1.5", R"("nh-n-sum")"}},
                     {R"("http://h0.example/3")", {"0.5", R"("nh-n-sum")"}}}));
}

// Page 1 is overloaded twice; the job ends in between, and is resumed.
TEST_F(CrawlTest, AnotherTryHasTheScoreOfTheFirst) {
  pages.special = {{"http://h0.example/0", "<a href=/1>x</a>"}, {"http://h0.example/1", "well"}};
  pages.overloads = {{"http://h0.example/1", 2}};
  CrawlSettings led = settings();
  led.order.name = "nh-n-sum";
  run(led, {.requests = 3});
  led.seeds.clear();
  run(led);
  EXPECT_EQ(grounds_in(folder / "job"),
            (Grounds{{R"("http://h0.example/0")", {"0", R"("seed")"}},
                     {R"("http://h0.example/1")", {"1", R"("nh-n-sum")"}},
                     {R"("http://h0.example/1")", {"1", R"("again, it answered 503")"}},
                     {R"("http://h0.example/1")", {"1", R"("again, it answered 503")"}}}));
}

// A transport whose program dies: at a random request it throws, and nothing is cleaned up.
struct Killed {};
class KillingWeb : public Transport {
 public:
  KillingWeb(ToyWeb& web, std::uint64_t lives) : web_(web), lives_(lives) {}
  RequestId start(const Request& request) override {
    tick();
    return web_.start(request);
  }
  std::vector<Response> wait(Moment until) override {
    tick();
    return web_.wait(until);
  }
  void cancel(RequestId id) override { web_.cancel(id); }
  [[nodiscard]] std::size_t in_flight() const override { return web_.in_flight(); }
  [[nodiscard]] std::vector<RequestId> halted() const override { return web_.halted(); }
  void grant(RequestId id, std::uint64_t body_bytes) override { web_.grant(id, body_bytes); }

 private:
  void tick() {
    if (lives_-- == 0) throw Killed();
  }
  ToyWeb& web_;
  std::uint64_t lives_;
};

TEST_F(CrawlTest, AfterKillsNoHostIsAskedTooEarlyAndNoBudgetIsOverspent) {
  pages.fail_share = 0.05;
  Random random(11);
  CrawlSettings again = settings();
  int kills = 0;
  CrawlResult result;
  for (bool is_done = false; !is_done; again.seeds.clear()) {
    // Answers to a dead program are lost.
    ToyWeb fresh(clock, [this](const Request& request, Moment) { return pages.answer(request); });
    KillingWeb killing(fresh, 1 + random.below(40));
    try {
      Ledger ledger = again.seeds.empty() ? Ledger::open(folder / "job", clock.now())
                                          : Ledger::create(folder / "job", clock.now());
      ledger.set_rules({.delay_ms = 1000, .failures_max = 50}, {.requests = 400});
      result = crawl(killing, clock, ledger, again);
      is_done = true;
    } catch (const Killed&) {
      ++kills;
    }
    for (const auto& asked : fresh.log()) log.push_back(asked);
    clock.advance_to(clock.now() + static_cast<Moment>(random.below(1500)));
  }
  EXPECT_GE(kills, 10);
  EXPECT_LE(log.size(), 400U);
  EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
  std::map<std::string, Moment> last;
  for (const auto& asked : log) {
    const std::string host = asked.url.substr(0, asked.url.find('/', 7));
    if (last.contains(host)) {
      EXPECT_GE(asked.time - last[host], 1000) << asked.url;
    }
    last[host] = asked.time;
  }
  // Every request that left was charged, and nothing else except those that a kill prevented.
  EXPECT_GE(result.news.requests, log.size());
  // Answers of a kilobyte that were lost are not counted as 16 megabytes, nor as received.
  EXPECT_GT(result.news.lost, 10U);
  EXPECT_LE(result.news.bytes_reserved, result.news.lost * (128 << 10));
  EXPECT_LT(result.news.bytes, log.size() * 2000);
}

}  // namespace
}  // namespace webstrata
