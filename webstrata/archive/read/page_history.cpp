// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/archive_test.cpp.

#include "webstrata/archive/read/page_history.h"

namespace webstrata {
namespace {

// Shorter ones are decoded in a few microseconds: not worth the memory.
constexpr std::size_t kLong = 256;

}  // namespace

const PageHistory& PageHistories::of(Uid uid) {
  const ChunkCache::Key key = {Layer::Sightings, uid, ChunkCache::kNode};
  ChunkCache& cache = stack_.cache();
  if (cache.has_nodes()) {
    cached_ = std::static_pointer_cast<const PageHistory>(cache.find(key));
    if (cached_) return *cached_;
  }
  if (!history_) history_ = std::make_shared<PageHistory>();
  history_->rows_.read(stack_, Direction::Out, uid);
  // A hold is for pages that ascend; a single one does without.
  stack_.outcomes(uid, history_->rows_, history_->outcomes_, has_begun_ ? &holds_ : nullptr);
  has_begun_ = true;
  if (history_->outcomes_.size() < kLong) return *history_;
  cached_ = std::move(history_);
  cache.insert(key, cached_, cached_->memory_bytes());
  return *cached_;
}

std::size_t PageHistory::memory_bytes() const noexcept {
  return sizeof *this + rows_.memory_bytes() + outcomes_.capacity() * sizeof(SightingOutcome);
}

}  // namespace webstrata
