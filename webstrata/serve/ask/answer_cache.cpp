// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/answer_cache_test.cpp.

#include "webstrata/serve/ask/answer_cache.h"

#include <functional>
#include <limits>

namespace webstrata::serve {
namespace {

// What a map and the headers take besides, roughly.
constexpr std::size_t kAnswerOverhead = 512;

std::size_t size_of(const std::string& target, const Response& response) {
  return target.size() + response.body.size() + kAnswerOverhead;
}

}  // namespace

AnswerCache::Shard& AnswerCache::shard_of(std::string_view target) {
  return shards_[std::hash<std::string_view>()(target) % kShards];
}

void AnswerCache::keep(Shard& shard, const std::string& target,
                       std::shared_ptr<const Response> response, std::size_t bytes_max) {
  const std::size_t size = size_of(target, *response);
  if (shard.young_bytes + size > bytes_max / kShards / 2) {
    shard.old = std::move(shard.young);
    shard.young.clear();
    shard.young_bytes = 0;
  }
  if (shard.young.emplace(target, std::move(response)).second) shard.young_bytes += size;
}

std::shared_ptr<const Response> AnswerCache::find(const std::string& target) {
  Shard& shard = shard_of(target);
  const std::lock_guard lock(shard.mutex);
  const auto young = shard.young.find(target);
  if (young != shard.young.end()) return young->second;
  const auto old = shard.old.find(target);
  if (old == shard.old.end()) return nullptr;
  // It is asked for: it stays, in place of what is not.
  auto response = old->second;
  shard.old.erase(old);
  shard.young_bytes += size_of(target, *response);
  shard.young.emplace(target, response);
  return response;
}

void AnswerCache::add(const std::string& target, const Response& response, std::size_t bytes_max) {
  if (response.is_streamed() || size_of(target, response) > bytes_max / kShards / 2) return;
  Shard& shard = shard_of(target);
  auto kept = std::make_shared<const Response>(response);
  const std::lock_guard lock(shard.mutex);
  keep(shard, target, std::move(kept), bytes_max);
}

}  // namespace webstrata::serve
