// SPDX-License-Identifier: Apache-2.0

// A ledger that is looked at while it is written.

#include "webstrata/fetch/ledger/ledger_view.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/fetch/ledger_fixture.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST_F(LedgerTest, AViewShowsWhatWasCommittedWhenItWasOpened) {
  Ledger ledger = create();
  const auto page = ledger.add(kPage, {.found = 5});
  ledger.add("http://b.example/", {.from = *page, .depth = 1, .found = 6});
  ledger.set_setting("agent", "me");
  const auto charge = ledger.lease({.url = *page, .host = "a.example", .bytes_max = 100}, 10);
  ASSERT_TRUE(charge);
  ledger.commit(10);
  const LedgerView before = LedgerView::open(folder.path());
  EXPECT_EQ(before.bytes_reserved(), 100U);
  ledger.settle(*charge, {.outcome = Outcome::Alive, .status = 200, .bytes = 40}, 20);
  ledger.learn({.url = *page, .score = 2});
  ledger.commit(20);

  EXPECT_EQ(before.url(*page)->state, UrlState::Leased);
  const LedgerView after = LedgerView::open(folder.path());
  EXPECT_EQ(after.url(*page)->state, UrlState::Done);
  EXPECT_EQ(after.url(*page)->outcome, Outcome::Alive);
  EXPECT_FALSE(after.url(2));
  EXPECT_EQ(after.find("http://b.example/"), 1U);
  EXPECT_FALSE(after.find("http://c.example/"));
  EXPECT_FALSE(after.find(""));
  EXPECT_EQ(after.setting("agent"), "me");
  EXPECT_FALSE(after.setting("none"));
  EXPECT_EQ(after.totals().requests, 1U);
  EXPECT_EQ(after.totals().bytes, 40U);
  EXPECT_EQ(after.bytes_reserved(), 0U);
  EXPECT_EQ(after.host_count(), 1U);
  int charges = 0;
  after.each_charge([&](const Charge& seen) {
    EXPECT_EQ(seen.status, 200);
    return ++charges > 0;
  });
  EXPECT_EQ(charges, 1);
  double score = 0;
  after.each_learned([&](const LearnedPage& seen) { return (score += seen.score) > 0; });
  EXPECT_EQ(score, 2);
}

TEST_F(LedgerTest, AFolderWithoutALedgerIsNoJob) {
  EXPECT_FALSE(is_job(folder / "none"));
  EXPECT_FALSE(is_job_running(folder / "none"));
  EXPECT_THROW(LedgerView::open(folder / "none"), Error);
}

// A lock counts for other processes only, so another one has to look.
TEST_F(LedgerTest, AnotherProcessSeesThatAJobRuns) {
  const auto job = folder.path();
  const auto looks_running = [&] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(is_job_running(job) ? 1 : 0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 1;
  };
  {
    Ledger ledger = create();
    ledger.commit(0);
    EXPECT_TRUE(is_job(job));
    EXPECT_TRUE(looks_running());
  }
  EXPECT_FALSE(looks_running());
}

}  // namespace
}  // namespace webstrata
