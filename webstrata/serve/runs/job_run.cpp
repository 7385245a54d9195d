// SPDX-License-Identifier: Apache-2.0

// A crawl or probe job, read from its ledger. A test is a page with an outcome, whatever the number
// of requests that it took: those for robots.txt, twins and further tries are counted apart. The
// curve follows the times at which pages were decided.
// Tested by tests/serve/runs_test.cpp and tests/serve/runs_test.py.

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/ledger/ledger_view.h"
#include "webstrata/jobs/crawl_settings.h"
#include "webstrata/serve/runs/run.h"

namespace webstrata::serve {
namespace {

constexpr std::size_t kPathMax = 10'000;  // links from a seed; a damaged ledger may have a circle

struct Decided {
  Moment time = 0;
  bool is_found = false;
  double score = 0;
};

bool is_decided(const LedgerUrl& url) {
  return url.state == UrlState::Done && url.outcome != Outcome::Unknown;
}

class JobRun : public Run {
 public:
  explicit JobRun(const std::filesystem::path& folder)
      : folder_(folder), view_(LedgerView::open(folder)) {
    if (!view_.url(0)) {
      throw Error(ErrorKind::NotFound, "the job has not begun yet: it has no URL");
    }
  }

  [[nodiscard]] RunSummary summary() const override;
  void each_page(std::uint64_t from, const VisitPage& visit) const override;
  [[nodiscard]] std::optional<RunWhy> why(const std::string& url) const override;
  [[nodiscard]] std::vector<std::string> plan() const override;

 private:
  [[nodiscard]] bool is_crawl() const { return view_.setting(kSeedHosts).has_value(); }
  [[nodiscard]] std::string name_of(UrlNumber number) const {
    const auto url = number == kNoUrl ? std::nullopt : view_.url(number);
    return url ? url->url : std::string();
  }
  [[nodiscard]] RunPage page_of(const LedgerUrl& url) const;
  void count_urls(RunSummary& summary) const;
  void count_totals(RunSummary& summary) const;
  void add_settings(RunSummary& summary) const;

