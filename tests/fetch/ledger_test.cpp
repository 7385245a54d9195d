// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/ledger/ledger.h"

#include "tests/fetch/ledger_fixture.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/ledger/ledger_keys.h"
#include "webstrata/fetch/ledger/ledger_store.h"

namespace webstrata {
namespace {

TEST_F(LedgerTest, UrlsAreKnownOnce) {
  Ledger ledger = create();
  EXPECT_EQ(ledger.add(kPage, {.found = 5}), 0U);
  EXPECT_FALSE(ledger.add(kPage, {}));
  ledger.turn_away("http://b.example/", {}, TurnedAway::OutsideScope, "outside the scope");
  EXPECT_FALSE(ledger.add("http://b.example/", {}));
  EXPECT_EQ(ledger.find(kPage), 0U);
  EXPECT_EQ(ledger.find("http://b.example/"), kNoUrl);
  EXPECT_FALSE(ledger.find("http://c.example/"));
  EXPECT_EQ(ledger.url(0).url, kPage);
  EXPECT_EQ(ledger.waiting_count(), 1U);
}

// A kill between the first file of the store and the first commit leaves a folder without a job.
TEST_F(LedgerTest, AJobThatHadNotBegunBeginsAgain) {
  const auto job = folder / "early";
  { const Ledger killed = Ledger::create(job, 0); }  // nothing was committed
  EXPECT_THROW(Ledger::open(job, 0), Error);
  {
    Ledger ledger = Ledger::open_or_create(job, 0);
    ledger.add(kPage, {});
    ledger.commit(0);
  }
  EXPECT_EQ(Ledger::open_or_create(job, 0).find(kPage), 0U);
  EXPECT_EQ(Ledger::open_or_create(folder / "none", 0).url_count(), 0U);
}

// On a full disk RocksDB's own log failed first, and its writer aborted the crawl.
TEST_F(LedgerTest, TheStoreKeepsNoLogOfItsOwn) {
  Ledger ledger = create();
  ledger.add(kPage, {});
  ledger.commit(0);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("LOG")) << entry.path();
  }
}

TEST_F(LedgerTest, WhatWasCommittedIsThereAgain) {
  {
    Ledger ledger = create();
    ledger.set_setting("agent", "me");
    ledger.add(kPage, {.from = 3, .depth = 2, .found = 5});
    ledger.turn_away("http://b.example/", {}, TurnedAway::Trap, "no");
    ledger.set_crawl_delay("a.example", 7000);
    ledger.set_robots("http://a.example", {.fetched = 5, .status = 200, .body = "x"});
    ledger.learn({.url = 0, .score = 2, .links = {{1, 0.5}}});
    ledger.set_warc_mark("f.warc.gz", 99, 4);
    ledger.commit(10);
    ledger.add("http://never-committed.example/", {});
  }
  Ledger ledger = reopen(20);
  EXPECT_EQ(ledger.setting("agent"), "me");
  EXPECT_EQ(ledger.url_count(), 1U);
  EXPECT_EQ(ledger.url(0).depth, 2U);
  EXPECT_EQ(ledger.waiting_count(), 1U);
  EXPECT_EQ(ledger.find("http://b.example/"), kNoUrl);
  EXPECT_FALSE(ledger.find("http://never-committed.example/"));
  EXPECT_EQ(ledger.host("a.example").delay_ms, 7000);
  EXPECT_EQ(ledger.robots("http://a.example")->body, "x");
  EXPECT_EQ(ledger.totals().warc_end, 99U);
  int learned = 0;
  ledger.each_learned([&](const LearnedPage& page) {
    EXPECT_EQ(page.links.size(), 1U);
    return ++learned > 0;
  });
  EXPECT_EQ(learned, 1);
}

TEST_F(LedgerTest, OneProcessAtATime) {
  const Ledger ledger = create();
  EXPECT_THROW(Ledger::open(folder.path(), 0), Error);
  EXPECT_THROW(Ledger::create(folder.path(), 0), Error);
}

TEST_F(LedgerTest, ThereMustBeOneToOpen) {
  EXPECT_THROW(Ledger::open(folder / "nowhere", 0), Error);
}

