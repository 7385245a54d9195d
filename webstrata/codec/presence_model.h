// SPDX-License-Identifier: Apache-2.0

// How numbers of the presence layer are coded: what the writer and the reader of presence.cpp both
// know. The essay is there.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "webstrata/base/error.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata::presence_model {

inline constexpr std::string_view kWhat = "presence";

[[noreturn]] inline void throw_corrupt(const char* reason) {
  throw Error(ErrorKind::Corrupt, std::string(kWhat) + ": " + reason);
}

// What a set is made of.
enum class World : std::uint32_t { All, Unseen, Ones, Gone };

// Contexts of numbers, by what they count and what is known then.
enum Context : std::uint32_t {
  kRowCount = 0,
  kUnitRows = kRowCount + 8,
  kMissingCount = kUnitRows + 1,
  kEqualRows = kMissingCount + 3,
  kChange = kEqualRows + 21,
  kMoreAdded = kChange + 27,
  kMoreRemoved = kMoreAdded + 8,
  kMoreReturned = kMoreRemoved + 3,
  kGap = kMoreReturned + 8,
  kLength = kGap + 4 * 16,
  kContextCount = kLength + 4 * 4,
};

inline std::uint32_t log_class(std::uint64_t number, std::uint32_t largest) {
  return std::min(static_cast<std::uint32_t>(std::bit_width(number)), largest);
}
inline std::uint32_t few(std::uint32_t count) { return std::min<std::uint32_t>(count, 2); }

struct Run {
  std::uint32_t start = 0;
  std::uint32_t length = 0;
};

// What both sides know while runs are coded. The size of the whole set is not known for All and
// Ones.
class RunContexts {
 public:
  RunContexts(World world, std::uint64_t count, std::uint64_t world_size)
      : kind_(static_cast<std::uint32_t>(world)),
        knows_size_(world != World::All && world != World::Ones),
        count_left_(count),
        room_(world_size) {}

  [[nodiscard]] std::uint64_t count_left() const noexcept { return count_left_; }
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  // There is only one place where the rest can be.
  [[nodiscard]] bool is_forced() const noexcept { return knows_size_ && count_left_ == room_; }
  [[nodiscard]] bool fits(std::uint64_t gap, std::uint64_t length) const noexcept {
    if (gap > ~std::uint32_t{0} || length > count_left_) return false;
    return !knows_size_ || gap + count_left_ <= room_;
  }

  [[nodiscard]] std::uint32_t gap() const noexcept {
    const std::uint32_t detail = knows_size_ ? log_class(room_ / count_left_, 7) : last_gap_;
    return kGap + kind_ * 16 + detail * 2 + (next_ == 0 ? 0 : 1);
  }
  [[nodiscard]] std::uint32_t length() const noexcept {
    return kLength + kind_ * 4 + log_class(count_left_ - 1, 4) - 1;
  }
  // Between two runs there is at least one place; it is not counted in the gap.
  void pass(std::uint64_t gap, std::uint64_t length) noexcept {
    next_ += gap + length + 1;
    count_left_ -= length;
    room_ -= std::min(room_, gap + length + 1);
    last_gap_ = log_class(gap, 6) + 1;
  }

 private:
  std::uint32_t kind_;
  bool knows_size_;
  std::uint64_t count_left_;
  std::uint64_t room_;
  std::uint64_t next_ = 0;  // the first place where a run may begin
  std::uint32_t last_gap_ = 0;
};

inline void put_runs(TokenWriter& out, World world, std::span<const Run> runs, std::uint64_t count,
                     std::uint64_t world_size) {
  RunContexts contexts(world, count, world_size);
  for (const Run& run : runs) {
    if (contexts.is_forced()) return;
    const std::uint64_t gap = run.start - contexts.next();
    out.put(contexts.gap(), gap);
    if (contexts.count_left() > 1) out.put(contexts.length(), run.length - 1);
    contexts.pass(gap, run.length);
  }
}

template <class OnRun>
void get_runs(TokenReader& in, World world, std::uint64_t count, std::uint64_t world_size,
              OnRun on_run) {
  RunContexts contexts(world, count, world_size);
  while (contexts.count_left() > 0) {
    std::uint64_t gap = 0;
    std::uint64_t length = contexts.count_left();
    if (!contexts.is_forced()) {
      gap = in.get(contexts.gap());
      if (contexts.count_left() > 1) length = in.get(contexts.length()) + 1;
    }
    if (!contexts.fits(gap, length)) throw_corrupt("a run outside its set");
    on_run(contexts.next() + gap, length);
    contexts.pass(gap, length);
  }
}

// Counts without positions: enough to choose contexts.
struct Sizes {
  std::uint32_t unseen = 0;
  std::uint32_t gone = 0;
};

inline std::uint32_t missing_context(std::size_t row_count, bool is_first_unit) {
  if (!is_first_unit) return kMissingCount + 2;
  return kMissingCount + (row_count == 1 ? 0 : 1);
}
inline std::uint32_t equal_rows_context(std::size_t rows_left, std::uint32_t last_change) {
  return kEqualRows + log_class(rows_left, 7) - 1 + 7 * last_change;
}
inline std::uint32_t change_context(const Sizes& sizes, std::uint32_t last_change) {
  return kChange + few(sizes.unseen) + 3 * few(sizes.gone) + 9 * last_change;
}

struct ChangeCounts {
  std::uint32_t added = 0;
  std::uint32_t removed = 0;
  std::uint32_t returned = 0;

  // All three in one number from 1 to 17.
  [[nodiscard]] std::uint32_t joint() const noexcept {
    return few(added) + 3 * few(removed) + 9 * std::min<std::uint32_t>(returned, 1);
  }
  // Nothing yet, little, much: what the next change is likely to be like.
  [[nodiscard]] std::uint32_t size_class() const noexcept {
    return added + removed + returned > 4 ? 2 : 1;
  }
};

inline void put_counts(TokenWriter& out, const ChangeCounts& counts, const Sizes& sizes,
                       std::uint32_t last_change) {
  out.put(change_context(sizes, last_change), counts.joint() - 1);
  if (counts.added >= 2) out.put(kMoreAdded + log_class(sizes.unseen, 7), counts.added - 2);
  if (counts.removed >= 2) out.put(kMoreRemoved + few(counts.added), counts.removed - 2);
  if (counts.returned >= 1) {
    out.put(kMoreReturned + log_class(sizes.gone, 7), counts.returned - 1);
  }
}

inline ChangeCounts get_counts(TokenReader& in, const Sizes& sizes, std::uint32_t ones_max,
                               std::uint32_t last_change) {
  const std::uint64_t joint = in.get(change_context(sizes, last_change)) + 1;
  if (joint > 17) throw_corrupt("a change of unknown form");
  std::uint64_t added = joint % 3;
  std::uint64_t removed = joint / 3 % 3;
  std::uint64_t returned = joint / 9;
  if (added == 2) added += in.get(kMoreAdded + log_class(sizes.unseen, 7));
  if (removed == 2) {
    removed +=
        in.get(kMoreRemoved + few(static_cast<std::uint32_t>(std::min<std::uint64_t>(added, 2))));
  }
  if (returned == 1) returned += in.get(kMoreReturned + log_class(sizes.gone, 7));
  if (added > sizes.unseen || removed > ones_max || returned > sizes.gone) {
    throw_corrupt("a change larger than the row");
  }
  return {static_cast<std::uint32_t>(added), static_cast<std::uint32_t>(removed),
          static_cast<std::uint32_t>(returned)};
}

}  // namespace webstrata::presence_model
