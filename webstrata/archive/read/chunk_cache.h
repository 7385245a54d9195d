// SPDX-License-Identifier: Apache-2.0

// A cache of opened chunks: bounded, shared by threads, cheap on a hit.
//
// A chunk that is evicted lives on as long as a reader uses it. What has not been used since the
// hand last passed is evicted first (the clock algorithm): a hit only sets a flag, under a shared
// lock.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "webstrata/archive/disk/layer.h"

namespace webstrata {

class ChunkCache {
 public:
  explicit ChunkCache(std::size_t bytes_max) : shard_bytes_max_(bytes_max / kShards) {}

  // A chunk of a layer. Layers that are opened together are stored under their first layer.
  struct Key {
    Layer layer = Layer::Names;
    std::uint64_t block = 0;
    std::uint32_t chunk = 0;
    std::uint32_t stratum = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  // Instead of a chunk: what is known about one node, with its uid instead of the block number.
  static constexpr std::uint32_t kNode = ~std::uint32_t{0};

  // The cached object, or the result of `open`. `bytes_of` returns the memory of an opened one.
  template <typename Value, typename Open, typename BytesOf>
  std::shared_ptr<const Value> get(const Key& key, Open open, BytesOf bytes_of) {
    if (auto found = find(key)) return std::static_pointer_cast<const Value>(std::move(found));
    const auto opened = std::make_shared<const Value>(open());
    insert(key, opened, bytes_of(*opened));
    return opened;
  }

  // Whether anything has ever been inserted under kNode.
  [[nodiscard]] bool has_nodes() const noexcept {
    return has_nodes_.load(std::memory_order_relaxed);
  }
  // The two halves of get(), for objects that are not always worth keeping.
  [[nodiscard]] std::shared_ptr<const void> find(const Key& key);
  void insert(const Key& key, std::shared_ptr<const void> value, std::size_t bytes);

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const void> value;
    std::size_t bytes = 0;
    std::atomic<bool> was_used = false;
  };
  struct Shard {
    mutable std::shared_mutex mutex;
    std::unordered_map<Key, std::unique_ptr<Entry>, Hash> entries;
    std::vector<Entry*> ring;  // the same, in the order of the hand
    std::size_t hand = 0;
    std::size_t bytes = 0;
  };

  static void drop_one(Shard& shard);
  Shard& shard_of(const Key& key) { return shards_[Hash{}(key) >> kShardShift]; }

  static constexpr std::size_t kShards = 16;
  static constexpr unsigned kShardShift = 60;  // the highest four bits of a hash

  std::size_t shard_bytes_max_;
  std::array<Shard, kShards> shards_;
  std::atomic<bool> has_nodes_ = false;
};

}  // namespace webstrata
