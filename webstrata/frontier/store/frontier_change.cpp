// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/frontier_test.cpp.

#include "webstrata/frontier/store/frontier_change.h"

#include <algorithm>

namespace webstrata::frontier {
namespace {

bool has_timer(const UrlRecord& record) {
  return record.state == UrlState::Waiting || record.state == UrlState::Leased;
}

}  // namespace

void FrontierChange::move(Queue& queue, std::string_view url, const UrlRecord* before,
                          const UrlRecord* after) {
  if (before != nullptr) {
    --queue.record.count_of(before->state);
    if (before->state == UrlState::Ready) changes_.remove(ready_key(queue.id, *before));
    if (has_timer(*before)) changes_.remove(timer_key(queue.id, *before));
  }
  touch(queue);
  if (after == nullptr) {
    changes_.remove(url_key(queue.id, url));
    return;
  }
  ++queue.record.count_of(after->state);
  changes_.put(url_key(queue.id, url), encode(*after));
  if (after->state == UrlState::Ready) {
    const std::string key = ready_key(queue.id, *after);
    changes_.put(key, url);
    if (key < queue.first_ready) queue.first_ready = key;
  }
  if (has_timer(*after)) {
    changes_.put(timer_key(queue.id, *after), url);
    frontier_.swept_until_ = std::min(frontier_.swept_until_, after->timer - 1);
  }
}

void FrontierChange::touch(Queue& queue) {
  if (touched_.empty() || touched_.back() != queue.id) touched_.push_back(queue.id);
}

void FrontierChange::commit() {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const QueueId id : touched_) {
    Queue& queue = *frontier_.table_.find(id);
    changes_.put(queue_key(id), encode(queue.record));
    frontier_.table_.place(queue);
  }
  touched_.clear();
  frontier_.write(changes_);
}

}  // namespace webstrata::frontier
