// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/visit/visits.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/temporary_folder.h"
#include "webstrata/fetch/wire/simulated_web.h"

namespace webstrata {
namespace {

// A job without a crawler: pages are requested in the order given here.
struct VisitsTest : testing::Test {
  void open(const PolitenessRules& rules = {}, const Budget& budget = {}) {
    ledger.emplace(Ledger::create(folder.path(), clock.now()));
    ledger->set_rules(rules, budget);
    visits.emplace(web, clock, *ledger, VisitOptions{.product = "webstrata"});
  }

  // Requests all pages and settles every answer as it arrives.
  void visit(const std::vector<std::string>& urls) {
    std::deque<Visit> left;
    for (const std::string& url : urls) {
      left.push_back({.url = *ledger->add(url, {.found = clock.now()}), .href = url});
    }
    const auto next = [&]() -> std::optional<Visit> {
      if (left.empty()) return std::nullopt;
      Visit visit = left.front();
      left.pop_front();
      return visit;
    };
    const Moment start = clock.now();
    while (clock.now() < start + Moment{30} * 86'400'000) {
      for (Visited& visited : visits->turn(clock.now() + 60'000, next)) {
        if (visited.end == VisitEnd::Answered) {
          ledger->settle(*visited.charge,
                         {.outcome = Outcome::Alive,
                          .status = visited.response.status,
                          .bytes = visited.response.bytes_received,
                          .sign = host_sign(visited.response),
                          .retry_at = retry_after(visited.response, clock.now()),
                          .address = visited.response.address},
                         clock.now());
        }
        ended[visited.visit.href] = std::move(visited);
      }
      const bool is_idle = left.empty() && visits->aside() == 0 && visits->in_flight() == 0;
      if (is_idle || (!ledger->spent(clock.now()).empty() && visits->in_flight() == 0)) break;
    }
  }

  // The times of requests to a host, including its robots.txt.
  std::vector<Moment> times(const std::string& host) {
    std::vector<Moment> found;
    for (const auto& asked : web.log()) {
      if (asked.url.starts_with("http://" + host + "/")) found.push_back(asked.time);
    }
    return found;
  }

  TemporaryFolder folder;
  SimulatedClock clock{Moment{1'628'899'200} * 1000};
  std::map<std::string, ToyAnswer> answers;  // else an empty page, and no robots.txt
  std::map<std::string, std::vector<ToyAnswer>> first_answers;  // taken one by one before
  ToyWeb web{clock, [this](const Request& request, Moment) {
               auto& first = first_answers[request.url];
               if (!first.empty()) {
                 const ToyAnswer answer = first.front();
                 first.erase(first.begin());
                 return answer;
               }
               if (answers.contains(request.url)) return answers[request.url];
               // Each host has a server of its own.
               const std::size_t end = request.url.find('/', 7);
               const bool is_robots = request.url.ends_with("/robots.txt");
               return ToyAnswer{.status = is_robots ? 404 : 200,
                                .address = request.url.substr(7, end - 7)};
             }};
  std::optional<Ledger> ledger;
  std::optional<Visits> visits;
  std::map<std::string, Visited> ended;
};

std::vector<std::string> pages(const std::string& host, int count) {
  std::vector<std::string> urls;
  for (int i = 0; i < count; ++i) urls.push_back("http://" + host + "/" + std::to_string(i));
  return urls;
}

void expect_apart(const std::vector<Moment>& times, Moment delay) {
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i] - times[i - 1], delay);
}

TEST_F(VisitsTest, RobotsFirstThenPagesOneByOneWithTheDelayBetween) {
  open({.delay_ms = 1000});
  visit(pages("a.example", 5));
  EXPECT_EQ(web.log().at(0).url, "http://a.example/robots.txt");
  EXPECT_EQ(times("a.example").size(), 6U);
  expect_apart(times("a.example"), 1000);
  EXPECT_EQ(ledger->totals().requests, 6U);
}

TEST_F(VisitsTest, HostsAreAskedSideBySide) {
  open({.delay_ms = 1000});
  std::vector<std::string> urls;
  for (int i = 0; i < 20; ++i) {
    for (auto& url : pages("h" + std::to_string(i) + ".example", 3)) urls.push_back(url);
  }
  const Moment start = clock.now();
  visit(urls);
  EXPECT_EQ(ended.size(), 60U);
  EXPECT_LT(clock.now() - start, 6000);  // not twenty times as long
  for (int i = 0; i < 20; ++i) expect_apart(times("h" + std::to_string(i) + ".example"), 1000);
}

TEST_F(VisitsTest, DisallowedPathsAreNeverAsked) {
  answers["http://a.example/robots.txt"] = {.body =
                                                "User-agent: *\nDisallow: /1\nCrawl-delay: 7\n"};
  open({.delay_ms = 1000});
  visit(pages("a.example", 3));
  EXPECT_EQ(ended["http://a.example/1"].end, VisitEnd::Disallowed);
  EXPECT_EQ(ended["http://a.example/1"].reason, "robots.txt does not allow it: Disallow: /1");
  EXPECT_EQ(times("a.example").size(), 3U);
  const auto asked = times("a.example");
  EXPECT_GE(asked.at(2) - asked.at(1), 7000);  // Crawl-delay is longer than ours
}

TEST_F(VisitsTest, RobotsTxtThatCannotBeReadClosesTheHostAfterAWhile) {
  answers["http://a.example/robots.txt"] = {.status = 500};
  open({.delay_ms = 1000, .backoff_first_ms = 10'000, .failures_max = 3});
  visit(pages("a.example", 2));
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Closed);
  EXPECT_EQ(ended["http://a.example/1"].end, VisitEnd::Closed);
  const auto asked = times("a.example");
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_GE(asked[1] - asked[0], 10'000);
  EXPECT_GE(asked[2] - asked[1], 20'000);
}

TEST_F(VisitsTest, RobotsTxtIsFollowedToAnotherHostPolitely) {
  answers["http://a.example/robots.txt"] = {
      .status = 301, .headers = {{"Location", "http://b.example/rules.txt"}}};
  answers["http://b.example/rules.txt"] = {.body = "User-agent: *\nDisallow: /0"};
  open({.delay_ms = 1000});
  visit({"http://b.example/x", "http://a.example/0", "http://a.example/1"});
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Disallowed);
  EXPECT_EQ(ended["http://a.example/1"].end, VisitEnd::Answered);
  EXPECT_EQ(ended["http://b.example/x"].end, VisitEnd::Answered);
  expect_apart(times("b.example"), 1000);
}

TEST_F(VisitsTest, RobotsTxtThatMovesForEverAllowsAll) {
  answers["http://a.example/robots.txt"] = {.status = 302,
                                            .headers = {{"Location", "/robots.txt"}}};
  open({.delay_ms = 10});
  visit(pages("a.example", 1));
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Answered);
  EXPECT_EQ(times("a.example").size(), 7U);  // five redirects are followed
}

TEST_F(VisitsTest, RobotsTxtIsReadAgainAfterADay) {
  open({.delay_ms = 3'600'000});
  visit(pages("a.example", 30));
  int robots = 0;
  for (const auto& asked : web.log()) robots += asked.url.ends_with("/robots.txt") ? 1 : 0;
  EXPECT_EQ(robots, 2);
}

// A port without a listener is given up; the others of its host neither wait for its back-off nor
// end with it. The host's delay holds for all of them together.
TEST_F(VisitsTest, AnOriginThatFailsKeepsNoOtherWaiting) {
  answers["http://a.example:1/robots.txt"] = {.failure = Failure::ConnectionRefused};
  answers["https://a.example/robots.txt"] = {.failure = Failure::Tls};
  open({.delay_ms = 1000, .backoff_first_ms = 60'000, .failures_max = 3});
  std::vector<std::string> urls = {"http://a.example:1/x", "https://a.example/x"};
  for (int i = 0; i < 3; ++i) urls.push_back("http://a.example:81/" + std::to_string(i));
  for (int i = 0; i < 3; ++i) urls.push_back("http://a.example/" + std::to_string(i));
  visit(urls);
  EXPECT_EQ(ended[urls[0]].end, VisitEnd::Closed);
  EXPECT_EQ(ended[urls[0]].reason, "http://a.example:1 gave no good answer 3 times in a row");
  EXPECT_EQ(ended[urls[1]].end, VisitEnd::Closed);
  Moment last_good = 0;
  std::vector<Moment> all;
  for (const auto& asked : web.log()) {
    all.push_back(asked.time);
    if (asked.url.starts_with("http://a.example/") || asked.url.starts_with("http://a.example:81/"))
      last_good = asked.time;
  }
  for (std::size_t i = 2; i < urls.size(); ++i) EXPECT_EQ(ended[urls[i]].end, VisitEnd::Answered);
  EXPECT_LT(last_good - all.front(), 60'000);
  expect_apart(all, 1000);
  EXPECT_EQ(all.size(), 3U + 3U + 4U + 4U);
}

// 503 asks for fewer requests, whatever the port; one host is assumed to be one machine.
TEST_F(VisitsTest, AnOverloadedOriginLeavesItsHostAlone) {
  first_answers["http://a.example:81/0"] = {{.status = 503, .address = "a.example"}};
  open({.delay_ms = 1000, .backoff_first_ms = 60'000});
  visit({"http://a.example:81/0", "http://a.example/0"});
  std::vector<Moment> all;
  for (const auto& asked : web.log()) all.push_back(asked.time);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_GE(all.back() - all.front(), 60'000);
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Answered);
}

TEST_F(VisitsTest, RobotsTxtOfOneOriginSaysNothingAboutAnother) {
  answers["http://a.example/robots.txt"] = {.body = "User-agent: *\nDisallow: /"};
  answers["https://a.example/robots.txt"] = {
      .status = 301, .headers = {{"Location", "http://a.example:81/rules"}}};
  answers["http://a.example:81/rules"] = {.body = "User-agent: *\nDisallow: /1"};
  open({.delay_ms = 10});
  visit({"http://a.example/0", "https://a.example/0", "https://a.example/1",
         "http://a.example:81/1"});
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Disallowed);
  EXPECT_EQ(ended["https://a.example/0"].end, VisitEnd::Answered);
  EXPECT_EQ(ended["https://a.example/1"].end, VisitEnd::Disallowed);
  EXPECT_EQ(ended["http://a.example:81/1"].end, VisitEnd::Answered);
}

TEST_F(VisitsTest, RetryAfterIsKept) {
  first_answers["http://a.example/0"] = {
      {.status = 429, .headers = {{"Retry-After", "300"}}, .address = "a.example"}};
  open({.delay_ms = 1000});
  visit(pages("a.example", 2));
  const auto asked = times("a.example");
  EXPECT_GE(asked.at(2) - asked.at(1), 300'000);
}

TEST_F(VisitsTest, ServersOfManyHostsAreAskedOneAtATime) {
  for (int i = 0; i < 5; ++i) {
    for (const auto& url : pages("h" + std::to_string(i) + ".example", 4)) {
      answers[url] = {.latency_ms = 300, .address = "192.0.2.7"};
    }
  }
  open({.delay_ms = 1000});
  std::vector<std::string> urls;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 5; ++i) urls.push_back(pages("h" + std::to_string(i) + ".example", 4)[k]);
  }
  visit(urls);
  EXPECT_EQ(ended.size(), 20U);
  // Once their answers have revealed the address.
  std::vector<Moment> asked;
  for (const auto& entry : web.log()) {
    if (!entry.url.ends_with("robots.txt") && !entry.url.ends_with("/0"))
      asked.push_back(entry.time);
  }
  expect_apart(asked, 1000);
}

// Names are looked up before the first request, so a server of a hundred hosts does not get a
// hundred requests at once.
TEST_F(VisitsTest, ServersOfManyHostsAreAskedOneAtATimeFromTheFirstRequestOn) {
  std::vector<std::string> urls;
  for (int i = 0; i < 8; ++i) {
    const std::string host = "h" + std::to_string(i) + ".example";
    web.set_address(host, "192.0.2.7");
    for (const std::string page : {"/robots.txt", "/0", "/1"}) {
      answers["http://" + host + page] = {.latency_ms = 300, .address = "192.0.2.7"};
    }
    urls.push_back("http://" + host + "/0");
    urls.push_back("http://" + host + "/1");
  }
  open({.delay_ms = 1000});
  visit(urls);
  EXPECT_EQ(ended.size(), urls.size());
  EXPECT_EQ(web.log().size(), 3U * 8U);
  std::vector<Moment> asked;
  for (const auto& entry : web.log()) asked.push_back(entry.time);
  expect_apart(asked, 1300);  // a delay after each answer
}

TEST_F(VisitsTest, ConnectionsAreBounded) {
  std::size_t most = 0;
  open({.delay_ms = 0, .connections = 3});
  std::vector<std::string> urls;
  for (int i = 0; i < 20; ++i) urls.push_back("http://h" + std::to_string(i) + ".example/");
  std::deque<Visit> left;
  for (const auto& url : urls) left.push_back({.url = *ledger->add(url, {}), .href = url});
  std::size_t answered = 0;
  while (answered < urls.size()) {
    const auto done = visits->turn(clock.now() + 1000, [&]() -> std::optional<Visit> {
      if (left.empty()) return std::nullopt;
      Visit visit = left.front();
      left.pop_front();
      return visit;
    });
    most = std::max(most, visits->in_flight() + done.size());
    for (const Visited& visited : done)
      ledger->settle(*visited.charge, {.status = 200}, clock.now());
    answered += done.size();
  }
  EXPECT_EQ(most, 3U);
}

TEST_F(VisitsTest, TheBudgetOfRequestsCountsRobotsToo) {
  open({.delay_ms = 0}, {.requests = 4});
  visit(pages("a.example", 10));
  EXPECT_EQ(web.log().size(), 4U);
  EXPECT_EQ(ended.size(), 3U);
}

TEST_F(VisitsTest, TheBudgetOfBytesIsNeverExceeded) {
  for (const auto& url : pages("a.example", 50)) answers[url] = {.body = std::string(3000, 'x')};
  open({.delay_ms = 0}, {.bytes = 20'000});
  visit(pages("a.example", 50));
  EXPECT_LE(ledger->totals().bytes, 20'000U);
  EXPECT_GT(ledger->totals().bytes, 20'000U - kAnswerBytesMin);
}

TEST_F(VisitsTest, TheRateHoldsOverAllHosts) {
  open({.delay_ms = 0}, {.rate = Rate{10, 60'000}});
  std::vector<std::string> urls;
  for (int i = 0; i < 40; ++i) urls.push_back("http://h" + std::to_string(i) + ".example/");
  visit(urls);
  EXPECT_EQ(ended.size(), 40U);
  const auto& log = web.log();
  for (std::size_t i = 10; i < log.size(); ++i) EXPECT_GE(log[i].time - log[i - 10].time, 60'000);
}

TEST_F(VisitsTest, HostsWithoutAnAddressOfTheirOwnAreClosed) {
  answers["http://a.example/robots.txt"] = {.failure = Failure::AddressRefused};
  open();
  visit(pages("a.example", 2));
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Closed);
  EXPECT_EQ(web.log().size(), 1U);
}

// A page that waited in hand for its host, and was forgotten meanwhile.
TEST_F(VisitsTest, WhatIsForbiddenByTheTimeOfItsTurnIsNotAsked) {
  ledger.emplace(Ledger::create(folder.path(), clock.now()));
  ledger->set_rules({.delay_ms = 10'000}, {});
  const Moment moment = clock.now() + 25'000;
  visits.emplace(web, clock, *ledger,
                 VisitOptions{.product = "webstrata", .is_forbidden = [&](const Url& url) {
                                return clock.now() >= moment && url.path() != "/1";
                              }});
  visit(pages("a.example", 4));
  EXPECT_EQ(ended["http://a.example/0"].end, VisitEnd::Answered);
  EXPECT_EQ(ended["http://a.example/1"].end, VisitEnd::Answered);
  EXPECT_EQ(ended["http://a.example/2"].end, VisitEnd::Forgotten);
  EXPECT_EQ(ended["http://a.example/3"].end, VisitEnd::Forgotten);
  EXPECT_EQ(visits->aside(), 0U);
}

// A large answer arrives completely, in steps that the ledger records in advance.
TEST_F(VisitsTest, OfALargeAnswerTheLedgerGrantsEachStep) {
  answers["http://a.example/0"] = {.body = std::string(3'000'000, 'x')};
  struct Watched : ToyWeb {
    using ToyWeb::ToyWeb;
    void grant(RequestId id, std::uint64_t body_bytes) override {
      steps.push_back(body_bytes);
      ToyWeb::grant(id, body_bytes);
    }
    std::vector<std::uint64_t> steps;
  };
  Watched own(clock, [this](const Request& request, Moment) {
    return request.url.ends_with("robots.txt") ? ToyAnswer{.status = 404} : answers[request.url];
  });
  open();
  visits.emplace(own, clock, *ledger, VisitOptions{.product = "webstrata"});
  visit({"http://a.example/0"});
  EXPECT_EQ(ended["http://a.example/0"].response.body.size(), 3'000'000U);
  EXPECT_EQ(own.steps, (std::vector<std::uint64_t>{131'072, 262'144, 524'288, 1'048'576, 2'097'152,
                                                   4'194'304}));
  EXPECT_EQ(ledger->bytes_reserved(), 0U);
  EXPECT_GT(ledger->totals().bytes, 3'000'000U);
}

}  // namespace
}  // namespace webstrata
