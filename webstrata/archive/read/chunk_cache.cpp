// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/chunk_cache_test.cpp.

#include "webstrata/archive/read/chunk_cache.h"

#include <mutex>

namespace webstrata {

std::size_t ChunkCache::Hash::operator()(const Key& key) const noexcept {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  const std::uint64_t name = key.block << 4 ^ static_cast<std::uint64_t>(key.layer) ^
                             static_cast<std::uint64_t>(key.stratum) << 56;
  return (name * kOdd ^ key.chunk) * kOdd;
}

std::shared_ptr<const void> ChunkCache::find(const Key& key) {
  Shard& shard = shard_of(key);
  const std::shared_lock lock(shard.mutex);
  const auto found = shard.entries.find(key);
  if (found == shard.entries.end()) return nullptr;
  Entry& entry = *found->second;
  // Threads that use the same chunk must not keep writing to the same cache line.
  if (!entry.was_used.load(std::memory_order_relaxed)) {
    entry.was_used.store(true, std::memory_order_relaxed);
  }
  return entry.value;
}

void ChunkCache::insert(const Key& key, std::shared_ptr<const void> value, std::size_t bytes) {
  if (bytes > shard_bytes_max_) return;
  if (key.chunk == kNode) has_nodes_.store(true, std::memory_order_relaxed);
  Shard& shard = shard_of(key);
  const std::unique_lock lock(shard.mutex);
  if (shard.entries.contains(key)) return;  // another thread was faster
  while (shard.bytes + bytes > shard_bytes_max_) drop_one(shard);
  auto entry = std::make_unique<Entry>();
  entry->key = key;
  entry->value = std::move(value);
  entry->bytes = bytes;
  shard.bytes += bytes;
  shard.ring.push_back(entry.get());
  shard.entries.emplace(key, std::move(entry));
}

void ChunkCache::drop_one(Shard& shard) {
  while (true) {
    shard.hand = shard.hand < shard.ring.size() ? shard.hand : 0;
    Entry& entry = *shard.ring[shard.hand];
    if (!entry.was_used.exchange(false, std::memory_order_relaxed)) break;
    ++shard.hand;
  }
  Entry& entry = *shard.ring[shard.hand];
  shard.ring[shard.hand] = shard.ring.back();
  shard.ring.pop_back();
  shard.bytes -= entry.bytes;
  const Key key = entry.key;
  shard.entries.erase(key);
}

std::size_t ChunkCache::bytes() const {
  std::size_t bytes = 0;
  for (const Shard& shard : shards_) {
    const std::shared_lock lock(shard.mutex);
    bytes += shard.bytes;
  }
  return bytes;
}

}  // namespace webstrata