  std::filesystem::path folder_;
  LedgerView view_;
};

RunPage JobRun::page_of(const LedgerUrl& url) const {
  RunPage page;
  page.url = url.url;
  page.state = to_string(url.state);
  if (url.outcome != Outcome::Unknown) page.outcome = to_string(url.outcome);
  page.status = url.status;
  page.target = url.target;
  page.evidence = url.evidence;
  if (url.time != 0) page.time = url.time;
  if (url.state == UrlState::Waiting && url.not_before > 0) page.not_before = url.not_before;
  page.tries = url.tries;
  page.depth = url.depth;
  page.from = name_of(url.from);
  return page;
}

void add_curve(std::vector<Decided>& decided, RunSummary& summary) {
  std::stable_sort(decided.begin(), decided.end(),
                   [](const Decided& a, const Decided& b) { return a.time < b.time; });
  summary.columns = {"tests", "found"};
  if (summary.harvest) summary.columns.emplace_back("harvest");
  summary.columns.emplace_back("time");
  double harvest = 0;
  for (const Decided& page : decided) {
    ++summary.tests;
    if (page.is_found) ++summary.found;
    harvest += page.score;
    summary.points.push_back(static_cast<double>(summary.tests));
    summary.points.push_back(static_cast<double>(summary.found));
    if (summary.harvest) summary.points.push_back(harvest);
    summary.points.push_back(static_cast<double>(seconds_of(page.time)));
  }
  if (summary.harvest) summary.harvest = harvest;
}

void JobRun::count_urls(RunSummary& summary) const {
  std::unordered_map<UrlNumber, double> scores;
  view_.each_learned([&](const LearnedPage& page) {
    scores[page.url] += page.score;
    return true;
  });
  std::vector<Decided> decided;
  std::uint64_t waiting = 0;
  view_.each_url([&](UrlNumber number, const LedgerUrl& url) {
    ++summary.states[std::string(to_string(url.state))];
    if (url.state == UrlState::Waiting) ++waiting;
    if (!summary.began || url.found < *summary.began) summary.began = url.found;
    if (url.time != 0) summary.changed = std::max(summary.changed.value_or(0), url.time);
    if (!is_decided(url)) return true;
    ++summary.outcomes[std::string(to_string(url.outcome))];
    const auto score = scores.find(number);
    decided.push_back(
        {url.time, url.outcome == Outcome::Alive, score == scores.end() ? 0 : score->second});
    return true;
  });
  summary.waiting = waiting;
  add_curve(decided, summary);
}

void JobRun::count_totals(RunSummary& summary) const {
  const LedgerTotals totals = view_.totals();
  const std::uint64_t reserved = view_.bytes_reserved();
  summary.counts = {
      {"requests", totals.requests},
      {"bytes", totals.bytes - std::min(totals.bytes, reserved)},
      {"lost", totals.lost},
      {"hosts", view_.host_count()},
      {"active_ms", static_cast<std::uint64_t>(std::max<Moment>(0, totals.active_ms))}};
}

// What a reader of the page wants to know, and no names of files of this machine.
void JobRun::add_settings(RunSummary& summary) const {
  const auto record = view_.setting(kCrawlRecordSetting);
  if (!record) return;
  const CrawlJobSettings settings = read_crawl_record(*record);
  summary.words.emplace_back("order", settings.order);
  const Budget& budget = settings.budget;
  if (budget.requests) summary.budget.emplace_back("requests", *budget.requests);
  if (budget.bytes) summary.budget.emplace_back("bytes", *budget.bytes);
  if (budget.host_requests) summary.budget.emplace_back("host_requests", *budget.host_requests);
  if (budget.time_ms) {
    summary.budget.emplace_back("time_ms", static_cast<std::uint64_t>(*budget.time_ms));
  }
  if (settings.depth_max) {
    summary.settings.emplace_back("depth", std::to_string(*settings.depth_max));
  }
  if (settings.with_sitemaps) summary.settings.emplace_back("sitemaps", "yes");
  summary.settings.emplace_back("seed", std::to_string(settings.seed));
}

RunSummary JobRun::summary() const {
  RunSummary summary;
  summary.kind = is_crawl() ? RunKind::Crawl : RunKind::Probe;
  summary.is_running = is_job_running(folder_);
  if (is_crawl()) summary.harvest = 0;
  count_urls(summary);
  count_totals(summary);
  add_settings(summary);
  return summary;
}

void JobRun::each_page(std::uint64_t from, const VisitPage& visit) const {
  for (std::uint64_t number = from; number < kNoUrl; ++number) {
    const auto url = view_.url(static_cast<UrlNumber>(number));
    if (!url) return;
    if (!url->url.empty() && !visit(number, page_of(*url))) return;
  }
}

std::optional<RunWhy> JobRun::why(const std::string& url) const {
  const auto number = view_.find(url);
  if (!number) return std::nullopt;
  const LedgerUrl known = *view_.url(*number);
  RunWhy why;
  why.page = page_of(known);
  UrlNumber from = known.from;
  while (from != kNoUrl && why.path.size() < kPathMax) {
    const auto page = view_.url(from);
    if (!page) break;
    if (!page->url.empty()) why.path.push_back(page->url);
    from = page->from;
  }
  std::reverse(why.path.begin(), why.path.end());
  view_.each_charge([&](const Charge& charge) {
    if (charge.url != *number) return true;
    RunRequest request{charge.leased, std::string(to_string(charge.kind)), charge.why,
                       charge.score};
    if (charge.is_settled) {
      request.outcome = to_string(charge.outcome);
      request.status = charge.status;
      request.evidence = charge.evidence;
      request.file = charge.file;
      request.offset = charge.offset;
    }
    why.requests.push_back(std::move(request));
    return true;
  });
  return why;
}

std::vector<std::string> JobRun::plan() const {
  std::vector<std::pair<Moment, std::string>> waiting;
  view_.each_url([&](UrlNumber, const LedgerUrl& url) {
    if (url.state == UrlState::Waiting && !url.url.empty()) {
      waiting.emplace_back(url.not_before, url.url);
    }
    return true;
  });
  std::stable_sort(waiting.begin(), waiting.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> urls;
  urls.reserve(waiting.size());
  for (auto& [moment, url] : waiting) urls.push_back(std::move(url));
  return urls;
}

}  // namespace

std::unique_ptr<const Run> open_job_run(const std::filesystem::path& folder) {
  return std::make_unique<JobRun>(folder);
}

}  // namespace webstrata::serve
