// SPDX-License-Identifier: Apache-2.0

// Counts many keywords in one pass through a text.
//
//   const KeywordMatcher matcher({"bridge", "suspension bridge", "pont"});
//   KeywordCounter counter(matcher);
//   for (const KeywordCount& found : counter.count(text)) ... found.keyword, found.times ...
//
// A keyword is one word or several separated by spaces. It is found where its characters occur,
// case and accents folded (folded_words.h), without a letter or digit next to either end: "bridge"
// is not in "Cambridge" nor in "bridges". The space between words matches white space of any
// length. Occurrences of one keyword do not overlap; those of different keywords may: "suspension
// bridge" counts for both.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct KeywordCount {
  std::uint32_t keyword = 0;  // its place in the list
  std::uint32_t times = 0;    // above 0
  friend bool operator==(const KeywordCount&, const KeywordCount&) = default;
};

// The automaton of Aho and Corasick (1975) over bytes. It never changes: threads may share one.
class KeywordMatcher {
 public:
  // Throws Error(BadInput) for a keyword that is empty after folding. Two that fold to the same
  // text are both counted.
  explicit KeywordMatcher(const std::vector<std::string>& keywords);

  [[nodiscard]] std::size_t keyword_count() const noexcept { return sizes_.size(); }

 private:
  friend class KeywordCounter;
  using State = std::uint32_t;

  struct Word {  // a keyword that ends at a state
    std::uint32_t keyword = 0;
    std::uint32_t next = 0;  // another such, from 1; 0 for none
  };

  void number_bytes(const std::vector<std::string>& folded);
  void add(std::string_view folded, std::uint32_t keyword);
  void finish();
  [[nodiscard]] State& step(State state, unsigned char byte) noexcept {
    return steps_[state * byte_classes_ + class_of_[byte]];
  }

  std::array<std::uint8_t, 256> class_of_{};  // 0: in no keyword
  std::size_t byte_classes_ = 1;
  std::vector<State> steps_;               // by state and class
  std::vector<std::uint32_t> first_word_;  // by state, in words_, from 1; 0: none ends here
  std::vector<State> next_end_;            // by state: the longest shorter state at which one ends
  std::vector<Word> words_;
  std::vector<std::uint32_t> sizes_;  // of the folded keywords
};

// Counts with a matcher; belongs to one thread and keeps its memory from text to text.
class KeywordCounter {
 public:
  explicit KeywordCounter(const KeywordMatcher& matcher);
  // By keyword, ascending; lives until the next call.
  std::span<const KeywordCount> count(std::string_view text);

 private:
  void find(KeywordMatcher::State state, std::size_t end);

  const KeywordMatcher& matcher_;
  std::string folded_;
  std::vector<std::uint32_t> times_;    // by keyword
  std::vector<std::size_t> ends_;       // of the last occurrence, by keyword
  std::vector<std::uint32_t> touched_;  // keywords that were found
  std::vector<KeywordCount> counts_;
};

}  // namespace webstrata
