// SPDX-License-Identifier: Apache-2.0

// URLs are handed out. Timers that have run out are swept into `ready` first: dates that have come,
// and leases that have ended. Then queues are served in the order of the line, each from its first
// ready URL.
//
// Deleted records leave marks in the store that a scan has to step over until they are compacted.
// So the sweep begins where the last one ended, and a queue remembers its first ready key.
// Tested by tests/frontier/frontier_test.cpp.

#include <algorithm>
#include <limits>

#include "webstrata/frontier/store/frontier.h"
#include "webstrata/frontier/store/frontier_change.h"
#include "webstrata/frontier/store/names.h"

namespace webstrata::frontier {
namespace {

constexpr std::size_t kSweepMax = 20'000;      // timers per call: calls must not take long
constexpr std::size_t kPassedOverMax = 1'000;  // queues per call
constexpr std::uint32_t kLeaseSeconds = 30;

// With an order, how many of the first URLs of a queue are scored again before it is served: what
// was learned since they arrived may have changed their scores.
constexpr std::size_t kScoredAgain = 64;

struct TimerUrl {
  std::string key;
  std::string url;
};

}  // namespace

void Frontier::sweep(std::uint64_t now) {
  if (now <= swept_until_) return;
  std::vector<TimerUrl> due;
  store_.scan(kTimers, timers_from(swept_until_), [&](std::string_view key, std::string_view url) {
    if (time_in(key) > now) return false;
    due.push_back({std::string(key), std::string(url)});
    return due.size() < kSweepMax;
  });
  FrontierChange change(*this);
  for (const TimerUrl& timer : due) {
    Queue* queue = table_.find(queue_of_timer(timer.key));
    const auto bytes = queue == nullptr ? std::nullopt : store_.get(url_key(queue->id, timer.url));
    if (!bytes) {
      change.drop(timer.key);  // of a queue that was removed
      continue;
    }
    const UrlRecord before = decode_url(*bytes);
    UrlRecord after = before;
    after.state = UrlState::Ready;
    after.timer = 0;
    change.move(*queue, timer.url, &before, &after);
  }
  change.commit();
  swept_until_ = due.size() < kSweepMax ? now : time_in(due.back().key) - 1;
}

Queue* Frontier::queue_by_key(TakeRun& run, std::uint64_t now) {
  for (const std::string& crawl :
       run.crawl ? std::vector{crawl_name(*run.crawl)} : table_.crawls()) {
    Queue* queue = table_.find(crawl, run.key);
    if (queue == nullptr || queue->served_by == run.number || !queue->is_in_line) continue;
    if (table_.available_at(*queue) <= now) return queue;
  }
  run.has_ended = true;
  return nullptr;
}

Queue* Frontier::next_queue(TakeRun& run, std::uint64_t now) {
  if (run.max_queues != 0 && run.queues_served >= run.max_queues) run.has_ended = true;
  if (run.has_ended) return nullptr;
  if (!run.key.empty()) return queue_by_key(run, now);
  const Line& line = run.crawl ? table_.line(crawl_name(*run.crawl)) : table_.line();
  for (std::size_t passed = 0; passed < kPassedOverMax && !line.empty(); ++passed) {
    const auto [position, id] = *line.begin();
    Queue* queue = table_.find(id);
    if (position > now || queue->served_by == run.number) break;
    const bool is_full =
        run.max_urls_per_queue != 0 && queue->record.leased >= run.max_urls_per_queue;
    if (!is_full) return queue;
    queue->served_by = run.number;  // it waits for its leases, at the end of the line
    queue->passed_over = now;
    table_.place(*queue);
  }
  run.has_ended = true;
  return nullptr;
}

std::vector<Frontier::ReadyUrl> Frontier::first_ready(Queue& queue, std::size_t count) {
  std::vector<ReadyUrl> first;
  store_.scan(ready_of(queue.id), queue.first_ready,
              [&](std::string_view key, std::string_view url) {
                queue.first_ready = key;
                const auto bytes = store_.get(url_key(queue.id, url));
                if (bytes) first.push_back({std::string(url), decode_url(*bytes), 0});
                return first.size() < count;
              });
  for (ReadyUrl& ready : first) {
    ready.score = options_.order == nullptr ? ready.record.score : options_.order->score(ready.url);
  }
  std::stable_sort(first.begin(), first.end(),
                   [](const ReadyUrl& a, const ReadyUrl& b) { return a.score > b.score; });
  return first;
}

void Frontier::serve(Queue& queue, TakeRun& run, std::uint64_t now, std::vector<UrlInfo>& urls) {
  const std::size_t wanted = std::min<std::size_t>(run.left, kTakeMax - urls.size());
  const std::size_t looked_at = options_.order == nullptr ? wanted : std::max(wanted, kScoredAgain);
  const std::vector<ReadyUrl> first = first_ready(queue, looked_at);
  const std::uint32_t lease = run.lease_seconds == 0 ? kLeaseSeconds : run.lease_seconds;
  const std::size_t before_all = urls.size();
  FrontierChange change(*this);
  for (const ReadyUrl& ready : first) {
    UrlRecord after = ready.record;
    after.score = ready.score;
    if (options_.order != nullptr && options_.order->is_forgotten(ready.url)) {
      change.move(queue, ready.url, &ready.record, nullptr);
    } else if (urls.size() - before_all < wanted) {
      after.state = UrlState::Leased;
      after.timer = now + std::uint64_t{lease} * 1000;
      change.move(queue, ready.url, &ready.record, &after);
      urls.push_back({ready.url, queue.record.key, queue.record.crawl, ready.record.metadata});
    } else if (ready.score != ready.record.score) {
      change.move(queue, ready.url, &ready.record, &after);
    } else {
      queue.first_ready = std::min(queue.first_ready, ready_key(queue.id, after));
    }
  }
  const auto served = static_cast<std::uint32_t>(urls.size() - before_all);
  if (served > 0) queue.record.last_served = now;
  run.left = first.size() < looked_at ? 0 : run.left - served;
  change.touch(queue);
  change.commit();
}

bool Frontier::take(TakeRun& run, std::vector<UrlInfo>& urls) {
  urls.clear();
  const Lock lock(mutex_);
  const std::uint64_t now = options_.now_ms();
  sweep(now);
  if (!is_active_) return false;
  if (run.number == 0) run.number = next_number();
  while (urls.size() < kTakeMax) {
    Queue* queue = run.current != 0 ? table_.find(run.current) : next_queue(run, now);
    if (queue == nullptr && run.current == 0) break;
    const bool begins = run.current == 0;
    run.current = 0;
    if (queue == nullptr) continue;  // removed since it was begun
    if (begins) {
      run.left = run.max_urls_per_queue == 0 ? std::numeric_limits<std::uint32_t>::max()
                                             : run.max_urls_per_queue;
      queue->served_by = run.number;
      queue->passed_over = 0;
    }
    const std::size_t before = urls.size();
    serve(*queue, run, now, urls);
    if (begins && urls.size() > before) ++run.queues_served;
    if (run.left > 0) run.current = queue->id;
  }
  return !urls.empty();
}

}  // namespace webstrata::frontier
