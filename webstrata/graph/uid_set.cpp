// SPDX-License-Identifier: Apache-2.0

// Rank by a counter per 512 bits and popcounts inside; select by a binary search over the counters.
// Tested by tests/graph/uid_set_test.cpp.

#include "webstrata/graph/uid_set.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kGroupWords = 8;

// The position of the one bit number `rank` (from 0) in `word`.
unsigned select_bit(std::uint64_t word, unsigned rank) noexcept {
  while (rank-- > 0) word &= word - 1;
  return static_cast<unsigned>(std::countr_zero(word));
}

}  // namespace

UidSet::UidSet(std::uint64_t uid_count) : uid_count_(uid_count), words_((uid_count + 63) / 64, 0) {}

UidSet UidSet::all(std::uint64_t uid_count) {
  UidSet set(uid_count);
  std::fill(set.words_.begin(), set.words_.end(), ~std::uint64_t{0});
  if (uid_count % 64 != 0) set.words_.back() = (std::uint64_t{1} << (uid_count % 64)) - 1;
  set.seal();
  return set;
}

void UidSet::insert(Uid uid) noexcept {
  assert(uid < uid_count_);
  const std::uint64_t bit = std::uint64_t{1} << (uid % 64);
  std::atomic_ref word(words_[uid / 64]);
  // Most uids occur many times; reading first keeps the cache line shared.
  if ((word.load(std::memory_order_relaxed) & bit) == 0) {
    word.fetch_or(bit, std::memory_order_relaxed);
  }
}

void UidSet::seal() {
  before_.clear();
  before_.reserve(words_.size() / kGroupWords + 1);
  std::uint64_t members = 0;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    if (word % kGroupWords == 0) before_.push_back(static_cast<Node>(members));
    members += static_cast<unsigned>(std::popcount(words_[word]));
    if (members > ~Node{0}) {
      throw Error(ErrorKind::BadInput,
                  "a snapshot holds at most 4294967295 nodes; choose a shorter time or a level");
    }
  }
  size_ = static_cast<Node>(members);
}

bool UidSet::contains(Uid uid) const noexcept {
  return uid < uid_count_ && (words_[uid / 64] >> (uid % 64) & 1) != 0;
}

std::optional<Node> UidSet::node(Uid uid) const noexcept {
  if (!contains(uid)) return std::nullopt;
  const std::uint64_t word = uid / 64;
  Node node = before_[word / kGroupWords];
  for (std::uint64_t i = word / kGroupWords * kGroupWords; i < word; ++i) {
    node += static_cast<unsigned>(std::popcount(words_[i]));
  }
  const std::uint64_t below = (std::uint64_t{1} << (uid % 64)) - 1;
  return node + static_cast<unsigned>(std::popcount(words_[word] & below));
}

Uid UidSet::uid(Node node) const noexcept {
  assert(node < size_);
  const auto group = std::upper_bound(before_.begin(), before_.end(), node) - before_.begin() - 1;
  auto rank = node - before_[static_cast<std::size_t>(group)];
  std::uint64_t word = static_cast<std::uint64_t>(group) * kGroupWords;
  for (;; ++word) {
    const auto members = static_cast<unsigned>(std::popcount(words_[word]));
    if (rank < members) break;
    rank -= members;
  }
  return word * 64 + select_bit(words_[word], rank);
}

}  // namespace webstrata
