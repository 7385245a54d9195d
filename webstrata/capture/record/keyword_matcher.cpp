// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/keyword_matcher_test.cpp, against a search for each keyword alone.

#include "webstrata/capture/record/keyword_matcher.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/capture/record/folded_words.h"

namespace webstrata {

KeywordMatcher::KeywordMatcher(const std::vector<std::string>& keywords) {
  std::vector<std::string> folded;
  for (const std::string& keyword : keywords) {
    std::string text;
    fold_words(keyword, text);
    folded.emplace_back(trim(text));
    if (folded.back().empty()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("'{}' cannot be a keyword: nothing of it is left without accents and "
                              "white space",
                              keyword));
    }
  }
  number_bytes(folded);
  steps_.resize(byte_classes_);
  first_word_.resize(1);
  for (std::size_t i = 0; i < folded.size(); ++i) add(folded[i], static_cast<std::uint32_t>(i));
  finish();
}

// Only bytes that occur in keywords have their own column in the table of steps.
void KeywordMatcher::number_bytes(const std::vector<std::string>& folded) {
  for (const std::string& keyword : folded) {
    for (const char c : keyword) {
      std::uint8_t& byte_class = class_of_[static_cast<unsigned char>(c)];
      if (byte_class == 0) byte_class = static_cast<std::uint8_t>(byte_classes_++);
    }
    sizes_.push_back(static_cast<std::uint32_t>(keyword.size()));
  }
}

void KeywordMatcher::add(std::string_view folded, std::uint32_t keyword) {
  State state = 0;
  for (const char c : folded) {
    const auto byte = static_cast<unsigned char>(c);
    if (step(state, byte) == 0) {
      const auto fresh = static_cast<State>(first_word_.size());
      step(state, byte) = fresh;
      first_word_.push_back(0);
      steps_.resize(steps_.size() + byte_classes_);
    }
    state = step(state, byte);
  }
  words_.push_back({keyword, first_word_[state]});
  first_word_[state] = static_cast<std::uint32_t>(words_.size());
}

// Breadth first: a state without a step of its own takes that of its longest proper suffix that is
// also a state.
void KeywordMatcher::finish() {
  std::vector<State> fallback(first_word_.size());
  next_end_.resize(first_word_.size());
  std::vector<State> queue;
  for (std::size_t c = 1; c < byte_classes_; ++c) {
    if (steps_[c] != 0) queue.push_back(steps_[c]);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const State state = queue[i];
    const State shorter = fallback[state];
    next_end_[state] = first_word_[shorter] != 0 ? shorter : next_end_[shorter];
    for (std::size_t c = 1; c < byte_classes_; ++c) {
      State& next = steps_[state * byte_classes_ + c];
      const State of_shorter = steps_[shorter * byte_classes_ + c];
      if (next == 0) {
        next = of_shorter;
      } else {
        fallback[next] = of_shorter;
        queue.push_back(next);
      }
    }
  }
}

KeywordCounter::KeywordCounter(const KeywordMatcher& matcher)
    : matcher_(matcher), times_(matcher.keyword_count()), ends_(matcher.keyword_count()) {}

void KeywordCounter::find(KeywordMatcher::State state, std::size_t end) {
  for (; state != 0; state = matcher_.next_end_[state]) {
    for (std::uint32_t word = matcher_.first_word_[state]; word != 0;) {
      const KeywordMatcher::Word& found = matcher_.words_[word - 1];
      word = found.next;
      const std::size_t start = end - matcher_.sizes_[found.keyword];
      std::uint32_t& times = times_[found.keyword];
      const bool overlaps = times > 0 && start < ends_[found.keyword];
      if (overlaps || !is_word_edge(folded_, start) || !is_word_edge(folded_, end)) continue;
      if (times++ == 0) touched_.push_back(found.keyword);
      ends_[found.keyword] = end;
    }
  }
}

std::span<const KeywordCount> KeywordCounter::count(std::string_view text) {
  folded_.clear();
  fold_words(text, folded_);
  KeywordMatcher::State state = 0;
  for (std::size_t i = 0; i < folded_.size(); ++i) {
    const std::uint8_t byte_class = matcher_.class_of_[static_cast<unsigned char>(folded_[i])];
    state = byte_class == 0 ? 0 : matcher_.steps_[state * matcher_.byte_classes_ + byte_class];
    if (matcher_.first_word_[state] != 0 || matcher_.next_end_[state] != 0) find(state, i + 1);
  }
  counts_.clear();
  std::sort(touched_.begin(), touched_.end());
  for (const std::uint32_t keyword : touched_) {
    counts_.push_back({keyword, times_[keyword]});
    times_[keyword] = 0;
  }
  touched_.clear();
  return counts_;
}

}  // namespace webstrata
