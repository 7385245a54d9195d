// SPDX-License-Identifier: Apache-2.0

// The records of a frontier and their keys. Numbers in keys are big-endian, so that their order is
// kept.
//
//   q QUEUE                        a queue: QueueRecord
//   u QUEUE url                    a URL: UrlRecord
//   r QUEUE SCORE DATE ARRIVAL     a URL that can be handed out: its text
//   t TIME QUEUE ARRIVAL           a URL that waits for a date or for the end of a lease: its text
//   o url                          whether a URL lived when it was fetched: 1 or 0
//   m name                         a number or a setting of the whole frontier

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace webstrata::frontier {

using QueueId = std::uint64_t;
using Metadata = std::vector<std::pair<std::string, std::vector<std::string>>>;

enum class UrlState : std::uint8_t {
  Ready,    // can be handed out
  Waiting,  // until its date
  Leased,   // handed out, and not reported yet
  Done,     // for ever
};

struct UrlRecord {
  UrlState state = UrlState::Ready;
  std::uint32_t score = 0;    // larger ones come first
  std::uint64_t date = 0;     // from when on it may be fetched, in seconds since 1970; 0: never
  std::uint64_t arrival = 0;  // counts all changes of schedule
  std::uint64_t timer = 0;    // Waiting, Leased: until when, in milliseconds since 1970
  std::uint64_t created = 0;  // in seconds since 1970
  Metadata metadata = {};

  friend bool operator==(const UrlRecord&, const UrlRecord&) = default;
};

inline constexpr std::int64_t kDefaultDelay = -1;

struct QueueRecord {
  std::string crawl;
  std::string key;
  std::int64_t delay = kDefaultDelay;  // seconds between two servings
  std::uint64_t blocked_until = 0;     // seconds since 1970
  std::uint64_t limit = 0;             // URLs that may be done; 0: any number
  std::uint64_t last_served = 0;       // milliseconds since 1970
  std::uint64_t ready = 0;             // URLs in each state
  std::uint64_t waiting = 0;
  std::uint64_t leased = 0;
  std::uint64_t done = 0;

  [[nodiscard]] std::uint64_t active() const noexcept { return ready + waiting + leased; }
  [[nodiscard]] std::uint64_t& count_of(UrlState state) noexcept;
  friend bool operator==(const QueueRecord&, const QueueRecord&) = default;
};

// Throw Error(Corrupt) if the bytes are not such a record.
std::string encode(const UrlRecord& record);
UrlRecord decode_url(std::string_view bytes);
std::string encode(const QueueRecord& record);
QueueRecord decode_queue(std::string_view bytes);

std::string queue_key(QueueId queue);
std::string url_key(QueueId queue, std::string_view url);
std::string ready_key(QueueId queue, const UrlRecord& record);
std::string timer_key(QueueId queue, const UrlRecord& record);
std::string setting_key(std::string_view name);

// The same kinds of keys, up to what is given: prefixes for scans.
std::string urls_of(QueueId queue);
std::string ready_of(QueueId queue);
std::string timers_from(std::uint64_t time);
inline constexpr std::string_view kQueues = "q";
inline constexpr std::string_view kTimers = "t";
inline constexpr std::string_view kOutcomes = "o";
inline constexpr std::string_view kLives = "1";

// Parts of keys.
QueueId queue_in(std::string_view queue_key);
std::string_view url_in(std::string_view url_key);
std::uint64_t time_in(std::string_view timer_key);
QueueId queue_of_timer(std::string_view timer_key);

}  // namespace webstrata::frontier
