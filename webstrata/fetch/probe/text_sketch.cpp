// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/text_sketch_test.cpp.

#include "webstrata/fetch/probe/text_sketch.h"

#include <algorithm>
#include <deque>
#include <set>

#include "webstrata/base/checksum.h"
#include "webstrata/base/text.h"

namespace webstrata {
namespace {

constexpr std::size_t kRunWords = 4;

bool is_word_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Punctuation counts inside a word ("file.html"), not at its ends.
std::string_view without_marks(std::string_view word) noexcept {
  const auto is_mark = [](char c) { return c == '-' || c == '_' || c == '.'; };
  while (!word.empty() && is_mark(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_mark(word.back())) word.remove_suffix(1);
  return word;
}

bool is_left_out(std::string_view word, std::span<const std::string> without) {
  return std::any_of(without.begin(), without.end(), [word](const std::string& name) {
    return !name.empty() && word.find(name) != std::string_view::npos;
  });
}

// Keeps the smallest hashes, each once.
class Smallest {
 public:
  void add(std::uint64_t hash) {
    if (kept_.size() == kSketchSize && hash >= *kept_.rbegin()) return;
    kept_.insert(hash);
    if (kept_.size() > kSketchSize) kept_.erase(std::prev(kept_.end()));
  }
  [[nodiscard]] std::vector<std::uint64_t> take() const { return {kept_.begin(), kept_.end()}; }

 private:
  std::set<std::uint64_t> kept_;
};

}  // namespace

TextSketch sketch_text(std::string_view text, std::span<const std::string> without) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
  TextSketch sketch;
  Smallest smallest;
  std::deque<std::string_view> run;
  std::string joined;
  const auto add_run = [&] {
    joined.clear();
    for (const std::string_view word : run) joined.append(word).push_back(' ');
    smallest.add(checksum64(joined));
  };
  for (std::size_t at = 0; at < lower.size();) {
    const std::size_t start = at;
    while (at < lower.size() && is_word_byte(lower[at])) ++at;
    if (at == start) {
      ++at;
      continue;
    }
    const std::string_view word = without_marks(std::string_view(lower).substr(start, at - start));
    if (word.empty() || is_left_out(word, without)) continue;
    ++sketch.words;
    run.push_back(word);
    if (run.size() > kRunWords) run.pop_front();
    if (run.size() == kRunWords) add_run();
  }
  if (sketch.words > 0 && sketch.words < kRunWords) add_run();  // a few words are one run
  sketch.hashes = smallest.take();
  return sketch;
}

// Of the smallest hashes of both texts together, the share that both have.
double similarity(const TextSketch& one, const TextSketch& other) {
  if (one.hashes.empty() || other.hashes.empty()) {
    return one.hashes.empty() && other.hashes.empty() ? 1 : 0;
  }
  std::size_t both = 0;
  std::size_t seen = 0;
  auto a = one.hashes.begin();
  auto b = other.hashes.begin();
  while (seen < kSketchSize && (a != one.hashes.end() || b != other.hashes.end())) {
    const bool takes_a = b == other.hashes.end() || (a != one.hashes.end() && *a <= *b);
    const bool takes_b = a == one.hashes.end() || (b != other.hashes.end() && *b <= *a);
    both += takes_a && takes_b ? 1 : 0;
    a += takes_a ? 1 : 0;
    b += takes_b ? 1 : 0;
    ++seen;
  }
  return static_cast<double>(both) / static_cast<double>(seen);
}

}  // namespace webstrata