TEST_F(LedgerTest, AHostIsAskedByOneConnectionAndAfterItsDelay) {
  Ledger ledger = create({.delay_ms = 1000});
  const UrlNumber x = *ledger.add(kPage, {});
  const UrlNumber y = *ledger.add("http://a.example/y", {});
  const auto first = ledger.lease({.url = x, .host = "a.example"}, 5000);
  ASSERT_TRUE(first);
  EXPECT_EQ(ledger.free_at("a.example", 5000), kNever);
  EXPECT_FALSE(ledger.lease({.url = y, .host = "a.example"}, 9000));
  ledger.settle(*first, {.outcome = Outcome::Alive, .status = 200, .bytes = 10}, 5600);
  EXPECT_EQ(ledger.url(x).state, UrlState::Done);
  EXPECT_EQ(ledger.free_at("a.example", 5600), 6601);
  EXPECT_FALSE(ledger.lease({.url = y, .host = "a.example"}, 6600));
  EXPECT_TRUE(ledger.lease({.url = y, .host = "a.example"}, 6601));
  EXPECT_TRUE(ledger.free_at("b.example", 6601) == 6601);
}

TEST_F(LedgerTest, HostsOfOneAddressShareItsTime) {
  Ledger ledger = create({.delay_ms = 100, .address_delay_ms = 1000});
  const UrlNumber a = *ledger.add("http://a.example/", {});
  const UrlNumber b = *ledger.add("http://b.example/", {});
  const UrlNumber a2 = *ledger.add("http://a.example/2", {});
  const UrlNumber b2 = *ledger.add("http://b.example/2", {});
  for (const auto& [url, host, time] :
       {std::tuple(a, "a.example", 0), std::tuple(b, "b.example", 0)}) {
    const auto charge = ledger.lease({.url = url, .host = host}, time);
    ASSERT_TRUE(charge);  // their addresses are not known yet
    ledger.settle(*charge, {.status = 200, .address = "192.0.2.1"}, time + 50);
  }
  EXPECT_EQ(ledger.free_at("a.example", 60), 1051);
  const auto charge = ledger.lease({.url = a2, .host = "a.example"}, 1051);
  ASSERT_TRUE(charge);
  EXPECT_EQ(ledger.free_at("b.example", 5000), kNever);  // the address is busy
  ledger.settle(*charge, {.status = 200, .address = "192.0.2.1"}, 1100);
  EXPECT_FALSE(ledger.lease({.url = b2, .host = "b.example"}, 2100));
  EXPECT_TRUE(ledger.lease({.url = b2, .host = "b.example"}, 2101));
}

TEST_F(LedgerTest, NoBudgetIsExceededByOneRequest) {
  Ledger ledger = create({.delay_ms = 0}, {.requests = 3});
  int leased = 0;
  for (int i = 0; i < 10; ++i) {
    const std::string host = "h" + std::to_string(i) + ".example";
    const UrlNumber url = *ledger.add("http://" + host + "/", {});
    if (ledger.lease({.url = url, .host = host}, i)) ++leased;
  }
  EXPECT_EQ(leased, 3);
  EXPECT_EQ(ledger.spent(10), "the budget of 3 requests is spent");
  EXPECT_EQ(ledger.requests_left(), 0U);
}

