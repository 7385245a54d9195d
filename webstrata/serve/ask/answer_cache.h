// SPDX-License-Identifier: Apache-2.0

// Answers of one generation, kept for later requests for the same. It belongs to the generation and
// ends with it, so a new one, or a `forget`, can never be answered from here.
//
//   if (const auto known = cache.find(target)) return *known;
//   cache.add(target, response);
//
// Bounded by bytes: there are two halves; when the young one is full, it becomes the old one, and
// what was in the old one and not asked for since is dropped. Threads may share it.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {

class AnswerCache {
 public:
  // Null if it is not there.
  [[nodiscard]] std::shared_ptr<const Response> find(const std::string& target);
  // Not a body in pieces. Does nothing if `bytes_max`, of all answers together, is too small.
  void add(const std::string& target, const Response& response, std::size_t bytes_max);

 private:
  using Answers = std::unordered_map<std::string, std::shared_ptr<const Response>>;
  // Several, so that threads rarely wait for each other.
  struct Shard {
    std::mutex mutex;
    Answers young;
    Answers old;
    std::size_t young_bytes = 0;
  };
  static constexpr std::size_t kShards = 16;

  Shard& shard_of(std::string_view target);
  static void keep(Shard& shard, const std::string& target,
                   std::shared_ptr<const Response> response, std::size_t bytes_max);

  std::array<Shard, kShards> shards_;
};

}  // namespace webstrata::serve
