// SPDX-License-Identifier: Apache-2.0

// A set of columns as a bitmap that finds its k-th member, and the number of members before one.
//
// Positions are requested in ascending order, so a cursor advances: over blocks of 4096 columns by
// their counts, over words by their bits. A pass over the set takes at most width / 4096 + 64 steps
// in addition to those for what is found, however wide the node is.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace webstrata {

// The usual arithmetic on eight bytes at once: the plain instruction is not on every processor that
// we are built for, and a call of the compiler's library takes longer.
namespace bytewise {
inline constexpr std::uint64_t kOnes = 0x0101010101010101;

// In each byte the number of its ones.
inline std::uint64_t counts(std::uint64_t word) noexcept {
  word -= word >> 1 & 0x55 * kOnes;
  word = (word & 0x33 * kOnes) + (word >> 2 & 0x33 * kOnes);
  return (word + (word >> 4)) & 0x0f * kOnes;
}
}  // namespace bytewise

inline std::uint32_t ones_in(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(bytewise::counts(word) * bytewise::kOnes >> 56);
}

// The position of the one in `word` with this number of ones below it; it exists.
inline std::uint32_t place_of_one(std::uint64_t word, std::uint32_t ones_below) noexcept {
  using bytewise::kOnes;
  const std::uint64_t up_to = bytewise::counts(word) * kOnes;  // ones in a byte and those below it
  const std::uint64_t passed = ((ones_below * kOnes | 0x80 * kOnes) - up_to) >> 7 & kOnes;
  const auto shift = static_cast<std::uint32_t>(passed * kOnes >> 56) * 8;
  std::uint64_t rest = word >> shift;
  ones_below -= static_cast<std::uint32_t>((up_to << 8) >> shift & 0xff);
  for (; ones_below > 0; --ones_below) rest &= rest - 1;
  return shift + static_cast<std::uint32_t>(std::countr_zero(rest));
}

class ColumnSet {
 public:
  void reset(std::uint32_t width, bool full) {
    words_.assign(width / 64 + (width % 64 != 0 ? 1 : 0), full ? ~std::uint64_t{0} : 0);
    if (full && width % 64 != 0) words_.back() = (std::uint64_t{1} << width % 64) - 1;
    counts_.assign((words_.size() + kBlockWords - 1) / kBlockWords, 0);
    if (full) {
      for (std::size_t block = 0; block < counts_.size(); ++block) {
        counts_[block] = std::min<std::uint32_t>(
            kBlockWords * 64, width - static_cast<std::uint32_t>(block) * kBlockWords * 64);
      }
    }
    size_ = full ? width : 0;
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] bool has(std::uint32_t column) const noexcept {
    return (words_[column / 64] >> column % 64 & 1) != 0;
  }
  // insert() needs a column that is absent, erase() one that is present.
  void insert(std::uint32_t column) noexcept {
    words_[column / 64] |= std::uint64_t{1} << column % 64;
    ++counts_[column / 64 / kBlockWords];
    ++size_;
  }
  void erase(std::uint32_t column) noexcept {
    words_[column / 64] &= ~(std::uint64_t{1} << column % 64);
    --counts_[column / 64 / kBlockWords];
    --size_;
  }
  // Removes the columns of a range, all of which are present.
  void erase_range(std::uint32_t first, std::uint32_t count) noexcept {
    while (count > 0) {
      const std::uint32_t in_word = std::min(count, 64 - first % 64);
      const std::uint64_t mask = (~std::uint64_t{0} >> (64 - in_word)) << first % 64;
      words_[first / 64] &= ~mask;
      counts_[first / 64 / kBlockWords] -= in_word;
      size_ -= in_word;
      first += in_word;
      count -= in_word;
    }
  }
  void insert_range(std::uint32_t first, std::uint32_t count) noexcept {
    while (count > 0) {
      const std::uint32_t in_word = std::min(count, 64 - first % 64);
      const std::uint64_t mask = (~std::uint64_t{0} >> (64 - in_word)) << first % 64;
      words_[first / 64] |= mask;
      counts_[first / 64 / kBlockWords] += in_word;
      size_ += in_word;
      first += in_word;
      count -= in_word;
    }
  }

  // Appends all members, ascending.
  void append_to(std::vector<std::uint32_t>& out) const {
    std::size_t place = out.size();
    out.resize(place + size_);
    for (std::size_t block = 0; block < counts_.size(); ++block) {
      if (counts_[block] == 0) continue;
      const std::size_t end = std::min(words_.size(), (block + 1) * kBlockWords);
      for (std::size_t word = block * kBlockWords; word < end; ++word) {
        for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
          out[place++] = static_cast<std::uint32_t>(word * 64) +
                         static_cast<std::uint32_t>(std::countr_zero(bits));
        }
      }
    }
  }

  // Walks upwards. The set must not change meanwhile.
  class Cursor {
   public:
    explicit Cursor(const ColumnSet& set) : set_(&set) {}

    // The member that has `position` members before it; position < size().
    std::uint32_t member(std::uint32_t position) noexcept {
      skip_blocks([&](std::size_t) { return before_ + count_of_block() <= position; });
      while (true) {
        const auto in_word = ones_in(set_->words_[word_]);
        if (before_ + in_word > position) break;
        before_ += in_word;
        ++word_;
      }
      return static_cast<std::uint32_t>(word_ * 64) +
             place_of_one(set_->words_[word_], position - before_);
    }
    // How many members are before `column`.
    std::uint32_t position(std::uint32_t column) noexcept {
      const std::size_t word = column / 64;
      skip_blocks([&](std::size_t next) { return next <= word; });
      for (; word_ < word; ++word_) {
        before_ += ones_in(set_->words_[word_]);
      }
      const std::uint64_t below = (std::uint64_t{1} << column % 64) - 1;
      return before_ + ones_in(set_->words_[word_] & below);
    }

   private:
    [[nodiscard]] std::uint32_t count_of_block() const noexcept {
      return set_->counts_[word_ / kBlockWords];
    }
    // Goes to the start of the next block as long as `passes`, which is given the first word there.
    template <class Passes>
    void skip_blocks(Passes passes) {
      while (word_ % kBlockWords == 0 && word_ + kBlockWords < set_->words_.size() &&
             passes(word_ + kBlockWords)) {
        before_ += count_of_block();
        word_ += kBlockWords;
      }
    }
    const ColumnSet* set_;
    std::size_t word_ = 0;
    std::uint32_t before_ = 0;  // members before that word
  };

 private:
  static constexpr std::uint32_t kBlockWords = 64;

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> counts_;  // members of each 64 words
  std::uint32_t size_ = 0;
};

}  // namespace webstrata
