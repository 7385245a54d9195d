// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/shared_plan.h"

#include <algorithm>
#include <deque>

#include "tests/fetch/crawl_fixture.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// First in, first out, in memory; remembers what it was told.
class ToyPlan : public SharedPlan {
 public:
  explicit ToyPlan(const Clock& clock) : clock_(clock) {}

  std::vector<Task> take(std::size_t most) override {
    std::vector<Task> tasks;
    for (auto it = later_.begin(); it != later_.end();) {
      if (it->first > clock_.now()) {
        ++it;
        continue;
      }
      ready_.push_back({.url = it->second});
      it = later_.erase(it);
    }
    while (!ready_.empty() && tasks.size() < std::min<std::size_t>(most, 10)) {
      leased_.insert(ready_.front().url);
      tasks.push_back(ready_.front());
      ready_.pop_front();
    }
    return tasks;
  }
  void discover(Task found) override { unsent_.push_back({std::move(found), {}}); }
  void report(Report report) override { unsent_.push_back({{}, std::move(report)}); }
  void send() override {
    for (auto& [found, report] : unsent_) {
      if (!found.url.empty()) {
        depths.emplace(found.url, found.depth);
        if (known_.insert(found.url).second) ready_.push_back(found);
        continue;
      }
      reports.push_back(report);
      leased_.erase(report.url);
      if (report.again_at) later_.emplace(*report.again_at, report.url);
    }
    unsent_.clear();
  }
  std::uint64_t waiting() override { return ready_.size() + leased_.size() + later_.size(); }

  [[nodiscard]] std::map<std::string, Report> last_reports() const {
    std::map<std::string, Report> last;
    for (const Report& report : reports) last[report.url] = report;
    return last;
  }

  std::vector<Report> reports;
  std::map<std::string, std::uint32_t> depths;

 private:
  const Clock& clock_;
  std::deque<Task> ready_;
  std::multimap<Moment, std::string> later_;
  std::set<std::string> known_;
  std::set<std::string> leased_;
  std::vector<std::pair<Task, Report>> unsent_;
};

struct CrawlShared : CrawlTest {
  std::shared_ptr<ToyPlan> plan = std::make_shared<ToyPlan>(clock);
  CrawlSettings shared() {
    CrawlSettings result = settings();
    result.plan = plan;
    return result;
  }
};

TEST_F(CrawlShared, APlanLeadsToThePagesThatACrawlAloneFinds) {
  const CrawlResult result = run(shared());
  EXPECT_EQ(result.end, CrawlEnd::NothingLeft);
  EXPECT_EQ(result.reason, "the plan has no page left");
  const std::set<std::string> with_plan = asked_pages();
  expect_polite(1000);

  TemporaryFolder other;
  ToyWeb again{clock, [this](const Request& request, Moment) { return pages.answer(request); }};
  Ledger ledger = Ledger::create(other / "job", clock.now());
  ledger.set_rules({.delay_ms = 1000, .failures_max = 50}, {});
  CrawlSettings alone = settings();
  alone.files.folder = other / "job/warc";
  crawl(again, clock, ledger, alone);
  std::set<std::string> without_plan;
  for (const auto& asked : again.log()) {
    if (!asked.url.ends_with("robots.txt")) without_plan.insert(asked.url);
  }
  EXPECT_EQ(with_plan, without_plan);
  EXPECT_GT(with_plan.size(), 50U);
}

TEST_F(CrawlShared, EveryPageIsReportedWithItsStatus) {
  run(shared());
  const auto reports = plan->last_reports();
  for (const std::string& url : asked_pages()) {
    ASSERT_TRUE(reports.contains(url)) << url;
    EXPECT_EQ(reports.at(url).status, 200);
    EXPECT_EQ(reports.at(url).outcome, Outcome::Alive);
    EXPECT_FALSE(reports.at(url).again_at);
  }
  bool has_disallowed = false;
  for (const auto& [url, report] : reports) {
    if (!url.ends_with("/7")) continue;
    has_disallowed = true;
    EXPECT_EQ(report.outcome, Outcome::Blocked);
    EXPECT_EQ(report.status, 0);
  }
  EXPECT_TRUE(has_disallowed);
  EXPECT_EQ(plan->depths.at("http://h0.example/0"), 0U);
  EXPECT_TRUE(std::ranges::any_of(plan->depths, [](const auto& one) { return one.second > 1; }));
}

