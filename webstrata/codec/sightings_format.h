// SPDX-License-Identifier: Apache-2.0

// What the writer and the reader of a chunk of sightings agree on. Private to the two.
//
//   varint   nodes, records
//   u8       1: offsets are differences to the file's offset before
//   varint   base of explicit times (zigzag), number of moments in their table or 0
//   tables   of MIME types, files, crawls (text_table.h), forms of digests, shapes
//   varint   size of the code tables; the code tables (token_coder.h)
//   varint   size of the entries; for each a varint: bits from the one before, or from the start
//   tokens   the counts of all nodes, the steps between moments, the entries
//
// **Shapes.** Most records are alike: a response with status 200, of text/html, with a new digest
// and no redirect. All small fields of a record, and which of its other fields are absent, the same
// as the node's previous one, or new, are one shape; the chunk's distinct shapes are a table, the
// most frequent first, and a record begins with its shape's number, under the shape of the previous
// record. Only new fields follow.
//
// **Times.** A record at the time of a row says which row, counted from the previous record, so
// that captures cost next to nothing. Other times are explicit: seconds since the previous record,
// or ranks in a table where many records share few moments.
//
// **Entries.** Reading can begin at an entry: at the first node with records, and then at every
// node that has kEntryRecords or more between the entry before and itself. Nothing is remembered
// across entries, and "the same as before" never refers to another node; only files, crawls and
// digests are also looked up in the previous nodes (http and https are neighbours).

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "webstrata/codec/sightings.h"

namespace webstrata::sightings_format {

inline constexpr std::uint32_t kEntryRecords = 16;
inline constexpr std::size_t kRecentDigests = 64;      // how far back a digest is looked for
inline constexpr std::size_t kRecentTimes = 64;        // likewise the time a revisit refers to
inline constexpr std::size_t kTextBytesMax = 1 << 30;  // of one node, and of each table

// What a shape is made of; an unsigned number each.
enum Field : std::size_t {
  kKind,
  kOutcome,
  kProfile,
  kFlags,   // 1: has_links, 2: truncated
  kStatus,  // 0: not known, else 1 + its 16 bits
  kMime,    // 0: not known, else 1 + its number
  kTextLength,
  kTitle,
  kOffset,
  kLength,
  kRefersToTime,
  kRedirect,
  kRefersTo,
  kDigest,
  kTextDigest,
  kSpelling,
  kFile,
  kCrawl,
  kFieldCount,
};
using Shape = std::array<std::uint32_t, kFieldCount>;

// The values of a shape's fields from kTextLength on.
enum FieldState : std::uint32_t {
  kAbsent,
  kSame,  // as the node's previous one; files and crawls: as the entry's previous one, at first
          // number 0
  kNew,
  // Digests continue here.
  kReturned = kNew,  // one of the entry's last new ones
  kVerbatim,         // new, a text without a form
  kFirstForm,        // new, of form 0, 1, ...
};

// The time of a record: as the previous one, explicit, or of a row.
enum TimeCode : std::uint32_t { kTimeSame, kTimeExplicit, kTimeFirstRow };

inline constexpr std::uint32_t kShapeContexts = 32;
inline constexpr std::uint32_t kCrawlContexts = 16;
inline constexpr std::uint32_t kSizeContexts = 8;
enum Context : std::uint32_t {
  kGapContext,  // nodes without records
  kCountContext,
  kStepContext,  // between moments
  kFirstShapeContext,
  kShapeContext,
  kFirstTimeContext = kShapeContext + kShapeContexts,
  kCaptureTimeContext,
  kOtherTimeContext,
  kFirstSecondsContext,
  kSecondsContext,
  kFirstLengthContext = kSecondsContext + kSizeContexts,
  kLengthContext,
  kSameDigestLengthContext = kLengthContext + kSizeContexts,
  kFirstTextLengthContext,
  kTextLengthContext,
  kOffsetContext,
  kRedirectContext,
  kRefersToContext,
  kRefersToTimeContext,
  kRefersToSecondsContext,
  kDigestBackContext,
  kDigestSizeContext,
  kSharedContext,
  kSpellingSizeContext,
  kFileContext,
  kCrawlContext,
  kContextCount = kCrawlContext + kCrawlContexts,
};

// A page that changes often, or seldom, tends to stay that way: the context of a number is the size
// of the node's last one of its kind.
constexpr std::uint32_t size_context(std::uint64_t last) noexcept {
  const auto bits = static_cast<std::uint32_t>(std::bit_width(last));
  return bits / 2 < kSizeContexts ? bits / 2 : kSizeContexts - 1;
}

// Differences of numbers modulo 2^64, small ones of either sign first.
constexpr std::uint64_t zigzag(std::uint64_t difference) noexcept {
  return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t code) noexcept {
  return code >> 1 ^ (0 - (code & 1));
}

// Decides at which nodes entries begin; to be called for every node with records, in order.
class EntryRule {
 public:
  bool begins_at(std::uint64_t count) noexcept {
    const bool begins = is_first_ || since_ >= kEntryRecords;
    since_ = (begins ? 0 : since_) + count;
    is_first_ = false;
    return begins;
  }

 private:
  bool is_first_ = true;
  std::uint64_t since_ = 0;
};

}  // namespace webstrata::sightings_format
