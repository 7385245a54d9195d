// SPDX-License-Identifier: Apache-2.0

// A web in memory with a clock of its own: days of checks run in milliseconds.

#include "webstrata/fetch/probe/prober.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/temporary_folder.h"
#include "webstrata/fetch/wire/simulated_web.h"

namespace webstrata {
namespace {

constexpr Moment kDay = 86'400'000;
constexpr Moment kStart = Moment{1'700'000'000} * 1000;

struct ProberTest : testing::Test {
  ToyAnswer answer(const std::string& url) {
    const auto found = pages.find(url);
    return found == pages.end() ? ToyAnswer{.status = 404} : found->second;
  }

  void open(ProbeOptions options = {}, const Budget& budget = {}) {
    options.product = "webstrata";
    if (!ledger) {
      ledger.emplace(Ledger::create(folder.path(), clock.now()));
    }
    // All hosts of the toy web share an address.
    ledger->set_rules({.address_delay_ms = 0, .connections_per_address = 64}, budget);
    prober.emplace(web, clock, *ledger, std::move(options));
  }

  std::map<std::string, Probed> probe(const std::vector<std::string>& urls) {
    std::map<std::string, Probed> found;
    for (const std::string& url : urls) prober->add(url);
    const Moment end = clock.now() + 30 * kDay;
    while (!prober->is_done() && clock.now() < end) {
      for (Probed& probed : prober->turn(clock.now() + 60'000)) {
        found.insert_or_assign(probed.url, std::move(probed));
      }
    }
    EXPECT_TRUE(prober->is_done());
    return found;
  }

  std::size_t asked(const std::string& part) const {
    std::size_t count = 0;
    for (const auto& one : web.log()) count += one.url.find(part) != std::string::npos ? 1 : 0;
    return count;
  }

  TemporaryFolder folder;
  SimulatedClock clock{kStart};
  std::map<std::string, ToyAnswer> pages;
  ToyWeb web{clock, [this](const Request& request, Moment) { return answer(request.url); }};
  std::optional<Ledger> ledger;
  std::optional<Prober> prober;
};

TEST_F(ProberTest, ManyHostsEachAskedAfterItsDelay) {
  std::vector<std::string> urls;
  for (int host = 0; host < 20; ++host) {
    for (int page = 0; page < 5; ++page) {
      urls.push_back("http://h" + std::to_string(host) + ".example/p" + std::to_string(page));
      if (page % 2 == 0) pages[urls.back()] = {.body = "<p>page " + urls.back()};
    }
  }
  open();
  const auto found = probe(urls);
  ASSERT_EQ(found.size(), urls.size());
  for (const auto& [url, probed] : found) {
    EXPECT_EQ(probed.judgement.outcome, pages.contains(url) ? Outcome::Alive : Outcome::Gone)
        << url;
  }
  std::map<std::string, Moment> last;
  for (const auto& one : web.log()) {
    const std::string host = one.url.substr(0, one.url.find('/', 7));
    if (last.contains(host)) {
      EXPECT_GE(one.time - last[host], 1000) << one.url;
    }
    last[host] = one.time;
  }
  EXPECT_EQ(asked("/robots.txt"), 20U);
  // Hosts are requested concurrently: robots.txt, five pages and a twin, a second apart.
  EXPECT_LT(clock.now() - kStart, 30'000);
}

TEST_F(ProberTest, RobotsTxtIsKept) {
  pages["http://a.example/robots.txt"] = {.body = "user-agent: *\ndisallow: /private\n",
                                          .type = "text/plain"};
  pages["http://a.example/private/x"] = {};
  open();
  const auto found = probe({"http://a.example/private/x"});
  EXPECT_EQ(found.begin()->second.judgement.outcome, Outcome::Blocked);
  EXPECT_EQ(asked("/private"), 0U);
}

TEST_F(ProberTest, OneTwinServesADirectory) {
  for (int i = 0; i < 10; ++i)
    pages["http://a.example/d/" + std::to_string(i)] = {.body = "<p>words"};
  std::vector<std::string> urls;
  for (const auto& [url, page] : pages) urls.push_back(url);
  open();
  probe(urls);
  EXPECT_EQ(web.log().size(), 12U);  // robots.txt, ten pages, a twin
}

TEST_F(ProberTest, ASilentHostIsAskedOnce) {
  std::vector<std::string> urls;
  for (int i = 0; i < 50; ++i) urls.push_back("http://lost.example/" + std::to_string(i));
  pages["http://lost.example/robots.txt"] = {.failure = Failure::NameNotFound};
  open();
  const auto found = probe(urls);
  for (const auto& [url, probed] : found) {
    EXPECT_EQ(probed.judgement.outcome, Outcome::Unreachable);
    EXPECT_EQ(probed.judgement.failure, Failure::NameNotFound);
    EXPECT_EQ(probed.again_at, probed.judgement.time + kDay * 3 / 2);
  }
  EXPECT_EQ(found.size(), 50U);
  EXPECT_EQ(web.log().size(), 1U);
}

TEST_F(ProberTest, SilenceIsADeathAfterThreeChecksInThreeDays) {
  pages["http://lost.example/robots.txt"] = {.failure = Failure::ConnectionRefused};
  open({.waits = true});
  const auto found = probe({"http://lost.example/x"});
  EXPECT_EQ(found.at("http://lost.example/x").judgement.outcome, Outcome::Gone);
  EXPECT_EQ(web.log().size(), 3U);
  EXPECT_GE(clock.now() - kStart, 3 * kDay);
  EXPECT_LT(clock.now() - kStart, 4 * kDay);
}

// A page that was not requested, or whose target was refused: that says nothing about it, however
// often.
TEST_F(ProberTest, OurOwnRefusalIsNeverADeath) {
  pages["http://inside.example/robots.txt"] = {.failure = Failure::AddressRefused};
  pages["http://b.example/"] = {.status = 301, .headers = {{"Location", "http://a.example/old"}}};
  const std::vector<std::string> urls = {"http://inside.example/x", "http://b.example/"};
  open({.confirm = {1, 0},
        .is_forgotten = [](const Url& url) { return url.host() == "a.example"; }});
  const auto found = probe(urls);
  for (const std::string& url : urls) {
    EXPECT_EQ(found.at(url).judgement.outcome, Outcome::Unreachable) << url;
    EXPECT_EQ(found.at(url).again_at, std::nullopt) << url;
  }
}

TEST_F(ProberTest, WhoComesBackIsAlive) {
  pages["http://back.example/robots.txt"] = {.failure = Failure::ConnectionRefused};
  pages["http://back.example/x"] = {.body = "<p>again"};
  open({.waits = true});
  prober->add("http://back.example/x");
  prober->turn(clock.now() + 60'000);
  pages.erase("http://back.example/robots.txt");
  const auto found = probe({});
  EXPECT_EQ(found.at("http://back.example/x").judgement.outcome, Outcome::Alive);
}

TEST_F(ProberTest, TheLedgerRemembersChecksFromRunToRun) {
  const std::string url = "http://lost.example/x";
  pages["http://lost.example/robots.txt"] = {.failure = Failure::ConnectionRefused};
  for (int run = 0; run < 3; ++run) {
    open();
    const auto found = probe({url});
    EXPECT_EQ(found.at(url).judgement.outcome, run < 2 ? Outcome::Unreachable : Outcome::Gone)
        << run;
    // Soon after, nothing new is known, and no request is sent.
    const std::size_t requests = web.log().size();
    open();
    EXPECT_EQ(probe({url}).at(url).judgement.outcome,
              run < 2 ? Outcome::Unreachable : Outcome::Gone);
    EXPECT_EQ(web.log().size(), requests);
    prober.reset();
    ledger.reset();
    clock.advance_to(clock.now() + kDay * 3 / 2);
    ledger.emplace(Ledger::open(folder.path(), clock.now()));
  }
}

// Three days by a clock that was changed are not three days.
TEST_F(ProberTest, AClockThatWasSetMakesNoCheck) {
  const std::string url = "http://lost.example/x";
  pages["http://lost.example/robots.txt"] = {.failure = Failure::ConnectionRefused};
  ledger.emplace(Ledger::create(folder.path(), clock.now(), {"this-start", kStart}));
  for (int run = 0; run < 4; ++run) {
    open();
    const auto found = probe({url});
    EXPECT_EQ(found.at(url).judgement.outcome, Outcome::Unreachable) << run;
    prober.reset();
    ledger.reset();
    clock.advance_to(clock.now() + 4 * kDay);
    ledger.emplace(
        Ledger::open(folder.path(), clock.now(), {"this-start", kStart + (run + 1) * 4 * kDay}));
  }
  EXPECT_EQ(web.log().size(), 1U);  // the next check is due in a day and a half of real time
}

TEST_F(ProberTest, TheLedgerTellsTheSameAsTheRunThatAsked) {
  pages["http://a.example/1"] = {.status = 301, .headers = {{"Location", "http://a.example/2"}}};
  pages["http://a.example/2"] = {.status = 301, .headers = {{"Location", "http://a.example/3"}}};
  pages["http://a.example/3"] = {.body = "<p>here"};
  pages["http://lost.example/robots.txt"] = {.failure = Failure::NameNotFound};
  const std::vector<std::string> urls = {"http://a.example/1", "http://lost.example/x"};
  open();
  const auto first = probe(urls);
  const std::size_t requests = web.log().size();
  open();
  const auto again = probe(urls);
  EXPECT_EQ(web.log().size(), requests);
  for (const std::string& url : urls) {
    const Judgement& told = first.at(url).judgement;
    const Judgement& kept = again.at(url).judgement;
    EXPECT_EQ(kept.outcome, told.outcome);
    EXPECT_EQ(kept.status, told.status);
    EXPECT_EQ(kept.target, told.target) << url;
    EXPECT_EQ(kept.failure, told.failure) << url;
  }
  EXPECT_EQ(again.at(urls[0]).judgement.target, "http://a.example/3");
}

// The list of a trial: a port without a listener, an invalid certificate, a robots.txt that breaks.
// None of that is held against the other origins of the host.
TEST_F(ProberTest, EachOriginByItsOwnMerits) {
  pages["http://a.example:1/robots.txt"] = {.failure = Failure::ConnectionRefused};
  pages["https://a.example/robots.txt"] = {.failure = Failure::Tls};
  pages["http://a.example:81/robots.txt"] = {.status = 503};
  pages["http://a.example:82/robots.txt"] = {.body = "user-agent: *\ndisallow: /",
                                             .type = "text/plain"};
  for (const char* origin :
       {"http://a.example", "http://a.example:8099", "https://a.example:8443", "http://a.example:1",
        "https://a.example", "http://a.example:81", "http://a.example:82"}) {
    pages[std::string(origin) + "/x/live"] = {.body = std::string("<p>words of ") + origin};
  }
  std::vector<std::string> urls;
  for (const auto& [url, answer] : pages) {
    if (!url.ends_with("/live")) continue;
    urls.push_back(url);
    urls.push_back(url.substr(0, url.size() - 4) + "gone");
  }
  open();
  const auto found = probe(urls);
  const std::map<std::string, Outcome> dead = {
      {"http://a.example:1", Outcome::Unreachable},
      {"https://a.example", Outcome::Unreachable},
      {"http://a.example:81", Outcome::Unreachable},
      {"http://a.example:82", Outcome::Blocked},
  };
  for (const std::string& url : urls) {
    const std::string origin = url.substr(0, url.find("/x/"));
    const Outcome own = url.ends_with("/live") ? Outcome::Alive : Outcome::Gone;
    const Outcome expected = dead.contains(origin) ? dead.at(origin) : own;
    EXPECT_EQ(found.at(url).judgement.outcome, expected) << url;
  }
  EXPECT_EQ(found.at("http://a.example:1/x/live").judgement.failure, Failure::ConnectionRefused);
  EXPECT_EQ(found.at("https://a.example/x/live").judgement.failure, Failure::Tls);
  // One host: one request at a time, and a delay after each answer.
  for (std::size_t i = 1; i < web.log().size(); ++i) {
    EXPECT_GE(web.log()[i].time - web.log()[i - 1].time, 1000) << web.log()[i].url;
  }
}

TEST_F(ProberTest, TheSilenceOfAnotherOriginIsNeverADeath) {
  pages["http://a.example/robots.txt"] = {
      .status = 301, .headers = {{"Location", "http://dead.example/robots.txt"}}};
  pages["http://dead.example/robots.txt"] = {.failure = Failure::ConnectionRefused};
  pages["http://b.example/robots.txt"] = {.status = 500};
  for (const bool waits : {false, true}) {
    const std::vector<std::string> urls = {waits ? "http://a.example/2" : "http://a.example/1",
                                           waits ? "http://b.example/2" : "http://b.example/1"};
    open({.confirm = {2, kDay}, .waits = waits});
    for (int run = 0; run < 3; ++run) {
      const auto found = probe(urls);
      for (const std::string& url : urls) {
        ASSERT_TRUE(found.contains(url)) << url;
        EXPECT_EQ(found.at(url).judgement.outcome, Outcome::Unreachable) << url;
        EXPECT_EQ(found.at(url).judgement.failure, Failure::None) << url;
        EXPECT_NE(found.at(url).again_at, std::nullopt) << url;
      }
      clock.advance_to(clock.now() + 2 * kDay);
      open({.confirm = {2, kDay}, .waits = waits});
    }
  }
  EXPECT_EQ(asked("example/1") + asked("example/2"), 0U);
}

// After five broken pages in a row the origin is given up; the sixth page, which is fine, is not
// requested, so that is not a check.
TEST_F(ProberTest, WhatWasNotAskedIsNoCheck) {
  std::vector<std::string> urls;
  for (int i = 0; i < 5; ++i) {
    urls.push_back("http://a.example/broken" + std::to_string(i));
    pages[urls.back()] = {.status = 503};
  }
  urls.push_back("http://a.example/good.html");
  pages[urls.back()] = {.body = "<p>good"};
  open({.confirm = {2, kDay}});
  EXPECT_EQ(probe(urls).at(urls.back()).judgement.outcome, Outcome::Unreachable);
  EXPECT_EQ(asked("/good.html"), 0U);
  clock.advance_to(clock.now() + 2 * kDay);
  std::ranges::reverse(urls);
  open({.confirm = {2, kDay}});
  const auto found = probe(urls);
  EXPECT_EQ(found.at("http://a.example/good.html").judgement.outcome, Outcome::Alive);
  EXPECT_EQ(found.at("http://a.example/broken0").judgement.outcome, Outcome::Gone);
}

// Each check sends requests again, also to the redirect target.
TEST_F(ProberTest, ATargetThatWasSilentIsAskedAtEachCheck) {
  pages["http://a.example/x"] = {.status = 301, .headers = {{"Location", "http://b.example/x"}}};
  pages["http://b.example/robots.txt"] = {.failure = Failure::ConnectionRefused};
  open({.waits = true});
  const auto found = probe({"http://a.example/x"});
  EXPECT_EQ(found.at("http://a.example/x").judgement.outcome, Outcome::Gone);
  EXPECT_EQ(asked("http://b.example/"), 3U);
}

// That a page redirected there says only what its status was, not whether it is a page.
TEST_F(ProberTest, WhereAPageLedIsJudgedWhenItIsAdded) {
  for (const char* name : {"http://s.example/d/1", "http://s.example/d/2"}) {
    pages[name] = {.body = "<p>every name shows this"};
  }
  pages[twin_of("http://s.example/d/1", 1)] = pages["http://s.example/d/1"];
  pages["http://a.example/1"] = {.status = 301, .headers = {{"Location", "http://s.example/d/1"}}};
  pages["http://a.example/2"] = {.status = 301, .headers = {{"Location", "http://s.example/d/2"}}};
  open();
  probe({"http://a.example/1", "http://a.example/2"});
  EXPECT_EQ(probe({"http://s.example/d/1"}).at("http://s.example/d/1").judgement.outcome,
            Outcome::SoftGone);
  open();  // another run of the job
  const auto found = probe({"http://s.example/d/1", "http://s.example/d/2"});
  EXPECT_EQ(found.at("http://s.example/d/1").judgement.outcome, Outcome::SoftGone);
  EXPECT_EQ(found.at("http://s.example/d/2").judgement.outcome, Outcome::SoftGone);
}

TEST_F(ProberTest, WhatIsDecidedIsWrittenDownBeforeTheLedgerKnowsItForGood) {
  pages["http://a.example/1"] = {.body = "<p>here"};
  std::vector<std::string> answers;
  std::vector<std::string> decided;
  bool is_killed = false;
  open({.on_answer = [&](const Response& response) { answers.push_back(response.url); },
        .on_commit =
            [&](std::span<const Probed> probed) {
              for (const Probed& one : probed) decided.push_back(one.url);
              if (!probed.empty() && is_killed) throw std::runtime_error("killed");
            }});
  probe({"http://a.example/1", "http://a.example/2"});
  EXPECT_EQ(answers.size(), 2U);
  EXPECT_EQ(decided.size(), 2U) << "each once";
  is_killed = true;
  prober->add("http://a.example/3");
  EXPECT_THROW(while (!prober->is_done()) prober->turn(clock.now() + 1000), std::runtime_error);
  prober.reset();
  ledger.reset();
  ledger.emplace(Ledger::open(folder.path(), clock.now()));
  const auto number = ledger->find("http://a.example/3");
  ASSERT_TRUE(number);
  EXPECT_NE(ledger->url(*number).state, UrlState::Done);
}

TEST_F(ProberTest, WhatWasForgottenIsNeverAsked) {
  pages["http://a.example/old"] = {.body = "<p>old"};
  pages["http://b.example/"] = {.status = 301, .headers = {{"Location", "http://a.example/old"}}};
  open({.is_forgotten = [](const Url& url) { return url.host() == "a.example"; }});
  const auto found = probe({"http://a.example/old", "http://b.example/"});
  EXPECT_EQ(found.at("http://a.example/old").judgement.outcome, Outcome::Unknown);
  EXPECT_EQ(found.at("http://b.example/").judgement.outcome, Outcome::Unreachable);
  EXPECT_EQ(asked("http://a.example/"), 0U);
  EXPECT_EQ(ledger->find("http://a.example/old"), std::nullopt) << "its name is not written down";
}

TEST_F(ProberTest, ABudgetIsNeverBroken) {
  std::vector<std::string> urls;
  for (int i = 0; i < 10; ++i) urls.push_back("http://h" + std::to_string(i) + ".example/x/y");
  open({}, {.requests = 7});
  const auto found = probe(urls);
  EXPECT_EQ(found.size(), 10U);
  EXPECT_LE(web.log().size(), 7U);
}

TEST(ParseConfirm, ChecksAndATime) {
  EXPECT_EQ(parse_confirm("3x3d"), (Confirm{3, 3 * kDay}));
  EXPECT_EQ(parse_confirm("1x0s"), (Confirm{1, 0}));
  for (const char* text : {"", "3", "x3d", "0x3d", "3x", "3xd", "-1x3d"}) {
    EXPECT_EQ(parse_confirm(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace webstrata
