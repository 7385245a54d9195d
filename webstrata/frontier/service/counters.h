// SPDX-License-Identifier: Apache-2.0

// What the service counts, and the text of it for Prometheus. The names that begin with frontier_
// are those of the reference service, so that dashboards made for it work.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "webstrata/frontier/store/frontier.h"

namespace webstrata::frontier {

inline constexpr std::array<std::string_view, 19> kCalls = {
    "ListNodes",    "ListCrawls",    "DeleteCrawl", "ListQueues",  "GetURLs",
    "PutURLs",      "PutDiscovered", "GetStats",    "DeleteQueue", "BlockQueueUntil",
    "SetActive",    "GetActive",     "SetDelay",    "SetLogLevel", "SetCrawlLimit",
    "GetURLStatus", "ListURLs",      "CountURLs",   "PurgeURLs"};

struct Counters {
  struct Call {
    std::atomic<std::uint64_t> count = 0;
    std::atomic<std::uint64_t> failed = 0;
    std::atomic<std::uint64_t> microseconds = 0;
  };
  std::array<Call, kCalls.size()> calls = {};
  std::atomic<std::uint64_t> taken = 0;
  std::atomic<std::uint64_t> put_discovered = 0;
  std::atomic<std::uint64_t> put_known = 0;
  std::atomic<std::uint64_t> put_skipped = 0;
  std::atomic<std::uint64_t> put_failed = 0;
  std::atomic<std::uint64_t> completed = 0;
  std::atomic<std::int64_t> streams = 0;  // of puts, at this moment

  [[nodiscard]] Call& of(std::string_view call) noexcept;
  void count_put(const PutItem& item, Ack ack) noexcept;
};

std::string metrics_text(const Counters& counters, const FrontierStats& totals);

}  // namespace webstrata::frontier
