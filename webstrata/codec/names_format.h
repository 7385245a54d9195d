// SPDX-License-Identifier: Apache-2.0

// What the two sides of names.h agree on. docs/FORMAT.md draws the bytes.
//
// A chunk is cut into groups. The first keys of the groups, the leaders, are front coded as one
// list that is decoded when the chunk is opened; the others are front coded group by group, each
// against the key before it, the second of a group against its leader.
//
// A key is then a step from the key before it: how many bytes they share, and the rest. The number
// of shared bytes is coded as the difference to that of the step before (siblings tend to diverge
// where their neighbours did), under the size of the rest of the previous step. The rest is coded
// in symbols of phrases.h, the last of which contains the end.
//
//   varint    number of keys; nothing follows if it is 0
//   varint    bytes of all keys
//   varint    bytes of the leaders
//   varint    bytes of the head's stream
//   tables    of the head's numbers (token_coder.h)
//   stream    the head's numbers: phrases, code lengths, sizes of the groups in bits
//   bits      the leaders, then one group after the other
//   8 bytes   zero, so that a decoder may read ahead

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "webstrata/codec/names.h"
#include "webstrata/codec/tokens.h"

namespace webstrata {

inline constexpr std::size_t kGroupKeys = 16;
inline constexpr unsigned kSymbolBitsMax = 14;  // of a symbol's code
inline constexpr unsigned kSharedBitsMax = 9;   // of the code for shared bytes
inline constexpr std::size_t kReadAheadBytes = 8;
inline constexpr std::size_t kLevelsMax = 64;

// The last key of a chunk may exceed kChunkKeyBytes.
inline constexpr std::uint64_t kNamesBytesMax = 2 * std::uint64_t{kChunkKeyBytes};

// Contexts of the head's numbers.
enum HeadContext : std::uint32_t {
  kHeadLevels,        // how many; how many phrases in each
  kHeadLeft,          // left symbol of a phrase, minus that of the phrase before
  kHeadRight,         // right symbol
  kHeadRightGap,      // the same, minus that of the phrase before, if they have the same left one
  kHeadByteLength,    // code length of a byte
  kHeadLength,        // code length of a phrase
  kHeadSharedLength,  // code length of a token for shared bytes
  kHeadGroupBits,     // size of the leaders, or of a group
  kHeadContextCount,
};

// Tokens (tokens.h) that numbers of shared bytes can need: these are below 2^24.
inline constexpr std::size_t kSharedTokens = kPlainTokens + 4 * (26 - 4);
inline constexpr std::size_t kSharedContexts = 16;

// Where we are in a list of steps.
struct StepState {
  std::size_t shared = 0;
  std::size_t rest = 0;

  [[nodiscard]] std::size_t context() const { return std::min(rest, kSharedContexts - 1); }
};

inline StepState before_leaders() { return {}; }
inline StepState after_leader(std::size_t leader_size) { return {leader_size, 0}; }

// How many bytes two keys have in common at their beginning.
inline std::size_t shared_size(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t shared = 0;
  for (; shared + 8 <= size; shared += 8) {
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    std::memcpy(&left, a.data() + shared, 8);
    std::memcpy(&right, b.data() + shared, 8);
    if (left != right) {
      return shared + static_cast<std::size_t>(std::countr_zero(left ^ right)) / 8;
    }
  }
  while (shared < size && a[shared] == b[shared]) ++shared;
  return shared;
}

// Small differences of either sign become small numbers.
inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace webstrata
