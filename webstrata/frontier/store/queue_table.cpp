// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/frontier_test.cpp.

#include "webstrata/frontier/store/queue_table.h"

#include <algorithm>

namespace webstrata::frontier {

Queue* QueueTable::find(std::string_view crawl, std::string_view key) {
  const auto found = crawls_.find(crawl);
  if (found == crawls_.end()) return nullptr;
  const auto queue = found->second.by_key.find(key);
  return queue == found->second.by_key.end() ? nullptr : queue->second;
}

Queue* QueueTable::find(QueueId id) {
  const auto found = queues_.find(id);
  return found == queues_.end() ? nullptr : found->second.get();
}

Queue& QueueTable::add(QueueId id, QueueRecord record) {
  auto made = std::make_unique<Queue>();
  Queue& queue = *made;
  queue.id = id;
  queue.record = std::move(record);
  queues_.emplace(id, std::move(made));
  Crawl& crawl = crawls_[queue.record.crawl];
  crawl.by_key.emplace(queue.record.key, &queue);
  crawl.by_id.emplace(id, &queue);
  place(queue);
  return queue;
}

void QueueTable::remove(const Queue& queue) {
  const auto found = crawls_.find(queue.record.crawl);
  found->second.by_key.erase(queue.record.key);
  found->second.by_id.erase(queue.id);
  found->second.line.erase({queue.position, queue.id});
  line_.erase({queue.position, queue.id});
  if (found->second.by_id.empty()) crawls_.erase(found);
  queues_.erase(queue.id);
}

std::uint64_t QueueTable::available_at(const Queue& queue) const noexcept {
  const QueueRecord& record = queue.record;
  const std::uint64_t delay =
      record.delay == kDefaultDelay ? default_delay_ : static_cast<std::uint64_t>(record.delay);
  const std::uint64_t next = record.last_served == 0 ? 0 : record.last_served + delay * 1000;
  return std::max(next, record.blocked_until * 1000);
}

void QueueTable::leave_line(Queue& queue) {
  if (!queue.is_in_line) return;
  crawls_.find(queue.record.crawl)->second.line.erase({queue.position, queue.id});
  line_.erase({queue.position, queue.id});
  queue.is_in_line = false;
}

void QueueTable::place(Queue& queue) {
  const bool belongs = queue.record.ready > 0 && !queue.is_limit_reached();
  const std::uint64_t position = std::max(available_at(queue), queue.passed_over);
  if (queue.is_in_line == belongs && (!belongs || queue.position == position)) return;
  leave_line(queue);
  if (!belongs) return;
  queue.position = position;
  queue.is_in_line = true;
  crawls_.find(queue.record.crawl)->second.line.emplace(position, queue.id);
  line_.emplace(position, queue.id);
}

void QueueTable::set_default_delay(std::uint64_t seconds) {
  default_delay_ = seconds;
  for (const auto& [id, queue] : queues_) place(*queue);
}

const Line& QueueTable::line(std::string_view crawl) const {
  static const Line none;
  const auto found = crawls_.find(crawl);
  return found == crawls_.end() ? none : found->second.line;
}

std::vector<std::string> QueueTable::crawls() const {
  std::vector<std::string> names;
  for (const auto& [name, crawl] : crawls_) names.push_back(name);
  std::sort(names.begin(), names.end(), [this](const std::string& a, const std::string& b) {
    return queues_of(a).begin()->first < queues_of(b).begin()->first;
  });
  return names;
}

const std::map<QueueId, Queue*>& QueueTable::queues_of(std::string_view crawl) const {
  static const std::map<QueueId, Queue*> none;
  const auto found = crawls_.find(crawl);
  return found == crawls_.end() ? none : found->second.by_id;
}

}  // namespace webstrata::frontier