TEST_F(LedgerTest, BytesAreReservedBeforeTheyAreSpent) {
  Ledger ledger = create({.delay_ms = 0}, {.bytes = 10'000});
  const UrlNumber a = *ledger.add("http://a.example/", {});
  const UrlNumber b = *ledger.add("http://b.example/", {});
  const auto first = ledger.lease({.url = a, .host = "a.example", .bytes_max = 6000}, 0);
  ASSERT_TRUE(first);
  EXPECT_FALSE(ledger.lease({.url = b, .host = "b.example", .bytes_max = 6000}, 0));
  ledger.settle(*first, {.status = 200, .bytes = 100}, 1);
  EXPECT_EQ(ledger.totals().bytes, 100U);
  EXPECT_TRUE(ledger.lease({.url = b, .host = "b.example", .bytes_max = 6000}, 1));
}

TEST_F(LedgerTest, AHostHasItsOwnBudget) {
  Ledger ledger = create({.delay_ms = 0}, {.host_requests = 1});
  const UrlNumber a = *ledger.add("http://a.example/", {});
  const auto charge = ledger.lease({.url = a, .host = "a.example"}, 0);
  ledger.settle(*charge, {.status = 200}, 1);
  EXPECT_EQ(ledger.free_at("a.example", 100), kNever);
  EXPECT_EQ(ledger.free_at("b.example", 100), 100);
}

TEST_F(LedgerTest, TheTimeOfARunCountsAlsoAfterAnother) {
  {
    Ledger ledger = create({}, {.time_ms = 1000});
    ledger.add(kPage, {});
    ledger.commit(700);
  }
  Ledger ledger = reopen(100'000, {}, {.time_ms = 1000});
  EXPECT_EQ(ledger.spent(100'200), "");
  EXPECT_EQ(ledger.spent(100'300), "the time of 1s is over");
}

TEST_F(LedgerTest, WhatAKillTookIsSpentAndTriedAgainAsANewCharge) {
  const PolitenessRules rules{.delay_ms = 1000};
  {
    Ledger ledger = create(rules, {.requests = 2});
    const UrlNumber x = *ledger.add(kPage, {});
    ASSERT_TRUE(ledger.lease({.url = x, .host = "a.example", .bytes_max = 50}, 100));
    ledger.commit(100);
  }  // the request left, and the program died
  {
    Ledger ledger = reopen(400, rules, {.requests = 2});
    EXPECT_EQ(ledger.totals().requests, 1U);
    EXPECT_EQ(ledger.totals().bytes, 50U);
    EXPECT_EQ(ledger.totals().lost, 1U);
    EXPECT_EQ(ledger.url(0).state, UrlState::Waiting);
    EXPECT_EQ(ledger.waiting_count(), 1U);
    // The request may have left just before the end.
    EXPECT_EQ(ledger.free_at("a.example", 400), 1401);
    const auto again = ledger.lease({.url = 0, .host = "a.example"}, 1401);
    ASSERT_TRUE(again);
    ledger.commit(1401);
    ledger.settle(*again, {.outcome = Outcome::Alive, .status = 200}, 1500);
    ledger.commit(1500);
  }
  Ledger ledger = reopen(2000, rules, {.requests = 2});
  EXPECT_EQ(ledger.totals().requests, 2U);
  EXPECT_EQ(ledger.totals().lost, 1U);
  EXPECT_EQ(ledger.totals().answers, 1U);
  EXPECT_EQ(ledger.url(0).state, UrlState::Done);
  EXPECT_EQ(ledger.free_at("a.example", 2000), kNever);  // the budget is spent
}

// 16 MB may come, but a megabyte at most had been granted when the program died.
TEST_F(LedgerTest, ALostAnswerCostsWhatWasGranted) {
  const Budget budget{.bytes = 40 << 20};
  const LeaseRequest request{.host = "a.example", .bytes_max = 16 << 20, .bytes_granted = 1000};
  {
    Ledger ledger = create({.delay_ms = 0}, budget);
    for (const char* host : {"a.example", "b.example"}) {
      LeaseRequest one = request;
      one.host = host;
      one.url = *ledger.add(std::string("http://") + host, {});
      const auto charge = ledger.lease(one, 100);
      ASSERT_TRUE(charge);
      if (*host == 'b') ledger.grant(*charge, 1 << 20);
    }
    EXPECT_EQ(ledger.bytes_reserved(), std::uint64_t{32} << 20) << "what may come is kept free";
    EXPECT_EQ(ledger.bytes_left(), std::uint64_t{8} << 20);
    ledger.commit(100);
    ledger.grant(0, 5 << 20);  // never committed, so never passed to the transport
  }
  for (const Moment moment : {400, 500}) {
    Ledger ledger = reopen(moment, {.delay_ms = 0}, budget);
    EXPECT_EQ(ledger.totals().lost, 2U);
    EXPECT_EQ(ledger.totals().bytes, 1000U + (1 << 20));
    EXPECT_EQ(ledger.bytes_lost(), 1000U + (1 << 20)) << "nothing was received for certain";
    EXPECT_EQ(ledger.bytes_reserved(), 0U);
    EXPECT_EQ(ledger.host("a.example").bytes, 1000U);
    ledger.commit(moment);
  }
}

// Ledgers of earlier versions do not say what was granted, nor what lost answers cost.
TEST_F(LedgerTest, ALedgerWithoutGrantsChargesALostAnswerInFull) {
  {
    Ledger ledger = create({.delay_ms = 0});
    const UrlNumber x = *ledger.add(kPage, {});
    ASSERT_TRUE(ledger.lease({.url = x, .host = "a.example", .bytes_max = 50}, 100));
    ledger.commit(100);
  }
  {
    LedgerStore store = LedgerStore::open(folder / "ledger");
    store.put(ledger_keys::numbered(ledger_keys::kUnderWay, 0), "");
    store.remove(ledger_keys::kLostBytes);
    store.remove(ledger_keys::kLastMoment);
    store.commit();
  }
  EXPECT_EQ(reopen(200).bytes_lost(), 50U);
  {
    Ledger ledger = reopen(300);
    ledger.commit(300);
  }
  {
    LedgerStore store = LedgerStore::open(folder / "ledger");
    store.remove(ledger_keys::kLostBytes);
    store.commit();
  }
  EXPECT_EQ(reopen(400).bytes_lost(), 50U) << "counted from the charges";
}

TEST_F(LedgerTest, DelaysOutliveTheProgram) {
  const PolitenessRules rules{.delay_ms = 1000, .backoff_first_ms = 60'000};
  {
    Ledger ledger = create(rules);
    const UrlNumber x = *ledger.add(kPage, {});
    const auto charge = ledger.lease({.url = x, .host = "a.example"}, 100);
    ledger.commit(100);
    ledger.settle(*charge,
                  {.outcome = Outcome::Blocked,
                   .status = 429,
                   .sign = HostSign::Overloaded,
                   .retry_at = 500'000,
                   .again_at = 500'000},
                  200);
    ledger.commit(200);
  }
  Ledger ledger = reopen(300, rules);
  EXPECT_EQ(ledger.free_at("a.example", 300), 500'000);
  EXPECT_EQ(ledger.url(0).not_before, 500'000);
}

TEST_F(LedgerTest, TheRateCountsRequestsOfTheRunBefore) {
  const Budget budget{.rate = Rate{2, 10'000}};
  {
    Ledger ledger = create({.delay_ms = 0}, budget);
    for (const char* host : {"a.example", "b.example"}) {
      const UrlNumber url = *ledger.add(std::string("http://") + host, {});
      const auto charge = ledger.lease({.url = url, .host = host}, 100);
      ASSERT_TRUE(charge);
      ledger.settle(*charge, {.status = 200}, 110);
    }
    ledger.commit(120);
  }
  Ledger ledger = reopen(200, {.delay_ms = 0}, budget);
  EXPECT_EQ(ledger.free_at("c.example", 200), 10'101);
}

TEST_F(LedgerTest, FailuresAreTheOriginsAndDelaysTheHosts) {
  const PolitenessRules rules{.delay_ms = 1000, .backoff_first_ms = 60'000, .failures_max = 2};
  const std::string refused = "http://a.example:1";
  const std::string well = "http://a.example:8099";
  {
    Ledger ledger = create(rules);
    Moment now = 0;
    for (int i = 0; i < 2; ++i) {
      const UrlNumber url = *ledger.add(refused + "/" + std::to_string(i), {});
      now = std::max(now, ledger.free_at(refused, now));
      const auto charge = ledger.lease({.url = url, .host = "a.example", .origin = refused}, now);
      ASSERT_TRUE(charge);
      EXPECT_EQ(ledger.free_at(well, now), kNever);  // one connection to a host
      ledger.settle(*charge, {.sign = HostSign::Silent}, now);
      EXPECT_EQ(ledger.free_at(well, now), now + 1001);
      EXPECT_GE(ledger.free_at(refused, now), now + 60'000);
    }
    EXPECT_EQ(ledger.closed(refused), "http://a.example:1 gave no good answer 2 times in a row");
    EXPECT_EQ(ledger.closed(well), "");
    ledger.commit(now);
  }
  Ledger ledger = reopen(200'000, rules);
  EXPECT_NE(ledger.closed(refused), "");
  EXPECT_EQ(ledger.closed(well), "");
  EXPECT_EQ(ledger.host_count(), 1U);
  ledger.forgive(refused);
  EXPECT_EQ(ledger.closed(refused), "");
}

TEST_F(LedgerTest, TheLongestCrawlDelayOfAHostsOriginsCounts) {
  Ledger ledger = create();
  ledger.set_crawl_delay("http://a.example", 7000);
  ledger.set_crawl_delay("https://a.example", 3000);
  EXPECT_EQ(ledger.host("a.example").delay_ms, 7000);
  ledger.set_crawl_delay("http://a.example", 0);  // its robots.txt no longer says so
  EXPECT_EQ(ledger.host("a.example").delay_ms, 3000);
}

TEST_F(LedgerTest, EveryAddressOfAHostIsKeptFree) {
  Ledger ledger = create({.delay_ms = 0, .address_delay_ms = 1000});
  ledger.set_address("two.example", "192.0.2.1 192.0.2.2");
  ledger.set_address("second.example", "192.0.2.2");
  const UrlNumber two = *ledger.add("http://two.example/", {});
  const auto charge = ledger.lease({.url = two, .host = "two.example"}, 0);
  ASSERT_TRUE(charge);
  EXPECT_EQ(ledger.free_at("second.example", 10), kNever);
  ledger.settle(*charge, {.status = 200, .address = "192.0.2.2"}, 20);
  EXPECT_EQ(ledger.free_at("second.example", 20), 1021);
  EXPECT_EQ(ledger.host("two.example").address, "192.0.2.1 192.0.2.2");
}

// Before origins, a ledger held failures and Crawl-delay of hosts.
TEST_F(LedgerTest, OldJobsOpenAndGiveNoOriginUpForAnother) {
  {
    LedgerStore store = LedgerStore::create(folder / "ledger");
    store.put(ledger_keys::kSeed, "17");
    LedgerUrl url;
    url.url = kPage;
    store.put(ledger_keys::numbered(ledger_keys::kUrl, 0), encode(url));
    const Place place{.last_end = 5000,
                      .delay_ms = 7000,
                      .not_before = 60'000,
                      .failures = 5,
                      .is_given_up = true,
                      .requests = 5,
                      .address = "192.0.2.1"};
    store.put(ledger_keys::named(ledger_keys::kPlace, "a.example"), encode(place));
    store.put(ledger_keys::named(ledger_keys::kPlace, "@192.0.2.1"), encode(Place{}));
    store.commit();
  }
  for (int run = 0; run < 2; ++run) {
    Ledger ledger = reopen(10'000);
    EXPECT_EQ(ledger.closed("http://a.example"), "");
    EXPECT_EQ(ledger.free_at("http://a.example", 10'000), 60'000);
    EXPECT_EQ(ledger.host("a.example").delay_ms, 7000);
    EXPECT_EQ(ledger.host_count(), 1U);
    // The delay is the one that http had requested, as far as known.
    ledger.set_crawl_delay("https://a.example", 2000);
    EXPECT_EQ(ledger.host("a.example").delay_ms, 7000);
    ledger.commit(10'000);
  }
  Ledger ledger = reopen(10'000);
  ledger.set_crawl_delay("http://a.example", 0);
  EXPECT_EQ(ledger.host("a.example").delay_ms, 2000);
}

// ---- what an archive has forgotten ----

struct ForgettingLedgerTest : LedgerTest {
  static bool is_secret(const Url& url) {
    return url.host() == "secret.example" || url.path() == "/secret";
  }
  std::size_t mentions(const std::string& text) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "ledger")) {
      count += entry.is_regular_file() && read_file(entry.path()).find(text) != std::string::npos;
    }
    return count;
  }
  void ask(Ledger& ledger, UrlNumber url, const std::string& host, Settlement settlement) {
    const auto charge = ledger.lease({.url = url,
                                      .text = url == kNoUrl ? "http://" + host + "/robots.txt" : "",
                                      .host = host,
                                      .score = 3,
                                      .why = "what http://" + host + " allows"},
                                     now);
    ASSERT_TRUE(charge);
    settlement.file = "f.warc.gz";
    settlement.bytes = 10;
    ledger.settle(*charge, settlement, now);
    now += 10'000;
  }
  Moment now = 100;
};

TEST_F(ForgettingLedgerTest, LeavesNumbersAndBudgetsAndNoName) {
  {
    Ledger ledger = create({.delay_ms = 0});
    const UrlNumber home = *ledger.add("http://a.example/", {});
    const UrlNumber secret = *ledger.add("http://a.example/secret", {.from = home});
    const UrlNumber other = *ledger.add("http://secret.example/x", {.from = secret});
    const UrlNumber last = *ledger.add("http://a.example/last", {.from = secret});
    ledger.turn_away("http://secret.example/far", {}, TurnedAway::OutsideScope,
                     "outside the scope");
    ledger.turn_away("http://b.example/", {}, TurnedAway::OutsideScope, "outside the scope");
    ask(ledger, kNoUrl, "secret.example", {.status = 200});
    ask(ledger, home, "a.example",
        {.outcome = Outcome::Moved, .status = 301, .target = "http://a.example/secret"});
    ask(ledger, secret, "a.example", {.outcome = Outcome::Alive, .status = 200});
    ask(ledger, last, "a.example",
        {.outcome = Outcome::Gone,
         .status = 404,
         .evidence = "see http://secret.example/x, there"});
    ledger.set_robots("http://secret.example", {.fetched = 5, .status = 200, .body = "x"});
    ledger.set_robots("http://a.example", {.fetched = 5, .status = 200, .body = "y"});
    ledger.set_setting("silence http://a.example/secret", "1 2 3");
    ledger.set_setting(kSeedHosts, "a.example\nsecret.example\n");
    ledger.learn({.url = home, .score = 1, .links = {{secret, 1}, {last, 2}}});
    ledger.learn({.url = secret, .score = 1, .content = 77, .links = {{other, 1}}});
    ledger.set_address("secret.example", "192.0.2.1");
    ledger.commit(now);
  }
  ASSERT_GT(mentions("secret"), 0U) << "else this shows nothing";
  {
    Ledger ledger = reopen(now);
    EXPECT_GT(ledger.forget(is_secret, now), 8U);
    EXPECT_EQ(mentions("secret"), 0U);
    EXPECT_EQ(ledger.forget(is_secret, now), 0U) << "once is enough";
    EXPECT_EQ(ledger.url_count(), 4U);
    EXPECT_EQ(ledger.url(1).url, "");
    EXPECT_EQ(ledger.url(2).state, UrlState::Dropped);
    EXPECT_EQ(ledger.url(0).target, "");
    EXPECT_EQ(ledger.url(3).evidence, "");
    EXPECT_EQ(ledger.url(3).from, 1U);
    EXPECT_EQ(ledger.find("http://a.example/last"), 3U);
    EXPECT_FALSE(ledger.find("http://a.example/secret"));
    EXPECT_FALSE(ledger.find("http://secret.example/far"));
    EXPECT_EQ(ledger.find("http://b.example/"), kNoUrl);
    EXPECT_EQ(ledger.totals().requests, 4U);
    EXPECT_EQ(ledger.totals().bytes, 40U);
    EXPECT_EQ(ledger.host_count(), 1U);
    EXPECT_EQ(ledger.host("a.example").requests, 3U);
    EXPECT_FALSE(ledger.robots("http://secret.example"));
    EXPECT_EQ(ledger.robots("http://a.example")->body, "y");
    EXPECT_FALSE(ledger.setting("silence http://a.example/secret"));
    EXPECT_EQ(ledger.setting(kSeedHosts), "a.example\n");
    std::vector<LearnedPage> learned;
    ledger.each_learned([&](const LearnedPage& page) {
      learned.push_back(page);
      return true;
    });
    EXPECT_EQ(learned, (std::vector<LearnedPage>{{.url = 0, .score = 1, .links = {{3, 2}}}}));
    std::size_t charges = 0;
    ledger.each_charge_backwards([&](const Charge& charge) {
      EXPECT_EQ(charge.file, "f.warc.gz") << "crawl files are known by their charges";
      return ++charges > 0;
    });
    EXPECT_EQ(charges, 4U);
    ledger.add("http://a.example/new", {});
    ledger.commit(now);
  }
  Ledger ledger = reopen(now);
  EXPECT_EQ(ledger.find("http://a.example/new"), 4U);
  EXPECT_EQ(mentions("secret"), 0U);
}

}  // namespace
}  // namespace webstrata
