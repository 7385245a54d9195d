// SPDX-License-Identifier: Apache-2.0

#include "webstrata/frontier/store/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "tests/temporary_folder.h"
#include "webstrata/base/random.h"

namespace webstrata::frontier {
namespace {

constexpr std::uint64_t kStart = 1'700'000'000'000;

// A frontier with a clock that stands still until it is moved.
class FrontierTest : public testing::Test {
 protected:
  FrontierTest() { open(); }

  void open() {
    frontier_.reset();
    FrontierOptions options;
    options.limits = limits_;
    options.now_ms = [this] { return now_; };
    options.order = order_;
    frontier_ = std::make_unique<Frontier>(folder_ / "frontier", options);
  }

  [[nodiscard]] std::uint64_t seconds() const { return now_ / 1000; }
  void pass(std::uint64_t milliseconds) { now_ += milliseconds; }

  Ack discover(const std::string& url, const std::string& key = "", const std::string& crawl = "") {
    return frontier_->put({.info = {url, key, crawl, {}}});
  }
  Ack report(const std::string& url, std::uint64_t date, const std::string& key = "",
             const std::string& crawl = "") {
    return frontier_->put(
        {.info = {url, key, crawl, {}}, .is_known = true, .refetchable_from = date});
  }
  std::vector<std::string> take(TakeRun run = {}) {
    std::vector<std::string> all;
    std::vector<UrlInfo> some;
    while (frontier_->take(run, some)) {
      for (const UrlInfo& url : some) all.push_back(url.url);
    }
    return all;
  }

