// SPDX-License-Identifier: Apache-2.0
// Clocks that are set back or forward: nothing is asked too early, nothing waits for ever.

#include "tests/fetch/ledger_fixture.h"

namespace webstrata {
namespace {

// A clock that was set back (daylight saving, a wrong battery) makes no host wait for an hour.
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

// Between two runs that are really a second apart, the clock was changed: by an hour, by a leap
// second, by a year. A host that asked for a delay gets it in real time.
TEST_F(LedgerTest, AClockThatWasSetBetweenRunsMovesNoDelay) {
  constexpr Moment kStart = Moment{1'700'000'000} * 1000;
  Moment machine = kStart - 10 * kHour;
  Moment now = kStart;
  {
    Ledger ledger = Ledger::create(folder.path(), now, {"this-start", machine});
    ledger.set_rules({.delay_ms = 5000}, {});
    for (const std::string host : {"a.example", "b.example"}) {
      const UrlNumber url = *ledger.add("http://" + host + "/", {});
      const auto charge = ledger.lease({.url = url, .host = host}, now);
      Settlement settlement{.status = 200};
      if (host == "b.example") {
        settlement = {.status = 429, .retry_at = now + 60'000, .again_at = now + 60'000};
      }
      ledger.settle(*charge, settlement, now);
    }
    ledger.commit(now);
  }
  Moment elapsed = 0;
  for (const Moment shift :
       {kHour, -2 * kHour, Moment{1000}, Moment{-1000}, 9000 * kHour, -kHour}) {
    machine += shift;
    now += shift + 1000;
    elapsed += 1000;
    Ledger ledger = Ledger::open(folder.path(), now, {"this-start", machine});
    ledger.set_rules({.delay_ms = 5000}, {.rate = Rate{2, 20'000}});
    EXPECT_EQ(ledger.clock_shift(), shift);
    EXPECT_EQ(ledger.free_at("b.example", now), now + 60'000 - elapsed) << shift;
    EXPECT_EQ(ledger.url(1).not_before, now + 60'000 - elapsed) << shift;
    EXPECT_EQ(ledger.host("a.example").last_end, now) << "as if it had answered now";
    // Requests of other clocks count as of now: no period contains too many.
    EXPECT_EQ(ledger.anybody_at(now), now + 20'001) << shift;
    ledger.commit(now);
  }
  // No clock was set, and the charges of other clocks are still not of this one.
  Ledger ledger = Ledger::open(folder.path(), now + 1000, {"this-start", machine});
  ledger.set_rules({.delay_ms = 5000}, {.rate = Rate{2, 20'000}});
  EXPECT_EQ(ledger.clock_shift(), 0);
  EXPECT_EQ(ledger.anybody_at(now + 1000), now + 20'001);
}

// After another start of the machine there is nothing to compare with but the ledger itself.
TEST_F(LedgerTest, AClockThatWasSetBackWithTheMachineIsNoticed) {
  constexpr Moment kStart = Moment{1'700'000'000} * 1000;
  {
    Ledger ledger = Ledger::create(folder.path(), kStart, {"one-start", kStart - 1000});
    const UrlNumber url = *ledger.add(kPage, {});
    const auto charge = ledger.lease({.url = url, .host = "a.example"}, kStart);
    ledger.settle(*charge, {.status = 429, .retry_at = kStart + 60'000}, kStart);
    ledger.commit(kStart);
  }
  const Moment now = kStart - 86'400'000;
  const Ledger ledger = Ledger::open(folder.path(), now, {"another", now - 1000});
  EXPECT_EQ(ledger.free_at("a.example", now), now + 60'000);
}

// Retry-After, a second try, and a rate: each waits as long as it had to, on the clock as it is
// now.
TEST_F(LedgerTest, WhatWasToWaitWaitsAsLongAfterTheClockWasSetBack) {
  const Budget budget{.rate = Rate{1, 10'000}};
  {
    Ledger ledger = create({.delay_ms = 1000}, budget);
    const UrlNumber x = *ledger.add(kPage, {});
    const auto charge = ledger.lease({.url = x, .host = "a.example"}, 5 * kHour);
    ledger.settle(*charge,
                  {.status = 429,
                   .sign = HostSign::Overloaded,
                   .retry_at = 5 * kHour + 60'000,
                   .again_at = 5 * kHour + 70'000},
                  5 * kHour);
    ledger.commit(5 * kHour);
  }
  Ledger ledger = reopen(kHour, {.delay_ms = 1000}, budget);
  EXPECT_EQ(ledger.free_at("a.example", kHour), kHour + 60'000);
  EXPECT_EQ(ledger.url(0).not_before, kHour + 70'000);
  EXPECT_EQ(ledger.free_at("b.example", kHour), kHour + 10'001) << "the rate";
}

// A clock that was set forward does not show how long ago the last answer was.
TEST_F(LedgerTest, AClockThatWasSetForwardAllowsNothingEarlier) {
  {
    Ledger ledger = create({.delay_ms = 1000});
    const UrlNumber x = *ledger.add(kPage, {});
    const auto charge = ledger.lease({.url = x, .host = "a.example"}, 100);
    ledger.settle(*charge, {.status = 200, .address = "192.0.2.1"}, 200);
    ledger.commit(200);
  }
  Ledger ledger = reopen(24 * kHour, {.delay_ms = 1000});
  EXPECT_EQ(ledger.free_at("a.example", 24 * kHour), 24 * kHour + 1001);
  ledger.set_address("b.example", "192.0.2.1");
  EXPECT_EQ(ledger.free_at("b.example", 24 * kHour), 24 * kHour + 1001) << "the same server";
  EXPECT_EQ(ledger.free_at("c.example", 24 * kHour), 24 * kHour);
}

}  // namespace
}  // namespace webstrata
