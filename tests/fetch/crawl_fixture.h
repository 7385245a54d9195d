// SPDX-License-Identifier: Apache-2.0

// A random web, and crawls of it in simulated time.

#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/random.h"
#include "webstrata/fetch/crawl/crawl.h"
#include "webstrata/fetch/wire/simulated_web.h"

namespace webstrata {

// A web of hosts h0, h1, ... with pages /0, /1, ... that link at random, each host on a server of
// its own. Some answer slowly, some fail now and then.
struct RandomWeb {
  explicit RandomWeb(std::uint64_t seed) : random(seed) {
    for (int host = 0; host < kHosts; ++host) {
      for (int page = 0; page < kPages; ++page) {
        std::string body;
        for (int link = 0; link < 6; ++link) {
          body += fmt::format("<a href='http://h{}.example/{}'>x</a>", random.below(kHosts),
                              random.below(kPages));
        }
        pages[fmt::format("http://h{}.example/{}", host, page)] = body;
      }
    }
  }
  ToyAnswer answer(const Request& request) {
    const std::string host = request.url.substr(7, request.url.find('/', 7) - 7);
    ToyAnswer answer{.latency_ms = 5 + static_cast<Moment>(random.below(200)), .address = host};
    if (const auto known = special.find(request.url); known != special.end()) {
      answer.body = known->second;
    } else if (request.url.ends_with("/robots.txt")) {
      answer.body = "User-agent: *\nDisallow: /7\n";
      answer.type = "text/plain";
    } else if (const auto page = pages.find(request.url); page != pages.end()) {
      answer.body = page->second;
    } else {
      answer.status = 404;
    }
    if (random.chance(fail_share)) answer.status = 503;
    if (const auto busy = overloads.find(request.url); busy != overloads.end()) {
      if (busy->second-- > 0) answer.status = 503;
    }
    return answer;
  }

  static constexpr int kHosts = 12;
  static constexpr int kPages = 15;
  Random random;
  std::map<std::string, std::string> pages;
  std::map<std::string, std::string> special;  // before all others
  std::map<std::string, int> overloads;        // number of 503 answers before a URL succeeds
  double fail_share = 0;
};

struct CrawlTest : testing::Test {
  CrawlSettings settings() {
    CrawlSettings settings;
    settings.seeds = {"http://h0.example/0"};
    settings.files = {.folder = folder / "job/warc", .agent = "test"};
    settings.product = "webstrata";
    return settings;
  }
  CrawlResult run(const CrawlSettings& settings, const Budget& budget = {},
                  const PolitenessRules& rules = {.delay_ms = 1000, .failures_max = 50}) {
    Ledger ledger = settings.seeds.empty() ? Ledger::open(folder / "job", clock.now())
                                           : Ledger::create(folder / "job", clock.now());
    ledger.set_rules(rules, budget);
    return crawl(web, clock, ledger, settings);
  }
  void expect_polite(Moment delay) {
    std::map<std::string, Moment> last;
    for (const auto& asked : web.log()) {
      const std::string host = asked.url.substr(0, asked.url.find('/', 7));
      if (last.contains(host)) {
        EXPECT_GE(asked.time - last[host], delay) << asked.url;
      }
      last[host] = asked.time;
      EXPECT_FALSE(asked.url.ends_with("/7")) << "robots.txt does not allow it";
    }
  }
  std::set<std::string> asked_pages() {
    std::set<std::string> urls;
    for (const auto& asked : web.log()) {
      if (!asked.url.ends_with("robots.txt")) urls.insert(asked.url);
    }
    return urls;
  }

  TemporaryFolder folder;
  SimulatedClock clock{Moment{1'628'899'200} * 1000};
  std::vector<ToyWeb::Asked> log;  // of several webs
  RandomWeb pages{7};
  ToyWeb web{clock, [this](const Request& request, Moment) { return pages.answer(request); }};
};

}  // namespace webstrata
