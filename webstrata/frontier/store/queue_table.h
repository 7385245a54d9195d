// SPDX-License-Identifier: Apache-2.0

// The queues of a frontier in memory, and the line in which they wait to be served.
//
// A queue is in the line while it has a URL to hand out and its limit is not reached. Its position
// is the time from which it may be served, so that the queue that has waited longest comes first.
// Not locked: the Frontier does that.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "webstrata/frontier/store/records.h"

namespace webstrata::frontier {

struct Queue {
  QueueId id = 0;
  QueueRecord record = {};
  std::string first_ready = {};   // no ready URL has a smaller key; empty: not known
  std::uint64_t passed_over = 0;  // when, because all that a client wanted was leased
  std::uint64_t position = 0;     // in the line
  bool is_in_line = false;
  std::uint64_t served_by = 0;  // the last run that it was served in

  [[nodiscard]] bool is_limit_reached() const noexcept {
    return record.limit != 0 && record.done >= record.limit;
  }
  [[nodiscard]] bool is_blocked(std::uint64_t now_ms) const noexcept {
    return record.blocked_until > now_ms / 1000;
  }
};

using Line = std::set<std::pair<std::uint64_t, QueueId>>;

class QueueTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return queues_.size(); }
  [[nodiscard]] Queue* find(std::string_view crawl, std::string_view key);
  [[nodiscard]] Queue* find(QueueId id);
  Queue& add(QueueId id, QueueRecord record);
  void remove(const Queue& queue);

  // From when on it may be served, in milliseconds since 1970.
  [[nodiscard]] std::uint64_t available_at(const Queue& queue) const noexcept;
  // After anything that the place in the line depends on has changed.
  void place(Queue& queue);
  // For all queues without a delay of their own; also places them.
  void set_default_delay(std::uint64_t seconds);
  [[nodiscard]] std::uint64_t default_delay() const noexcept { return default_delay_; }

  // Of all crawls, or of one; empty if there is no such crawl.
  [[nodiscard]] const Line& line() const noexcept { return line_; }
  [[nodiscard]] const Line& line(std::string_view crawl) const;
  // In the order in which they were created.
  [[nodiscard]] std::vector<std::string> crawls() const;
  [[nodiscard]] const std::map<QueueId, Queue*>& queues_of(std::string_view crawl) const;

 private:
  struct Crawl {
    std::unordered_map<std::string_view, Queue*> by_key;  // views of QueueRecord::key
    std::map<QueueId, Queue*> by_id;
    Line line;
  };
  void leave_line(Queue& queue);

  std::unordered_map<QueueId, std::unique_ptr<Queue>> queues_;
  std::map<std::string, Crawl, std::less<>> crawls_;
  Line line_;
  std::uint64_t default_delay_ = 1;
};

}  // namespace webstrata::frontier
