// SPDX-License-Identifier: Apache-2.0

// How a list of targets is represented: the symbols, and the contexts under which they are coded.
//
// A list is, in this order,
//   reference   how many lists back the list is that it copies from; 0: none
//   shape       one symbol for two small counts: copy blocks (3 means 3 or more) and numbers of the
//               rest (7 means 7 or more); what exceeds them follows
//   blocks      lengths of alternately copied and skipped parts of the reference; what follows the
//               last one is copied if it was skipped, and skipped if it was copied
//   rest        the targets that are not copied: the first relative to the node itself, then gaps
//               that do not count copied targets; a gap of zero is followed by how many more gaps
//               of zero there are
// Counting the numbers of the rest instead of targets lets a reader skip a list without its
// reference. Lists without targets are not written: a run-coded bitmap marks them.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/codec/context_codes.h"
#include "webstrata/codec/tokens.h"

namespace webstrata::links_model {

inline constexpr std::uint32_t kWindow = 64;   // maximum distance of a reference, in lists
inline constexpr std::uint32_t kChainMax = 3;  // copies between a list and one without reference
inline constexpr std::uint32_t kBlocksInShape = 3;
inline constexpr std::uint32_t kRestInShape = 7;
inline constexpr std::uint32_t kShapeCount = (kBlocksInShape + 1) * (kRestInShape + 1);

// Symbols of a family mean the same, and the same contexts follow them.
enum Family : std::uint8_t {
  kNumbers,  // tokens
  kFirsts,   // tokens with a sign as their lowest bit
  kGaps,     // tokens; the next number is a gap or, after a zero, a run
  kRuns,     // tokens; the next number is a gap
  kShapes,
  kIndex,  // tokens
  kFamilyCount
};
inline constexpr std::uint32_t kSymbolsMax = 2 * kTokenCount;

inline constexpr std::uint32_t kReferenceClasses = 6;
inline constexpr std::uint32_t kCopyClasses = 5;   // of a list's own reference
inline constexpr std::uint32_t kRestClasses = 5;   // of the rest of the list before
inline constexpr std::uint32_t kBlockClasses = 4;  // by the number of blocks
inline constexpr std::uint32_t kFirstClasses = 6;  // by the numbers of the rest
inline constexpr std::uint32_t kGapsAfterFirst = 5;
inline constexpr std::uint32_t kGapsAfterGap = 15;
inline constexpr std::uint32_t kGapsAfterRun = 3;

enum Context : std::uint32_t {
  kReference = 0,
  kShape = kReference + kReferenceClasses,
  kMoreBlocks = kShape + kCopyClasses * kRestClasses,
  kMoreRest,  // without, with a reference
  kBlock = kMoreRest + 2,
  kFirst = kBlock + 3 * kBlockClasses,  // first copied, skipped, copied
  kGap = kFirst + 2 * kFirstClasses,    // without, with a reference
  kRun = kGap + kGapsAfterFirst + kGapsAfterGap + kGapsAfterRun,
  kEmptyRun,  // nodes without targets
  kFullRun,
  kGroupBits,  // lengths of groups of lists, in bits
  kContextCount
};

constexpr Family family_of(std::uint32_t context) {
  if (context == kGroupBits) return kIndex;
  if (context == kRun) return kRuns;
  if (context >= kShape && context < kMoreBlocks) return kShapes;
  if (context >= kFirst && context < kGap) return kFirsts;
  if (context >= kGap && context < kRun) return kGaps;
  return kNumbers;
}

// Classes by table, since each is needed for every list.
inline constexpr auto kReferenceClassOf = [] {
  std::array<std::uint8_t, kWindow + 1> classes{};
  for (std::uint32_t back = 0; back <= kWindow; ++back) {
    classes[back] = back < 3 ? static_cast<std::uint8_t>(back + 1) : back < 8 ? 4 : 5;
  }
  return classes;
}();
inline constexpr auto kCopyClassOf = [] {
  std::array<std::uint8_t, kWindow + 1> classes{};
  for (std::uint32_t back = 0; back <= kWindow; ++back) {
    classes[back] = back < 3 ? static_cast<std::uint8_t>(back) : back < 8 ? 3 : 4;
  }
  return classes;
}();
inline constexpr std::array<std::uint8_t, 5> kRestClassOf = {1, 2, 3, 3, 4};
inline constexpr std::array<std::uint8_t, 6> kBlockClassOf = {0, 0, 1, 2, 2, 3};
inline constexpr std::array<std::uint8_t, 18> kFirstClassOf = {0, 0, 1, 2, 2, 3, 3, 3, 3,
                                                               4, 4, 4, 4, 4, 4, 4, 4, 5};

template <std::size_t Size>
constexpr std::uint32_t class_of(const std::array<std::uint8_t, Size>& classes,
                                 std::uint64_t value) {
  return classes[std::min<std::uint64_t>(value, Size - 1)];
}

// What is remembered of the previous list; nothing at the first list of a group.
struct Before {
  std::uint32_t reference_class = 0;
  std::uint32_t rest_class = 0;
};

constexpr Before before_next(std::uint32_t reference, std::uint64_t rest_count) {
  return {kReferenceClassOf[reference], class_of(kRestClassOf, rest_count)};
}
constexpr std::uint32_t reference_context(Before before) {
  return kReference + before.reference_class;
}
constexpr std::uint32_t shape_context(std::uint32_t reference, Before before) {
  return kShape + kCopyClassOf[reference] * kRestClasses + before.rest_class;
}
constexpr std::uint32_t block_context(std::uint64_t block_count) {
  return kBlock + 3 * class_of(kBlockClassOf, block_count);
}
constexpr std::uint32_t first_context(std::uint64_t rest_count, std::uint32_t reference) {
  return kFirst + 2 * class_of(kFirstClassOf, rest_count) + (reference > 0 ? 1 : 0);
}

constexpr std::uint32_t context_after_first(std::uint32_t symbol) {
  const std::uint32_t token = symbol / 2;
  return kGap + (token < 2 ? 0 : token < 8 ? 1 : token < 24 ? 2 : token < 40 ? 3 : 4);
}
constexpr std::uint32_t context_after_gap(std::uint32_t token) {
  if (token == 0) return kRun;
  const std::uint32_t size_class = token < 8    ? token
                                   : token < 12 ? 8
                                   : token < 16 ? 9
                                   : token < 20 ? 10
                                   : token < 28 ? 11
                                   : token < 36 ? 12
                                   : token < 48 ? 13
                                                : 14;
  return kGap + kGapsAfterFirst + size_class;
}
constexpr std::uint32_t context_after_run(std::uint32_t token) {
  return kGap + kGapsAfterFirst + kGapsAfterGap + (token == 0 ? 0 : token < 4 ? 1 : 2);
}
// The context that follows a symbol of the rest.
constexpr std::uint32_t context_after(Family family, std::uint32_t symbol) {
  switch (family) {
    case kFirsts:
      return context_after_first(symbol);
    case kGaps:
      return context_after_gap(symbol);
    case kRuns:
      return context_after_run(symbol);
    default:
      return 0;
  }
}

// Alphabets and default codes of the families.
const CodeLayout& layout();

// The top and the raw width of a symbol.
TokenShape symbol_shape(Family family, std::uint32_t symbol);

}  // namespace webstrata::links_model
