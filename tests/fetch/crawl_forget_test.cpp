// SPDX-License-Identifier: Apache-2.0
// Crawls ask for nothing that an archive has forgotten, and write nothing of it down.

#include "tests/fetch/crawl_fixture.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/ledger/ledger_export.h"
#include "webstrata/fetch/ledger/ledger_forget.h"
#include "webstrata/fetch/visit/forgotten.h"

namespace webstrata {
namespace {

TEST_F(CrawlTest, ForgottenUrlsAreNeverAskedNorWrittenDown) {
  Tombstones tombstones(SecretKey{1, 2});
  tombstones.add({.scope = ForgetScope::Host, .text = "h1.example"});
  tombstones.add({.scope = ForgetScope::Url, .text = "http://h2.example/3"});
  CrawlSettings careful = settings();
  careful.is_forgotten = forgotten_by(tombstones, clock);
  run(careful);
  for (const auto& asked : web.log()) {
    EXPECT_FALSE(asked.url.starts_with("http://h1.example/")) << asked.url;
    EXPECT_NE(asked.url, "http://h2.example/3");
  }
  export_ledger(folder / "job", [](std::string_view line) {
    EXPECT_EQ(line.find("h1.example"), std::string_view::npos) << line;
  });
}

// How often this text occurs in all files of the ledger.
std::size_t mentions(const std::filesystem::path& job, const std::string& text) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(job / "ledger")) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_file(entry.path());
    for (auto at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1)) ++count;
  }
  return count;
}

// Waiting URLs, a host with its robots.txt and delay, fetched pages: whatever a job knows.
TEST_F(CrawlTest, AJobThatGoesOnAsksNothingThatWasForgottenMeanwhile) {
  for (const std::string order : {"found", "bf"}) {
    std::filesystem::remove_all(folder / "job");
    CrawlSettings first = settings();
    first.order.name = order;
    run(first, {.requests = 60});
    ASSERT_GT(mentions(folder / "job", "h1.example"), 5U) << "else this shows nothing";
    const std::size_t before = web.log().size();

    Tombstones tombstones(SecretKey{1, 2});
    tombstones.add({.scope = ForgetScope::Host, .text = "h1.example"});
    CrawlSettings again = first;
    again.seeds.clear();
    again.is_forgotten = forgotten_by(tombstones, clock);
    const CrawlResult result = run(again);
    EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
    EXPECT_EQ(result.news.waiting, 0U);
    EXPECT_GT(web.log().size(), before + 50);
    for (std::size_t i = before; i < web.log().size(); ++i) {
      EXPECT_FALSE(web.log()[i].url.starts_with("http://h1.example/")) << web.log()[i].url;
    }
    EXPECT_EQ(mentions(folder / "job", "h1.example"), 0U) << order;
    std::size_t charges = 0;
    export_ledger(folder / "job", [&](std::string_view line) {
      charges += line.starts_with(R"({"record":"charge")") ? 1 : 0;
    });
    EXPECT_EQ(charges, result.news.requests) << "every request is still accounted for";
  }
}

