// SPDX-License-Identifier: Apache-2.0

// Opening a frontier, and URLs that are put into it. The other parts: frontier_take.cpp (URLs are
// handed out), frontier_lists.cpp (URLs are listed), frontier_queues.cpp (queues and crawls).
//
// Numbers of arrival and of queues are reserved in blocks, so that a put does not write the next
// one; a restart goes on after the block. Tested by tests/frontier/frontier_test.cpp.

#include "webstrata/frontier/store/frontier.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "webstrata/frontier/store/frontier_change.h"
#include "webstrata/frontier/store/names.h"
#include "webstrata/url/url.h"

namespace webstrata::frontier {
namespace {

constexpr std::uint64_t kNumberBlock = 1'000'000;
constexpr std::uint64_t kLastMoment = 253'402'300'799'000;  // the end of 9999, in milliseconds

std::uint64_t system_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
}

FrontierOptions with_clock(FrontierOptions options) {
  if (!options.now_ms) options.now_ms = system_ms;
  return options;
}

std::size_t bytes_of(const Metadata& metadata) {
  std::size_t bytes = 0;
  for (const auto& [name, values] : metadata) {
    bytes += name.size() + 8;
    for (const std::string& value : values) bytes += value.size() + 8;
  }
  return bytes;
}

// What a URL without a scheme begins with.
std::string_view up_to_path(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  return url.substr(0, url.find_first_of(":/?&#"));
}

}  // namespace

std::string host_of(std::string_view url) {
  Url parsed;
  if (parse_url(url, parsed) && !parsed.host().empty()) return std::string(parsed.host());
  return std::string(up_to_path(url));
}

std::string crawl_name(const std::string& crawl) {
  const bool is_blank = crawl.find_first_not_of(" \t\r\n") == std::string::npos;
  return is_blank ? std::string(kDefaultCrawl) : crawl;
}

Frontier::Frontier(const std::filesystem::path& folder, FrontierOptions options)
    : options_(with_clock(std::move(options))),
      store_(FrontierStore::open(folder)),
      durable_([this] { store_.sync(); }) {
  load();
}

void Frontier::load() {
  store_.scan(kQueues, {}, [this](std::string_view key, std::string_view value) {
    table_.add(queue_in(key), decode_queue(value));
    return true;
  });
  if (options_.order != nullptr) {
    std::vector<std::string> ignored;
    store_.scan(kOutcomes, {}, [&](std::string_view key, std::string_view value) {
      options_.order->learn(key.substr(kOutcomes.size()), value == kLives, ignored);
      ignored.clear();
      return true;
    });
  }
  is_active_ = setting("active", 1) != 0;
  table_.set_default_delay(setting("delay", 1));
  next_number_ = numbers_end_ = setting("numbers", 1);
}

void Frontier::write(Changes& changes) {
  store_.write(changes);
  durable_.changed();
}

std::uint64_t Frontier::setting(std::string_view name, std::uint64_t otherwise) const {
  const auto value = store_.get(setting_key(name));
  return value ? std::stoull(*value) : otherwise;
}

void Frontier::put_setting(std::string_view name, std::uint64_t value) {
  Changes changes;
  changes.put(setting_key(name), std::to_string(value));
  write(changes);
}

std::uint64_t Frontier::next_number() {
  if (next_number_ == numbers_end_) {
    numbers_end_ += kNumberBlock;
    put_setting("numbers", numbers_end_);
  }
  return next_number_++;
}

namespace {

// Whether the item can be stored; fills in key and crawl.
bool complete(UrlInfo& info, const FrontierLimits& limits) {
  if (info.key.empty()) info.key = host_of(info.url);
  info.crawl = crawl_name(info.crawl);
  return !info.url.empty() && !info.key.empty() && info.key.size() <= limits.key_bytes_max &&
         info.crawl.size() <= limits.key_bytes_max && info.url.size() <= limits.url_bytes_max &&
         bytes_of(info.metadata) <= limits.metadata_bytes_max;
}

// Where the date of an item puts it.
void schedule(UrlRecord& record, const PutItem& item, std::uint64_t now) {
  record.timer = 0;
  record.date = item.is_known ? item.refetchable_from : now / 1000;
  if (item.is_known && item.refetchable_from == 0) {
    record.state = UrlState::Done;
  } else if (record.date <= now / 1000) {
    record.state = UrlState::Ready;
  } else {
    record.state = UrlState::Waiting;
    record.timer = std::min(record.date, kLastMoment / 1000) * 1000;
  }
}

}  // namespace

Ack Frontier::put(const PutItem& given) {
  PutItem item = given;
  if (!complete(item.info, options_.limits)) return Ack::Skipped;
  const Lock lock(mutex_);
  if (options_.order != nullptr && options_.order->is_forgotten(item.info.url)) return Ack::Skipped;
  const std::uint64_t now = options_.now_ms();
  Queue* queue = table_.find(item.info.crawl, item.info.key);
  std::optional<UrlRecord> before;
  if (queue != nullptr) {
    const auto bytes = store_.get(url_key(queue->id, item.info.url));
    if (bytes) before = decode_url(*bytes);
  }
  if (before && !item.is_known) return Ack::Skipped;
  if (queue == nullptr) {
    if (table_.size() >= options_.limits.queues_max) return Ack::Fail;
    queue = &table_.add(next_number(), {.crawl = item.info.crawl, .key = item.info.key});
  }

  UrlRecord after;
  schedule(after, item, now);
  after.arrival = next_number();
  after.created = before ? before->created : item.created != 0 ? item.created : now / 1000;
  after.metadata = std::move(item.info.metadata);
  FrontierChange change(*this);
  std::vector<std::string> scores_changed;
  if (options_.order != nullptr) {
    if (item.is_known) learn(item.info.url, after.metadata, change, scores_changed);
    after.score = options_.order->score(item.info.url);
  }
  change.move(*queue, item.info.url, before ? &*before : nullptr, &after);
  change.commit();
  score_again(scores_changed, item.info.crawl);
  return Ack::Ok;
}

void Frontier::learn(std::string_view url, const Metadata& metadata, FrontierChange& change,
                     std::vector<std::string>& changed) {
  const auto lives = options_.order->outcome_of(metadata);
  if (!lives) return;
  options_.order->learn(url, *lives, changed);
  change.remember(url, *lives);
}

void Frontier::score_again(const std::vector<std::string>& urls, const std::string& crawl) {
  FrontierChange change(*this);
  for (const std::string& url : urls) {
    Queue* queue = table_.find(crawl, host_of(url));
    if (queue == nullptr) continue;
    const auto bytes = store_.get(url_key(queue->id, url));
    if (!bytes) continue;
    const UrlRecord before = decode_url(*bytes);
    UrlRecord after = before;
    after.score = options_.order->score(url);
    if (before.state == UrlState::Ready && after.score != before.score) {
      change.move(*queue, url, &before, &after);
    }
  }
  change.commit();
}

void Frontier::set_active(bool is_active) {
  const Lock lock(mutex_);
  is_active_ = is_active;
  put_setting("active", is_active ? 1 : 0);
}

bool Frontier::is_active() {
  const Lock lock(mutex_);
  return is_active_;
}

}  // namespace webstrata::frontier