  TemporaryFolder folder_;
  FrontierLimits limits_;
  Order* order_ = nullptr;
  std::uint64_t now_ = kStart;
  std::unique_ptr<Frontier> frontier_;
};

using Urls = std::vector<std::string>;

TEST_F(FrontierTest, HandsOutWhatWasDiscoveredInTheOrderOfArrival) {
  for (const char* url : {"http://a.org/3", "http://a.org/1", "http://a.org/2"}) {
    EXPECT_EQ(discover(url), Ack::Ok);
  }
  EXPECT_EQ(take(), (Urls{"http://a.org/3", "http://a.org/1", "http://a.org/2"}));
}

TEST_F(FrontierTest, TheQueueOfAUrlWithoutKeyIsItsHost) {
  discover("http://Example.ORG:8080/a?b");
  discover("http://gac.example?language=9");
  discover("no.scheme.example/a");
  EXPECT_EQ(frontier_->queues("", 0, 10, false).keys,
            (Urls{"example.org", "gac.example", "no.scheme.example"}));
  EXPECT_EQ(discover(""), Ack::Skipped);
  EXPECT_EQ(discover("/"), Ack::Skipped);
}

TEST_F(FrontierTest, ADiscoveredUrlThatIsKnownIsSkipped) {
  EXPECT_EQ(discover("http://a.org/"), Ack::Ok);
  EXPECT_EQ(discover("http://a.org/"), Ack::Skipped);
  EXPECT_EQ(report("http://a.org/", 0), Ack::Ok);
  EXPECT_EQ(discover("http://a.org/"), Ack::Skipped);
  EXPECT_EQ(frontier_->stats("", "").completed, 1);
  EXPECT_EQ(frontier_->stats("", "").size, 0);
}

TEST_F(FrontierTest, ALeasedUrlIsNotHandedOutBeforeItsLeaseIsOver) {
  discover("http://a.org/");
  now_ += 300;  // not at a full second
  EXPECT_EQ(take({.lease_seconds = 2}).size(), 1);
  EXPECT_EQ(frontier_->stats("a.org", "").in_process, 1);
  pass(1'999);
  EXPECT_EQ(take(), Urls{});
  EXPECT_EQ(frontier_->stats("a.org", "").in_process, 1);
  pass(1);
  EXPECT_EQ(frontier_->stats("a.org", "").in_process, 0);
  EXPECT_EQ(take().size(), 1);
}

TEST_F(FrontierTest, TheLeaseTakesThirtySecondsUnlessSaid) {
  discover("http://a.org/");
  take();
  pass(29'999);
  EXPECT_EQ(take(), Urls{});
  pass(1);
  EXPECT_EQ(take().size(), 1);
}

TEST_F(FrontierTest, ARefetchDateIsWaitedFor) {
  report("http://a.org/", seconds() + 100);
  EXPECT_EQ(take(), Urls{});
  pass(99'999);
  EXPECT_EQ(take(), Urls{});
  pass(1);
  EXPECT_EQ(take().size(), 1);
  report("http://a.org/", seconds() + 50);  // ends the lease
  EXPECT_EQ(frontier_->stats("", "").in_process, 0);
  EXPECT_EQ(frontier_->status("http://a.org/", "", "")->refetchable_from, seconds() + 50);
  pass(50'000);
  EXPECT_EQ(take().size(), 1);
}

TEST_F(FrontierTest, EarlierDatesComeFirst) {
  report("http://a.org/later", seconds());
  report("http://a.org/sooner", seconds() - 10'000);
  EXPECT_EQ(take(), (Urls{"http://a.org/sooner", "http://a.org/later"}));
}

TEST_F(FrontierTest, AQueueRestsAfterItWasServed) {
  discover("http://a.org/1");
  discover("http://a.org/2");
  EXPECT_EQ(take({.max_urls_per_queue = 1}).size(), 1);
  pass(999);
  EXPECT_EQ(take(), Urls{});
  pass(1);  // the default delay is a second
  EXPECT_EQ(take(), Urls{"http://a.org/2"});
  discover("http://a.org/3");
  frontier_->set_delay("a.org", "", 10);
  pass(9'999);
  EXPECT_EQ(take(), Urls{});
  pass(1);
  EXPECT_EQ(take(), Urls{"http://a.org/3"});
}

TEST_F(FrontierTest, TheDefaultDelayIsForQueuesWithoutTheirOwn) {
  for (const char* url : {"http://a.org/1", "http://a.org/2", "http://b.org/1", "http://b.org/2"}) {
    discover(url);
  }
  frontier_->set_delay("b.org", "", 100);
  frontier_->set_default_delay(5);
  EXPECT_EQ(take({.max_urls_per_queue = 1}).size(), 2);
  pass(5'000);
  EXPECT_EQ(take({.max_urls_per_queue = 2}), Urls{"http://a.org/2"});
}

TEST_F(FrontierTest, ABlockedQueueIsNotServed) {
  discover("http://a.org/");
  EXPECT_TRUE(frontier_->block("a.org", "", seconds() + 60));
  EXPECT_EQ(take(), Urls{});
  EXPECT_EQ(take({.key = "a.org", .crawl = ""}), Urls{});
  EXPECT_EQ(frontier_->queues("", 0, 10, false).keys, Urls{});
  EXPECT_EQ(frontier_->queues("", 0, 10, true).keys, Urls{"a.org"});
  pass(60'000);
  EXPECT_EQ(take().size(), 1);
  EXPECT_FALSE(frontier_->block("none", "", 1));
}

TEST_F(FrontierTest, ZeroEndsABlock) {
  discover("http://a.org/");
  frontier_->block("a.org", "", seconds() + 60);
  frontier_->block("a.org", "", 0);
  EXPECT_EQ(take().size(), 1);
}

TEST_F(FrontierTest, AQueueEndsWhenItsLimitIsReached) {
  discover("http://a.org/1");
  discover("http://a.org/2");
  EXPECT_TRUE(frontier_->set_limit("a.org", "", 1));
  EXPECT_EQ(take({.max_urls_per_queue = 1}).size(), 1);
  report("http://a.org/1", 0);
  pass(60'000);
  EXPECT_EQ(take(), Urls{});
  frontier_->set_limit("a.org", "", 0);
  EXPECT_EQ(take(), Urls{"http://a.org/2"});
  EXPECT_FALSE(frontier_->set_limit("none", "", 1));
}

TEST_F(FrontierTest, QueuesTakeTurns) {
  for (const char* url : {"http://a.org/1", "http://a.org/2", "http://b.org/1", "http://c.org/1"}) {
    discover(url);
  }
  frontier_->set_default_delay(0);
  const TakeRun one{.max_urls_per_queue = 1, .max_queues = 1};
  EXPECT_EQ(take(one), Urls{"http://a.org/1"});
  EXPECT_EQ(take(one), Urls{"http://b.org/1"});
  EXPECT_EQ(take(one), Urls{"http://c.org/1"});
  EXPECT_EQ(take(one), Urls{});  // as many as wanted are leased already
  report("http://a.org/1", 0);
  EXPECT_EQ(take(one), Urls{"http://a.org/2"});
}

TEST_F(FrontierTest, ARunHandsOutMoreThanFitsIntoOneAnswer) {
  std::set<std::string> all;
  for (int i = 0; i < 2'500; ++i) {
    const std::string url =
        "http://" + std::string(i % 2 ? "a" : "b") + ".org/" + std::to_string(i);
    discover(url);
    all.insert(url);
  }
  const Urls taken = take();
  EXPECT_EQ(taken.size(), 2'500);
  EXPECT_EQ(std::set<std::string>(taken.begin(), taken.end()), all);
  EXPECT_EQ(take(), Urls{});
}

TEST_F(FrontierTest, CrawlsAreApart) {
  discover("http://a.org/", "", "one");
  EXPECT_EQ(discover("http://a.org/", "", "two"), Ack::Ok);
  discover("http://a.org/");
  EXPECT_EQ(discover("http://a.org/", "", "DEFAULT"), Ack::Skipped);
  EXPECT_EQ(frontier_->crawls(), (Urls{"one", "two", "DEFAULT"}));
  EXPECT_EQ(frontier_->remove_crawl("one"), 1);
  EXPECT_EQ(frontier_->crawls(), (Urls{"two", "DEFAULT"}));
  EXPECT_EQ(take({.crawl = "one"}), Urls{});
  EXPECT_EQ(take({.crawl = "two"}).size(), 1);
  EXPECT_EQ(take().size(), 1);  // of any crawl
}

TEST_F(FrontierTest, RemovedQueuesCanBeginAgain) {
  discover("http://a.org/1");
  report("http://a.org/2", 0);
  take();
  EXPECT_EQ(frontier_->remove_queue("a.org", ""), 2);
  EXPECT_EQ(frontier_->remove_queue("a.org", ""), 0);
  EXPECT_EQ(discover("http://a.org/1"), Ack::Ok);
  EXPECT_EQ(take().size(), 1);
  pass(60'000);  // the lease of the removed queue ends
  EXPECT_EQ(frontier_->stats("", "").size, 1);
  EXPECT_EQ(frontier_->stats("", "").in_process, 0);
}

TEST_F(FrontierTest, AnInactiveFrontierHandsOutNothing) {
  discover("http://a.org/");
  frontier_->set_active(false);
  EXPECT_EQ(take(), Urls{});
  open();
  EXPECT_FALSE(frontier_->is_active());
  frontier_->set_active(true);
  EXPECT_EQ(take().size(), 1);
}

TEST_F(FrontierTest, QueuesAreListedByPages) {
  for (int i = 0; i < 6; ++i) {
    discover("http://" + std::string(1, static_cast<char>('a' + i)) + ".org/");
    discover("http://other.org/", "other" + std::to_string(i), "other");
  }
  report("http://b.org/", 0);  // inactive from now on
  const QueuePage page = frontier_->queues("", 2, 2, false);
  EXPECT_EQ(page.keys, (Urls{"d.org", "e.org"}));
  EXPECT_EQ(page.total, 5);
  EXPECT_EQ(page.crawl, "DEFAULT");
  EXPECT_EQ(frontier_->queues("", 0, 100, true).keys.size(), 6);
}

TEST_F(FrontierTest, UrlsAreListedAndCounted) {
  discover("http://a.org/Discovered", "q");
  report("http://a.org/completed", 0, "q");
  report("http://b.org/later", seconds() + 3600);
  EXPECT_EQ(frontier_->count({.key = "q"}), 2);
  EXPECT_EQ(frontier_->count({}), 3);
  EXPECT_EQ(frontier_->count({.filter = "COMPLETED"}), 0);
  EXPECT_EQ(frontier_->count({.filter = "COMPLETED", .ignores_case = true}), 1);
  std::map<std::string, std::uint64_t> listed;
  frontier_->list({}, [&](const KnownUrl& url) {
    listed[url.info.url] = url.refetchable_from;
    EXPECT_EQ(url.created, seconds());
    return true;
  });
  EXPECT_EQ(listed,
            (std::map<std::string, std::uint64_t>{{"http://a.org/Discovered", seconds()},
                                                  {"http://a.org/completed", 0},
                                                  {"http://b.org/later", seconds() + 3600}}));
}

TEST_F(FrontierTest, AStatusHasMetadataAndTheFirstDateOfCreation) {
  frontier_->put({.info = {"http://a.org/", "", "", {{"depth", {"1", "2"}}}}});
  pass(5'000);
  const auto status = frontier_->status("http://a.org/", "", "");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->info.metadata, (Metadata{{"depth", {"1", "2"}}}));
  report("http://a.org/", 0);
  EXPECT_EQ(frontier_->status("http://a.org/", "a.org", "DEFAULT")->created, kStart / 1000);
  EXPECT_FALSE(frontier_->status("http://a.org/other", "", ""));
  EXPECT_FALSE(frontier_->status("http://b.org/", "", ""));
}

TEST_F(FrontierTest, OldUrlsArePurged) {
  discover("http://a.org/1");
  report("http://b.org/1", 0);
  report("http://b.org/2", seconds() + 1'000'000'000);
  pass(std::uint64_t{86'400'000} * 10);
  discover("http://a.org/2");
  EXPECT_EQ(frontier_->purge("", "", 10), 0);
  EXPECT_EQ(frontier_->purge("b.org", "", 9), 2);
  EXPECT_EQ(frontier_->purge("", "", 9), 1);
  EXPECT_EQ(take(), Urls{"http://a.org/2"});
}

TEST_F(FrontierTest, WhatIsTooLargeIsSkipped) {
  EXPECT_EQ(discover("http://a.org/", std::string(256, 'k')), Ack::Skipped);
  EXPECT_EQ(discover("http://a.org/", "k", std::string(256, 'c')), Ack::Skipped);
  EXPECT_EQ(discover("http://a.org/" + std::string(70'000, 'u')), Ack::Skipped);
  EXPECT_EQ(
      frontier_->put({.info = {"http://a.org/", "", "", {{"m", {std::string(70'000, 'm')}}}}}),
      Ack::Skipped);
  EXPECT_EQ(frontier_->totals().queues, 0);
}

TEST_F(FrontierTest, NoMoreQueuesAreMadeThanAllowed) {
  limits_.queues_max = 2;
  open();
  discover("http://a.org/");
  discover("http://b.org/");
  EXPECT_EQ(discover("http://c.org/"), Ack::Fail);
  EXPECT_EQ(discover("http://b.org/2"), Ack::Ok);
}

TEST_F(FrontierTest, EverythingIsThereAfterARestart) {
  discover("http://a.org/leased");
  report("http://b.org/later", seconds() + 100);
  report("http://b.org/done", 0);
  discover("http://c.org/1");
  discover("http://c.org/2");
  EXPECT_EQ(take({.max_urls_per_queue = 1, .key = "a.org", .crawl = ""}).size(), 1);
  EXPECT_EQ(take({.max_urls_per_queue = 1, .key = "c.org", .crawl = ""}).size(), 1);
  frontier_->set_delay("c.org", "", 40);
  frontier_->set_limit("b.org", "", 7);
  frontier_->block("b.org", "", seconds() + 200);
  frontier_->set_default_delay(3);
  open();
  const FrontierStats stats = frontier_->stats("", "");
  EXPECT_EQ(stats.size, 4);
  EXPECT_EQ(stats.in_process, 2);
  EXPECT_EQ(stats.completed, 1);
  EXPECT_EQ(stats.queues, 3);
  pass(29'999);
  EXPECT_EQ(take(), Urls{});  // leases and the delay of c.org
  pass(1);
  EXPECT_EQ(take(), Urls{"http://a.org/leased"});
  pass(10'000);
  EXPECT_EQ(take(), (Urls{"http://c.org/1", "http://c.org/2"}));  // in their old order
  pass(70'000);
  EXPECT_EQ(take({.key = "b.org", .crawl = ""}), Urls{});  // its date has come, it is blocked
}

// A slow frontier of maps, which says what may be handed out.
struct Model {
  struct Entry {
    bool is_done = false;
    std::uint64_t available = 0;  // in milliseconds
    bool is_leased = false;
  };
  std::map<std::string, Entry> urls;
};

TEST_F(FrontierTest, AgreesWithASlowModelUnderRandomCallsAndRestarts) {
  const std::uint64_t seed = 20'231;
  SCOPED_TRACE(seed);
  Random random(seed);
  Model model;
  frontier_->set_default_delay(0);
  for (int step = 0; step < 3'000; ++step) {
    const std::string url =
        "http://" + std::to_string(random.below(5)) + ".org/" + std::to_string(random.below(40));
    switch (random.below(8)) {
      case 0:
      case 1: {
        const bool is_new = model.urls.emplace(url, Model::Entry{false, now_, false}).second;
        EXPECT_EQ(discover(url), is_new ? Ack::Ok : Ack::Skipped);
        break;
      }
      case 2:
        report(url, 0);
        model.urls[url] = {true, 0, false};
        break;
      case 3: {
        const std::uint64_t date = seconds() + random.below(20);
        report(url, date);
        model.urls[url] = {false, date * 1000, false};
        break;
      }
      case 4:
        pass(random.below(4'000));
        break;
      case 5:
        if (random.below(20) == 0) open();
        break;
      default: {
        std::set<std::string> expected;
        for (auto& [name, entry] : model.urls) {
          if (entry.is_done || entry.available > now_) continue;
          expected.insert(name);
          entry = {false, now_ + 5'000, true};
        }
        const Urls taken = take({.lease_seconds = 5});
        ASSERT_EQ(std::set<std::string>(taken.begin(), taken.end()), expected);
        break;
      }
    }
    const FrontierStats stats = frontier_->stats("", "");
    std::uint64_t done = 0;
    std::uint64_t leased = 0;
    for (const auto& [name, entry] : model.urls) {
      done += entry.is_done ? 1 : 0;
      leased += entry.is_leased && entry.available > now_ ? 1 : 0;
    }
    ASSERT_EQ(stats.completed, done) << step;
    ASSERT_EQ(stats.in_process, leased) << step;
    ASSERT_EQ(stats.size, model.urls.size() - done) << step;
  }
}

// Scores are the number at the end of a URL; those with "forgotten" are forgotten.
class NumberOrder : public Order {
 public:
  std::uint32_t score(std::string_view url) override {
    return static_cast<std::uint32_t>(std::stoul(std::string(url.substr(url.rfind('/') + 1))) +
                                      bonus_);
  }
  bool is_forgotten(std::string_view url) override {
    return forgets_ && url.find("forgotten") != std::string_view::npos;
  }
  std::optional<bool> outcome_of(const Metadata& metadata) override {
    if (metadata.empty()) return std::nullopt;
    return true;
  }
  void learn(std::string_view url, bool /*lives*/, std::vector<std::string>& changed) override {
    bonus_ = 100;
    learned_.emplace_back(url);
    changed.emplace_back("http://a.org/1");
  }
  std::vector<std::string> learned_;
  bool forgets_ = true;

 private:
  std::uint32_t bonus_ = 0;
};

TEST_F(FrontierTest, TheScoreComesBeforeTheDate) {
  NumberOrder order;
  order_ = &order;
  open();
  for (const char* url : {"http://a.org/1", "http://a.org/3", "http://a.org/2"}) discover(url);
  report("http://a.org/0", 1);
  EXPECT_EQ(take(), (Urls{"http://a.org/3", "http://a.org/2", "http://a.org/1", "http://a.org/0"}));
}

TEST_F(FrontierTest, WhatWasLearnedIsLearnedAgainAfterARestart) {
  NumberOrder order;
  order_ = &order;
  open();
  frontier_->put({.info = {"http://b.org/7", "", "", {{"status", {"200"}}}}, .is_known = true});
  report("http://b.org/8", 0);  // says nothing
  EXPECT_EQ(order.learned_, Urls{"http://b.org/7"});
  NumberOrder second;
  order_ = &second;
  open();
  EXPECT_EQ(second.learned_, Urls{"http://b.org/7"});
}

// Scores are what a test says; what is learned changes those of a.org/150.
class SetOrder : public NumberOrder {
 public:
  std::uint32_t score(std::string_view url) override { return scores_[std::string(url)]; }
  void learn(std::string_view /*url*/, bool /*lives*/, std::vector<std::string>& changed) override {
    scores_["http://a.org/150"] = 9'000;
    changed.emplace_back("http://a.org/150");
  }
  std::map<std::string, std::uint32_t> scores_;
};

TEST_F(FrontierTest, ScoresThatChangedAreSeenWhenAQueueIsServed) {
  SetOrder order;
  order_ = &order;
  open();
  frontier_->set_default_delay(0);
  for (int i = 0; i < 200; ++i) {
    const std::string url = "http://a.org/" + std::to_string(i);
    order.scores_[url] = static_cast<std::uint32_t>(1'000 - i);
    discover(url);
  }
  order.scores_["http://a.org/0"] = 0;      // sinks to the end
  order.scores_["http://a.org/9"] = 5'000;  // rises to the top
  const TakeRun one{.max_urls_per_queue = 1, .key = "a.org", .crawl = ""};
  EXPECT_EQ(take(one), Urls{"http://a.org/9"});
  EXPECT_EQ(take(one), Urls{"http://a.org/1"});
  frontier_->put({.info = {"http://b.org/7", "", "", {{"status", {"200"}}}}, .is_known = true});
  Urls rest;
  for (int i = 0; i < 198; ++i) {
    for (const std::string& url : take(one)) rest.push_back(url);
  }
  ASSERT_EQ(rest.size(), 198);
  EXPECT_EQ(rest[0], "http://a.org/150");  // far below the first ones, but named by learn()
  EXPECT_EQ(rest[1], "http://a.org/2");
  EXPECT_EQ(rest.back(), "http://a.org/0");
  EXPECT_EQ(frontier_->stats("", "").in_process, 200);
}

TEST_F(FrontierTest, ForgottenUrlsAreNeitherStoredNorHandedOut) {
  NumberOrder order;
  order_ = &order;
  order.forgets_ = false;
  open();
  discover("http://a.org/forgotten/1");
  discover("http://a.org/2");
  order.forgets_ = true;  // since then
  EXPECT_EQ(discover("http://a.org/forgotten/3"), Ack::Skipped);
  EXPECT_EQ(take(), Urls{"http://a.org/2"});
  EXPECT_EQ(frontier_->stats("", "").size, 1);
  EXPECT_FALSE(frontier_->status("http://a.org/forgotten/1", "", ""));
}

}  // namespace
}  // namespace webstrata::frontier
