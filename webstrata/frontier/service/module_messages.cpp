// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/service_test.py.

#include "webstrata/frontier/service/messages.h"

namespace webstrata::frontier {

UrlInfo info_of(const urlfrontier::URLInfo& message) {
  UrlInfo info{message.url(), message.key(), message.crawlid(), {}};
  for (const auto& [name, list] : message.metadata()) {
    info.metadata.emplace_back(
        name, std::vector<std::string>(list.values().begin(), list.values().end()));
  }
  return info;
}

void fill(urlfrontier::URLInfo& message, const UrlInfo& info) {
  message.set_url(info.url);
  message.set_key(info.key);
  message.set_crawlid(info.crawl);
  auto& metadata = *message.mutable_metadata();
  for (const auto& [name, values] : info.metadata) {
    auto& list = metadata[name];
    for (const std::string& value : values) list.add_values(value);
  }
}

std::optional<PutItem> item_of(const urlfrontier::URLItem& message) {
  if (message.has_discovered()) return PutItem{info_of(message.discovered().info())};
  if (!message.has_known()) return std::nullopt;
  return PutItem{.info = info_of(message.known().info()),
                 .is_known = true,
                 .refetchable_from = message.known().refetchable_from_date()};
}

void fill(urlfrontier::URLItem& message, const KnownUrl& url) {
  fill(*message.mutable_known()->mutable_info(), url.info);
  message.mutable_known()->set_refetchable_from_date(url.refetchable_from);
  message.set_creation_date(url.created);
}

urlfrontier::AckMessage::Status status_of(Ack ack) {
  switch (ack) {
    case Ack::Ok:
      return urlfrontier::AckMessage::OK;
    case Ack::Skipped:
      return urlfrontier::AckMessage::SKIPPED;
    case Ack::Fail:
      break;
  }
  return urlfrontier::AckMessage::FAIL;
}

void fill(urlfrontier::Stats& message, const FrontierStats& stats) {
  message.set_crawlid(stats.crawl);
  message.set_size(stats.size);
  message.set_inprocess(static_cast<std::uint32_t>(stats.in_process));
  message.set_numberofqueues(stats.queues);
  (*message.mutable_counts())["completed"] = stats.completed;
  (*message.mutable_counts())["active_queues"] = stats.active_queues;
}

}  // namespace webstrata::frontier
