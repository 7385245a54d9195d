// A set of columns as a bitmap that finds its k-th member, and how many are before one.
//
// Positions are asked for in ascending order, so a cursor walks along: over blocks of 4096 columns
// by their counts, over words by their bits. A pass over the set takes at most
// width / 4096 + 64 steps beside what is found, however wide the node is.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace webstrata {

class ColumnSet {
 public:
  void reset(std::uint32_t width, bool full) {
    words_.assign((width + 63) / 64, full ? ~std::uint64_t{0} : 0);
    if (full && width % 64 != 0) words_.back() = (std::uint64_t{1} << width % 64) - 1;
    counts_.assign((words_.size() + kBlockWords - 1) / kBlockWords, 0);
    if (full) {
      for (std::size_t i = 0; i < words_.size(); ++i) {
        counts_[i / kBlockWords] += static_cast<std::uint32_t>(std::popcount(words_[i]));
      }
    }
    size_ = full ? width : 0;
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] bool has(std::uint32_t column) const noexcept {
    return (words_[column / 64] >> column % 64 & 1) != 0;
  }
  // The column is not in it, or is.
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
  // Takes the columns of a range, all of which are in it, out.
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
        const auto in_word = static_cast<std::uint32_t>(std::popcount(set_->words_[word_]));
        if (before_ + in_word > position) break;
        before_ += in_word;
        ++word_;
      }
      return static_cast<std::uint32_t>(word_ * 64) +
             bit_of(set_->words_[word_], position - before_);
    }
    // How many members are before `column`.
    std::uint32_t position(std::uint32_t column) noexcept {
      const std::size_t word = column / 64;
      skip_blocks([&](std::size_t next) { return next <= word; });
      for (; word_ < word; ++word_) {
        before_ += static_cast<std::uint32_t>(std::popcount(set_->words_[word_]));
      }
      const std::uint64_t below = (std::uint64_t{1} << column % 64) - 1;
      return before_ + static_cast<std::uint32_t>(std::popcount(set_->words_[word_] & below));
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
    // The one bit of `word` with so many ones below it.
    static std::uint32_t bit_of(std::uint64_t word, std::uint32_t ones_below) noexcept {
      std::uint32_t shift = 0;
      for (std::uint32_t half = 32; half >= 8; half /= 2) {
        const std::uint64_t low = word & ((std::uint64_t{1} << half) - 1);
        const auto ones = static_cast<std::uint32_t>(std::popcount(low));
        if (ones <= ones_below) {
          ones_below -= ones;
          word >>= half;
          shift += half;
        }
      }
      for (; ones_below > 0; --ones_below) word &= word - 1;
      return shift + static_cast<std::uint32_t>(std::countr_zero(word));
    }

    const ColumnSet* set_;
    std::size_t word_ = 0;
    std::uint32_t before_ = 0;  // members before that word
  };

 private:
  static constexpr std::size_t kBlockWords = 64;

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> counts_;  // members of each 64 words
  std::uint32_t size_ = 0;
};

}  // namespace webstrata
