// SPDX-License-Identifier: Apache-2.0

// What is said and asked about queues and crawls. Tested by tests/frontier/frontier_test.cpp.

#include <algorithm>

#include "webstrata/frontier/store/frontier.h"
#include "webstrata/frontier/store/frontier_change.h"
#include "webstrata/frontier/store/names.h"

namespace webstrata::frontier {
namespace {

// Ranges that are deleted slow down later scans, so small queues are deleted record by record.
constexpr std::uint64_t kSmallQueue = 1'000;

void add(FrontierStats& stats, const QueueRecord& queue) {
  stats.size += queue.active();
  stats.in_process += queue.leased;
  stats.completed += queue.done;
  ++stats.queues;
  if (queue.active() > 0) ++stats.active_queues;
}

}  // namespace

bool Frontier::block(const std::string& key, const std::string& crawl, std::uint64_t until) {
  const Lock lock(mutex_);
  Queue* queue = table_.find(crawl_name(crawl), key);
  if (queue == nullptr) return false;
  constexpr std::uint64_t kLastSecond = 253'402'300'799;
  queue->record.blocked_until = std::min(until, kLastSecond);
  FrontierChange change(*this);
  change.touch(*queue);
  change.commit();
  return true;
}

bool Frontier::set_delay(const std::string& key, const std::string& crawl, std::uint32_t seconds) {
  const Lock lock(mutex_);
  Queue* queue = table_.find(crawl_name(crawl), key);
  if (queue == nullptr) return false;
  queue->record.delay = seconds;
  FrontierChange change(*this);
  change.touch(*queue);
  change.commit();
  return true;
}

void Frontier::set_default_delay(std::uint32_t seconds) {
  const Lock lock(mutex_);
  put_setting("delay", seconds);
  table_.set_default_delay(seconds);
}

bool Frontier::set_limit(const std::string& key, const std::string& crawl, std::uint32_t limit) {
  const Lock lock(mutex_);
  Queue* queue = table_.find(crawl_name(crawl), key);
  if (queue == nullptr) return false;
  queue->record.limit = limit;
  FrontierChange change(*this);
  change.touch(*queue);
  change.commit();
  return true;
}

// Timers of its URLs stay behind; the sweep drops them.
std::uint64_t Frontier::remove_locked(Queue& queue) {
  const std::uint64_t count = queue.record.active() + queue.record.done;
  Changes changes;
  if (count > kSmallQueue) {
    changes.remove_all(urls_of(queue.id));
    changes.remove_all(ready_of(queue.id));
  } else {
    for (const std::string& prefix : {urls_of(queue.id), ready_of(queue.id)}) {
      store_.scan(prefix, {}, [&](std::string_view key, std::string_view /*value*/) {
        changes.remove(key);
        return true;
      });
    }
  }
  changes.remove(queue_key(queue.id));
  write(changes);
  table_.remove(queue);
  return count;
}

std::uint64_t Frontier::remove_queue(const std::string& key, const std::string& crawl) {
  const Lock lock(mutex_);
  Queue* queue = table_.find(crawl_name(crawl), key);
  return queue == nullptr ? 0 : remove_locked(*queue);
}

std::uint64_t Frontier::remove_crawl(const std::string& crawl) {
  std::uint64_t count = 0;
  for (const QueueId id : queues_of({.crawl = crawl})) {
    const Lock lock(mutex_);
    Queue* queue = table_.find(id);
    if (queue != nullptr) count += remove_locked(*queue);
  }
  return count;
}

std::vector<std::string> Frontier::crawls() {
  const Lock lock(mutex_);
  return table_.crawls();
}

QueuePage Frontier::queues(const std::string& crawl, std::uint64_t start, std::uint64_t size,
                           bool includes_inactive) {
  const Lock lock(mutex_);
  const std::uint64_t now = options_.now_ms();
  QueuePage page;
  page.crawl = crawl_name(crawl);
  for (const auto& [id, queue] : table_.queues_of(page.crawl)) {
    const bool is_active = queue->record.active() > 0 && !queue->is_blocked(now);
    if (!is_active && !includes_inactive) continue;
    if (page.total >= start && page.keys.size() < size) page.keys.push_back(queue->record.key);
    ++page.total;
  }
  return page;
}

FrontierStats Frontier::stats(const std::string& key, const std::string& crawl) {
  const Lock lock(mutex_);
  sweep(options_.now_ms());
  FrontierStats stats;
  stats.crawl = crawl_name(crawl);
  if (!key.empty()) {
    const Queue* queue = table_.find(stats.crawl, key);
    if (queue != nullptr) add(stats, queue->record);
    return stats;
  }
  for (const auto& [id, queue] : table_.queues_of(stats.crawl)) add(stats, queue->record);
  return stats;
}

FrontierStats Frontier::totals() {
  const Lock lock(mutex_);
  sweep(options_.now_ms());
  FrontierStats stats;
  for (const std::string& crawl : table_.crawls()) {
    for (const auto& [id, queue] : table_.queues_of(crawl)) add(stats, queue->record);
  }
  return stats;
}

}  // namespace webstrata::frontier