TEST_F(CrawlShared, AFailureComesBackThroughThePlan) {
  pages.overloads["http://h0.example/0"] = 1;
  run(shared());
  std::vector<int> statuses;
  for (const auto& report : plan->reports) {
    if (report.url == "http://h0.example/0") statuses.push_back(report.status);
  }
  EXPECT_EQ(statuses, (std::vector<int>{503, 200}));
}

TEST_F(CrawlShared, ASpentBudgetGivesBackWhatIsInHand) {
  const CrawlResult result = run(shared(), {.requests = 30});
  EXPECT_EQ(result.end, CrawlEnd::Spent);
  EXPECT_EQ(web.log().size(), 30U);
  const auto reports = plan->last_reports();
  const auto given_back = std::ranges::count_if(
      reports, [](const auto& one) { return one.second.reason == "given back"; });
  EXPECT_GT(given_back, 0);
  for (const auto& [url, report] : reports) {
    if (report.reason == "given back") {
      EXPECT_TRUE(report.again_at) << url;
    }
  }
}

TEST_F(CrawlShared, TwoCrawlersShareThePages) {
  run(shared(), {.requests = 60});
  const std::set<std::string> first = asked_pages();
  TemporaryFolder other;
  ToyWeb again{clock, [this](const Request& request, Moment) { return pages.answer(request); }};
  Ledger ledger = Ledger::create(other / "job", clock.now());
  ledger.set_rules({.delay_ms = 1000, .failures_max = 50}, {});
  CrawlSettings second = shared();
  second.seeds.clear();
  second.files.folder = other / "job/warc";
  EXPECT_EQ(crawl(again, clock, ledger, second).reason, "the plan has no page left");
  std::set<std::string> all = first;
  for (const auto& asked : again.log()) {
    if (asked.url.ends_with("robots.txt")) continue;
    EXPECT_FALSE(first.contains(asked.url)) << asked.url << " was requested twice";
    all.insert(asked.url);
  }
  EXPECT_GT(all.size(), first.size());
}

TEST_F(CrawlShared, WhatIsOutsideTheScopeIsLeftToOthers) {
  CrawlSettings narrow = shared();
  narrow.scope.add_host("h0.example");
  plan->discover({.url = "http://elsewhere.example/"});
  plan->discover({.url = "ftp://h0.example/file"});
  plan->send();
  const CrawlResult result = run(narrow);
  EXPECT_EQ(result.reason, "the plan has given no page for 60 s");
  const auto reports = plan->last_reports();
  EXPECT_TRUE(reports.at("http://elsewhere.example/").again_at);
  EXPECT_FALSE(reports.at("ftp://h0.example/file").again_at);
  for (const std::string& url : asked_pages()) EXPECT_TRUE(url.starts_with("http://h0.example/"));
}

TEST_F(CrawlShared, AJobThatIsResumedRequestsWhatThePlanGives) {
  run(shared(), {.requests = 20});
  const std::set<std::string> first = asked_pages();
  CrawlSettings again = shared();
  again.seeds.clear();
  EXPECT_EQ(run(again).reason, "the plan has no page left");
  std::map<std::string, int> counts;
  for (const auto& asked : web.log()) ++counts[asked.url];
  for (const auto& [url, count] : counts) {
    if (url.ends_with("robots.txt")) continue;
    EXPECT_EQ(count, 1) << url;
  }
  EXPECT_GT(asked_pages().size(), first.size());
}

}  // namespace
}  // namespace webstrata
