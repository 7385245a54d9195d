// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/archive_test.cpp.

#include "webstrata/archive/read/page_history.h"

namespace webstrata {
namespace {

// Shorter ones are decoded in a few microseconds: not worth the memory.
constexpr std::size_t kLong = 256;

}  // namespace

PageHistory::PageHistory(const CachedStack& stack, Uid uid) : rows_(stack, Direction::Out, uid) {
  stack.outcomes(uid, rows_.times(), outcomes_);
}

std::shared_ptr<const PageHistory> PageHistory::of(const CachedStack& stack, Uid uid) {
  const ChunkCache::Key key = {Layer::Sightings, uid, ChunkCache::kNode};
  if (auto kept = stack.cache().find(key)) {
    return std::static_pointer_cast<const PageHistory>(std::move(kept));
  }
  auto history = std::make_shared<const PageHistory>(stack, uid);
  if (history->outcomes_.size() >= kLong) {
    stack.cache().insert(key, history, history->memory_bytes());
  }
  return history;
}

std::size_t PageHistory::memory_bytes() const noexcept {
  return sizeof *this + rows_.memory_bytes() + outcomes_.capacity() * sizeof(SightingOutcome);
}

}  // namespace webstrata
