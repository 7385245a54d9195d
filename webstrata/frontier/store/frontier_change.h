// SPDX-License-Identifier: Apache-2.0

// One change of a frontier: URLs and queues with everything that depends on them, written as one
// batch. Private to frontier*.cpp; the frontier is locked meanwhile.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/frontier/store/frontier.h"

namespace webstrata::frontier {

class FrontierChange {
 public:
  explicit FrontierChange(Frontier& frontier) : frontier_(frontier) {}

  // A URL of the queue is `after` what it was `before`. None: there was no such URL, or will be.
  void move(Queue& queue, std::string_view url, const UrlRecord* before, const UrlRecord* after);
  // The record of the queue was changed.
  void touch(Queue& queue);
  // What a client said about a URL, for the order after a restart.
  void remember(std::string_view url, bool lives) {
    changes_.put(std::string(kOutcomes).append(url), lives ? kLives : "0");
  }
  // A timer whose URL no longer exists.
  void drop(std::string_view timer_key) { changes_.remove(timer_key); }
  [[nodiscard]] std::size_t size() const { return changes_.size(); }
  // Writes it. Throws Error(Io).
  void commit();

 private:
  Frontier& frontier_;
  Changes changes_;
  std::vector<QueueId> touched_;
};

}  // namespace webstrata::frontier