TEST_F(CrawlTest, AJobGoesOnWithoutASeedThatWasForgotten) {
  CrawlSettings first = settings();
  run(first, {.requests = 20});
  Tombstones tombstones(SecretKey{1, 2});
  tombstones.add({.scope = ForgetScope::Url, .text = "http://h0.example/0", .exactly = true});
  CrawlSettings again = first;
  again.seeds.clear();
  again.is_forgotten = forgotten_by(tombstones, clock);
  const CrawlResult result = run(again);
  EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
  EXPECT_GT(result.news.pages, 50U);
  export_ledger(folder / "job", [](std::string_view line) {
    EXPECT_EQ(line.find(R"(http://h0.example/0")"), line.npos) << line;
  });
  CrawlSettings nothing = first;
  nothing.is_forgotten = again.is_forgotten;
  Ledger ledger = Ledger::create(folder / "other", clock.now());
  EXPECT_THROW(crawl(web, clock, ledger, nothing), Error) << "no seed is left";
}

// Killed after the records were rewritten, and before the files were.
TEST_F(CrawlTest, AForgetThatWasKilledIsFinishedByTheNextRun) {
  run(settings(), {.requests = 60});
  const auto is_h1 = [](const Url& url) { return url.host() == "h1.example"; };
  {
    LedgerStore store = LedgerStore::open(folder / "job/ledger");
    EXPECT_GT(forget_records(store, is_h1), 5U);
  }
  ASSERT_GT(mentions(folder / "job", "h1.example"), 0U) << "else this shows nothing";
  CrawlSettings again = settings();
  again.seeds.clear();
  again.is_forgotten = is_h1;
  run(again, {.requests = 61});
  EXPECT_EQ(mentions(folder / "job", "h1.example"), 0U);
}

// The forget comes while pages of the host wait, are in hand, are tried again, and are in flight.
TEST_F(CrawlTest, AForgetHoldsForACrawlThatRuns) {
  pages.fail_share = 0.1;
  const Moment moment = clock.now() + 20'000;
  CrawlSettings careful = settings();
  careful.is_forgotten = [&](const Url& url) {
    return clock.now() >= moment && url.host() == "h1.example";
  };
  run(careful);
  bool was_asked = false;
  for (const auto& asked : web.log()) {
    const bool is_it = asked.url.starts_with("http://h1.example/");
    was_asked = was_asked || is_it;
    EXPECT_FALSE(is_it && asked.time >= moment) << asked.url;
  }
  EXPECT_TRUE(was_asked) << "else this shows nothing";
  export_ledger(folder / "job", [&](std::string_view line) {
    const bool waits = line.find(R"("waiting")") != line.npos;
    EXPECT_FALSE(waits && line.find(R"("url":"http://h1.example)") != line.npos) << line;
  });
}

TEST_F(CrawlTest, WhatIsForgottenWhileItIsAskedIsNotWrittenDown) {
  const std::string page = "http://h0.example/0";
  pages.special = {{page, "<p>a secret"}};
  bool is_asked = false;
  ToyWeb own(clock, [&](const Request& request, Moment) {
    is_asked = is_asked || request.url == page;
    return pages.answer(request);
  });
  CrawlSettings careful = settings();
  careful.is_forgotten = [&](const Url& url) { return is_asked && url.href() == page; };
  Ledger ledger = Ledger::create(folder / "job", clock.now());
  ledger.set_rules({}, {});
  crawl(own, clock, ledger, careful);
  EXPECT_EQ(ledger.url(0).url, "");
  EXPECT_EQ(ledger.totals().requests, 2U) << "it is charged all the same";
  ledger.each_charge_backwards([](const Charge& charge) {
    EXPECT_EQ(charge.file.empty(), charge.kind == ChargeKind::Page) << "only robots.txt is stored";
    return true;
  });
}

TEST_F(CrawlTest, ARedirectToWhatIsForgottenIsNotWrittenDownInTheLedger) {
  ToyWeb own(clock, [](const Request& request, Moment) {
    if (request.url.ends_with("/robots.txt")) return ToyAnswer{.status = 404};
    return ToyAnswer{.status = 301, .headers = {{"Location", "http://h1.example/me"}}};
  });
  CrawlSettings careful = settings();
  careful.is_forgotten = [](const Url& url) { return url.host() == "h1.example"; };
  Ledger ledger = Ledger::create(folder / "job", clock.now());
  ledger.set_rules({}, {});
  crawl(own, clock, ledger, careful);
  EXPECT_EQ(ledger.url(0).outcome, Outcome::Moved);
  EXPECT_EQ(ledger.url(0).target, "");
  EXPECT_EQ(mentions(folder / "job", "h1.example"), 0U);
}

}  // namespace
}  // namespace webstrata
