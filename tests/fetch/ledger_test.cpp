#include "webstrata/fetch/ledger.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr const char* kPage = "http://a.example/x";

struct LedgerTest : testing::Test {
  Ledger create(const PolitenessRules& rules = {}, const Budget& budget = {}) {
    Ledger ledger = Ledger::create(folder.path(), 0);
    ledger.set_rules(rules, budget);
    return ledger;
  }
  Ledger reopen(Moment now, const PolitenessRules& rules = {}, const Budget& budget = {}) {
    Ledger ledger = Ledger::open(folder.path(), now);
    ledger.set_rules(rules, budget);
    return ledger;
  }
  TemporaryFolder folder;
};

TEST_F(LedgerTest, UrlsAreKnownOnce) {
  Ledger ledger = create();
  EXPECT_EQ(ledger.add(kPage, {.found = 5}), 0U);
  EXPECT_FALSE(ledger.add(kPage, {}));
  ledger.turn_away("http://b.example/", {}, "outside the scope");
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

TEST_F(LedgerTest, WhatWasCommittedIsThereAgain) {
  {
    Ledger ledger = create();
    ledger.set_setting("agent", "me");
    ledger.add(kPage, {.from = 3, .depth = 2, .found = 5});
    ledger.turn_away("http://b.example/", {}, "no");
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
    ASSERT_TRUE(charge);  // nobody knows their addresses yet
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

// A clock that was set back (daylight saving, a wrong battery) keeps nobody waiting for an hour.
TEST_F(LedgerTest, AClockThatWasSetBackCostsOneDelay) {
  {
    Ledger ledger = create({.delay_ms = 1000});
    const UrlNumber x = *ledger.add(kPage, {});
    const auto charge = ledger.lease({.url = x, .host = "a.example"}, 3'600'000);
    ledger.settle(*charge, {.status = 200}, 3'600'000);
    ledger.commit(3'600'000);
  }
  Ledger ledger = reopen(10'000, {.delay_ms = 1000});
  EXPECT_EQ(ledger.free_at("a.example", 10'000), 11'001);
}

}  // namespace
}  // namespace webstrata
