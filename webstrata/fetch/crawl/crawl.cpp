// SPDX-License-Identifier: Apache-2.0

// One turn of the loop: visits hand over the answers that came; each is read for its links, written
// to the crawl files, and its links are let in or turned away. Then the files are synced, and only
// then does the ledger settle; the next turn commits that before anything else leaves.
//
// crawler.h names the other files.
// Tested by tests/fetch/crawl_test.cpp, and over sockets by tests/fetch/crawl_*_test.py.

#include "webstrata/fetch/crawl/crawl.h"

#include <algorithm>
#include <utility>

#include "webstrata/fetch/crawl/crawler.h"

namespace webstrata {
namespace {

constexpr Moment kTurnMs = 500;  // so that Ctrl-C and the status line need not wait

}  // namespace

ReadOptions Crawler::read_options(const CrawlSettings& settings) {
  ReadOptions options;
  options.kinds = settings.kinds | LinkKind::Redirect;
  return settings.topic.wanting ? settings.topic.wanting(options) : options;
}

CrawlNews Crawler::news(bool is_draining) const {
  return {.requests = ledger_.totals().requests,
          .requests_left = ledger_.requests_left(),
          .bytes_left = ledger_.budget().bytes
                            ? std::optional(ledger_.bytes_left() + ledger_.bytes_reserved())
                            : std::nullopt,
          .time_left_ms = ledger_.time_left(clock_.now()),
          .bytes = ledger_.totals().bytes - ledger_.bytes_reserved() - ledger_.bytes_lost(),
          .bytes_reserved = ledger_.bytes_reserved() + ledger_.bytes_lost(),
          .lost = ledger_.totals().lost,
          .pages = pages_,
          .harvest = harvest_,
          .waiting = ledger_.waiting_count(),
          .in_flight = visits_.in_flight(),
          .hosts_waiting = visits_.hosts_waiting(),
          .hosts = ledger_.host_count(),
          .outside = outside_,
          .robots_capped = visits_.robots_capped(),
          .origins_refused = visits_.origins_refused(),
          .is_draining = is_draining};
}

bool Crawler::is_idle() const {
  return visits_.in_flight() == 0 && visits_.aside() == 0 && retries_.empty();
}

CrawlResult Crawler::run(const CancelToken* cancel,
                         const std::function<void(const CrawlNews&)>& tell) {
  begin();
  CrawlResult result;
  while (true) {
    const bool is_stopped = cancel && cancel->cancelled();
    const std::string spent = ledger_.spent(clock_.now());
    if ((is_stopped || !spent.empty()) && visits_.in_flight() == 0) {
      result.end = is_stopped ? CrawlEnd::Stopped : CrawlEnd::Spent;
      result.reason = is_stopped ? "stopped" : spent;
      break;
    }
    Moment until = clock_.now() + kTurnMs;
    if (!retries_.empty()) until = std::min(until, std::max(retries_.top().at, clock_.now()));
    bool asked = false;
    bool found = false;
    const auto next_visit = [&] {
      asked = true;
      std::optional<Visit> visit = next();
      found = found || visit.has_value();
      return visit;
    };
    std::vector<Visited> ended = visits_.turn(until, is_stopped ? Visits::Next() : next_visit);
    const bool learned_nothing = ended.empty();  // what ended may have led to new pages
    take_all(std::move(ended));
    if (settings_.plan) tell_plan();
    if (tell) tell(news(is_stopped));
    if (asked && !found && learned_nothing && is_idle()) {
      result.reason = settings_.plan ? plan_end() : "no page is left to request";
      if (!result.reason.empty()) break;
    }
  }
  if (settings_.plan) give_back();
  ledger_.commit(clock_.now());
  ledger_.sweep();
  files_.close();
  result.news = news(false);
  result.moved_aside = files_.moved_aside();
  return result;
}

CrawlResult crawl(Transport& transport, const Clock& clock, Ledger& ledger,
                  const CrawlSettings& settings, const CancelToken* cancel,
                  const std::function<void(const CrawlNews&)>& tell) {
  return Crawler(transport, clock, ledger, settings).run(cancel, tell);
}

}  // namespace webstrata
