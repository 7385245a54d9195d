// SPDX-License-Identifier: Apache-2.0

// URLs are looked up, listed, counted and purged. Scans see the store as it was when they began,
// and the frontier is not locked meanwhile. Tested by tests/frontier/frontier_test.cpp.

#include <algorithm>

#include "webstrata/frontier/store/frontier.h"
#include "webstrata/frontier/store/frontier_change.h"
#include "webstrata/frontier/store/names.h"

namespace webstrata::frontier {
namespace {

constexpr std::uint64_t kDaySeconds = 86'400;
constexpr std::size_t kPurgeMax = 1'000;  // URLs while the frontier is locked

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_same_ignoring_case(char a, char b) { return lower(a) == lower(b); }

bool matches(std::string_view url, const UrlChoice& choice) {
  if (choice.filter.empty()) return true;
  if (!choice.ignores_case) return url.find(choice.filter) != std::string_view::npos;
  return std::search(url.begin(), url.end(), choice.filter.begin(), choice.filter.end(),
                     is_same_ignoring_case) != url.end();
}

}  // namespace

std::optional<KnownUrl> Frontier::status(const std::string& url, const std::string& key,
                                         const std::string& crawl) {
  const std::string queue_name = key.empty() ? host_of(url) : key;
  const Lock lock(mutex_);
  const Queue* queue = table_.find(crawl_name(crawl), queue_name);
  if (queue == nullptr) return std::nullopt;
  const auto bytes = store_.get(url_key(queue->id, url));
  if (!bytes) return std::nullopt;
  UrlRecord record = decode_url(*bytes);
  return KnownUrl{{url, queue->record.key, queue->record.crawl, std::move(record.metadata)},
                  record.date,
                  record.created};
}

std::vector<QueueId> Frontier::queues_of(const UrlChoice& choice) {
  const Lock lock(mutex_);
  const std::string crawl = crawl_name(choice.crawl);
  std::vector<QueueId> ids;
  if (!choice.key.empty()) {
    const Queue* queue = table_.find(crawl, choice.key);
    if (queue != nullptr) ids.push_back(queue->id);
    return ids;
  }
  for (const auto& [id, queue] : table_.queues_of(crawl)) ids.push_back(id);
  return ids;
}

void Frontier::list(const UrlChoice& choice, const VisitUrl& visit) {
  bool goes_on = true;
  for (const QueueId id : queues_of(choice)) {
    const auto bytes = store_.get(queue_key(id));
    if (!bytes) continue;
    const QueueRecord queue = decode_queue(*bytes);
    store_.scan(urls_of(id), {}, [&](std::string_view key, std::string_view value) {
      const std::string_view url = url_in(key);
      if (!matches(url, choice)) return true;
      UrlRecord record = decode_url(value);
      goes_on = visit({{std::string(url), queue.key, queue.crawl, std::move(record.metadata)},
                       record.date,
                       record.created});
      return goes_on;
    });
    if (!goes_on) return;
  }
}

std::uint64_t Frontier::count(const UrlChoice& choice) {
  std::uint64_t count = 0;
  if (choice.filter.empty()) {
    const std::vector<QueueId> ids = queues_of(choice);
    const Lock lock(mutex_);
    for (const QueueId id : ids) {
      const Queue* queue = table_.find(id);
      if (queue != nullptr) count += queue->record.active() + queue->record.done;
    }
    return count;
  }
  for (const QueueId id : queues_of(choice)) {
    store_.scan(urls_of(id), {}, [&](std::string_view key, std::string_view /*value*/) {
      if (matches(url_in(key), choice)) ++count;
      return true;
    });
  }
  return count;
}

std::uint64_t Frontier::purge(const std::string& key, const std::string& crawl,
                              std::uint32_t days) {
  const std::uint64_t now = options_.now_ms() / 1000;
  const std::uint64_t age = days * kDaySeconds;
  const std::uint64_t limit = now > age ? now - age : 0;
  std::uint64_t purged = 0;
  const auto remove = [&](QueueId id, const std::vector<std::string>& urls) {
    const Lock lock(mutex_);
    Queue* queue = table_.find(id);
    if (queue == nullptr) return;
    FrontierChange change(*this);
    for (const std::string& url : urls) {
      const auto bytes = store_.get(url_key(id, url));
      if (!bytes) continue;
      const UrlRecord before = decode_url(*bytes);
      change.move(*queue, url, &before, nullptr);
      ++purged;
    }
    change.commit();
  };
  for (const QueueId id : queues_of({.key = key, .crawl = crawl})) {
    std::vector<std::string> old;
    store_.scan(urls_of(id), {}, [&](std::string_view url, std::string_view value) {
      if (decode_url(value).created < limit) old.emplace_back(url_in(url));
      if (old.size() >= kPurgeMax) {
        remove(id, old);
        old.clear();
      }
      return true;
    });
    remove(id, old);
  }
  return purged;
}

}  // namespace webstrata::frontier
