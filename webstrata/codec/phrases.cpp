// SPDX-License-Identifier: Apache-2.0

// Re-Pair (Larsson and Moffat 1999) in rounds: instead of the most frequent pair, all pairs above
// some frequency are replaced at once, and the next round halves that frequency. The texts are
// rewritten in one pass per round, and the pair counts are kept up to date as pairs vanish and
// appear, so a round costs a pass over texts that grow shorter, without counting again.
//
// Where two chosen pairs overlap, the more frequent one wins. Overlapping occurrences as in "aaa"
// are counted twice; that only makes such pairs look a little better than they are.
//
// Tested by tests/codec/phrases_test.cpp.

#include "webstrata/codec/phrases.h"

#include <algorithm>
#include <cassert>

namespace webstrata {

namespace {

// A rarer pair costs more in the tables than it saves.
constexpr std::uint32_t kPairCountMin = 7;
constexpr std::uint32_t kRoundDivisor = 2;

constexpr std::uint32_t kNoPair = ~std::uint32_t{0};

std::uint32_t pair_of(Symbol left, Symbol right) { return std::uint32_t{left} << 16 | right; }

// From pairs to numbers: open addressing, at most half full.
class PairTable {
 public:
  struct Slot {
    std::uint32_t pair = kNoPair;
    std::uint32_t value = 0;
  };

  explicit PairTable(unsigned size_log)
      : shift_(64 - size_log), slots_(std::size_t{1} << size_log) {}

  // The value of `pair`, which is inserted with 0 if missing. Lives until the next call.
  std::uint32_t& operator[](std::uint32_t pair) {
    Slot* slot = &slots_[place_of(pair)];
    if (slot->pair == pair) return slot->value;
    if (2 * ++used_ > slots_.size()) {
      grow();
      slot = &slots_[place_of(pair)];
    }
    slot->pair = pair;
    slot->value = 0;
    return slot->value;
  }

  // 0 if it is missing.
  [[nodiscard]] std::uint32_t find(std::uint32_t pair) const {
    const Slot& slot = slots_[place_of(pair)];
    return slot.pair == pair ? slot.value : 0;
  }

 private:
  // Where `pair` is, or belongs.
  [[nodiscard]] std::size_t place_of(std::uint32_t pair) const {
    std::size_t place = (pair * std::uint64_t{0x9E3779B97F4A7C15}) >> shift_;
    while (slots_[place].pair != pair && slots_[place].pair != kNoPair) {
      place = (place + 1) & (slots_.size() - 1);
    }
    return place;
  }

  // Doubles the table; pairs with the value 0 are dropped.
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.size() * 2, {});
    --shift_;
    used_ = 1;
    for (const Slot& slot : old) {
      if (slot.pair == kNoPair || slot.value == 0) continue;
      slots_[place_of(slot.pair)] = slot;
      ++used_;
    }
  }

  unsigned shift_;
  std::size_t used_ = 0;
  std::vector<Slot> slots_;
};

class Learner {
 public:
  explicit Learner(std::vector<Symbol>& texts) : texts_(texts), counts_(17) {
    sizes_.assign(kFirstPhrase, 1);
    ends_.assign(kFirstPhrase, 0);
    sizes_[kTextEnd] = 0;
    ends_[kTextEnd] = 1;
  }

  std::vector<Phrase> learn() {
    count_pairs();
    while (take_frequent_pairs()) join_taken_pairs();
    return std::move(phrases_);
  }

 private:
  [[nodiscard]] bool may_join(Symbol left, Symbol right) const {
    return ends_[left] == 0 && sizes_[left] + sizes_[right] <= kPhraseBytesMax;
  }

  void add_pair(Symbol left, Symbol right) {
    if (!may_join(left, right)) return;
    const std::uint32_t pair = pair_of(left, right);
    if (++counts_[pair] == kPairCountMin) candidates_.push_back(pair);
  }

  void remove_pair(Symbol left, Symbol right) {
    if (may_join(left, right)) --counts_[pair_of(left, right)];
  }

  void count_pairs() {
    for (std::size_t i = 0; i + 1 < texts_.size(); ++i) add_pair(texts_[i], texts_[i + 1]);
  }

  struct Counted {
    std::uint32_t count;
    std::uint32_t pair;
  };

  // Drops candidates that have become rare. One that became frequent again may be listed twice.
  std::vector<Counted> counted_candidates() {
    std::vector<Counted> counted;
    std::size_t kept = 0;
    for (const std::uint32_t pair : candidates_) {
      const std::uint32_t count = counts_.find(pair);
      if (count < kPairCountMin) continue;
      candidates_[kept++] = pair;
      counted.push_back({count, pair});
    }
    candidates_.resize(kept);
    return counted;
  }

  // Makes phrases of them, the most frequent first. False if there are none left.
  bool take_frequent_pairs() {
    std::vector<Counted> counted = counted_candidates();
    std::uint32_t most = 0;
    for (const Counted& one : counted) most = std::max(most, one.count);
    least_ = std::max(kPairCountMin, std::min(least_ / kRoundDivisor, most / kRoundDivisor));
    std::erase_if(counted, [&](const Counted& one) { return one.count < least_; });
    std::sort(counted.begin(), counted.end(), [](const Counted& a, const Counted& b) {
      return a.count != b.count ? a.count > b.count : a.pair < b.pair;
    });
    taken_ = PairTable(12);
    is_left_.assign(sizes_.size() + counted.size(), 0);
    bool has_taken = false;
    for (const Counted& one : counted) {
      const std::uint32_t symbol = symbol_of(one.pair);
      if (symbol == 0) break;
      taken_[one.pair] = symbol;
      is_left_[one.pair >> 16] = 1;
      has_taken = true;
    }
    return has_taken;
  }

  // A pair that lost against its neighbours may be chosen again. 0 if no more phrases are allowed.
  std::uint32_t symbol_of(std::uint32_t pair) {
    const std::uint32_t known = symbols_.find(pair);
    if (known != 0 || phrases_.size() == kPhrasesMax) return known;
    return symbols_[pair] = add_phrase(pair);
  }

  std::uint32_t add_phrase(std::uint32_t pair) {
    const auto left = static_cast<Symbol>(pair >> 16);
    const auto right = static_cast<Symbol>(pair);
    phrases_.push_back({left, right});
    sizes_.push_back(static_cast<std::uint8_t>(sizes_[left] + sizes_[right]));
    ends_.push_back(ends_[right]);
    return static_cast<std::uint32_t>(sizes_.size() - 1);
  }

  // The phrase that the symbols at `i` and after it form, 0 for none.
  [[nodiscard]] std::uint32_t taken_at(std::size_t i) const {
    if (i + 1 >= texts_.size() || is_left_[texts_[i]] == 0) return 0;
    return taken_.find(pair_of(texts_[i], texts_[i + 1]));
  }

  void join_taken_pairs() {
    std::size_t out = 0;
    std::uint32_t here = taken_at(0);
    for (std::size_t i = 0; i < texts_.size();) {
      const std::uint32_t next = taken_at(i + 1);
      // Phrases of a round are numbered by falling frequency; older ones come first.
      if (here != 0 && (next == 0 || next >= here)) {
        join(out, i, static_cast<Symbol>(here));
        i += 2;
        here = taken_at(i);
      } else {
        texts_[out] = texts_[i++];
        here = next;
      }
      ++out;
    }
    texts_.resize(out);
  }

  // Output ends at `out`, input that is still to be read begins at `in`: together they are the
  // current texts, which the counts refer to.
  void join(std::size_t out, std::size_t in, Symbol symbol) {
    const Symbol left = texts_[in];
    const Symbol right = texts_[in + 1];
    remove_pair(left, right);
    if (out > 0) {
      remove_pair(texts_[out - 1], left);
      add_pair(texts_[out - 1], symbol);
    }
    if (in + 2 < texts_.size()) {
      remove_pair(right, texts_[in + 2]);
      add_pair(symbol, texts_[in + 2]);
    }
    texts_[out] = symbol;
  }

  std::vector<Symbol>& texts_;
  std::vector<Phrase> phrases_;
  std::vector<std::uint8_t> sizes_;  // bytes of each symbol
  std::vector<std::uint8_t> ends_;   // whether it contains the end of a text
  PairTable counts_;
  PairTable symbols_{14};                  // from the pairs of all phrases to these
  std::vector<std::uint32_t> candidates_;  // pairs that were frequent at some time
  std::uint32_t least_ = kNoPair;          // how frequent a pair must be in this round
  PairTable taken_{1};                     // from pairs of this round to their symbols
  std::vector<std::uint8_t> is_left_;      // whether a symbol is the left one of such a pair
};

// The depth of joins down to a byte.
std::vector<std::uint32_t> heights_of(const std::vector<Phrase>& phrases) {
  std::vector<std::uint32_t> heights(kFirstPhrase, 0);
  for (const Phrase& phrase : phrases) {
    heights.push_back(1 + std::max(heights[phrase.left], heights[phrase.right]));
  }
  return heights;
}

// Renumbers the symbols by level; `texts` too.
PhraseLevels sort_into_levels(const std::vector<Phrase>& phrases, std::vector<Symbol>& texts) {
  const std::vector<std::uint32_t> heights = heights_of(phrases);
  std::vector<std::vector<Symbol>> levels;
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    const std::uint32_t height = heights[kFirstPhrase + i];
    if (height > levels.size()) levels.resize(height);
    levels[height - 1].push_back(static_cast<Symbol>(kFirstPhrase + i));
  }
  std::vector<Symbol> renumbered(heights.size());
  for (Symbol symbol = 0; symbol < kFirstPhrase; ++symbol) renumbered[symbol] = symbol;
  PhraseLevels sorted;
  for (std::vector<Symbol>& level : levels) {
    const auto new_phrase = [&](Symbol symbol) {
      const Phrase& phrase = phrases[symbol - kFirstPhrase];
      return Phrase{renumbered[phrase.left], renumbered[phrase.right]};
    };
    std::sort(level.begin(), level.end(),
              [&](Symbol a, Symbol b) { return new_phrase(a) < new_phrase(b); });
    for (const Symbol symbol : level) {
      sorted.phrases.push_back(new_phrase(symbol));
      renumbered[symbol] = static_cast<Symbol>(kFirstPhrase + sorted.phrases.size() - 1);
    }
    sorted.ends.push_back(static_cast<std::uint32_t>(sorted.phrases.size()));
  }
  for (Symbol& symbol : texts) symbol = renumbered[symbol];
  return sorted;
}

}  // namespace

PhraseLevels learn_phrases(std::vector<Symbol>& texts) {
  assert(texts.empty() || texts.back() == kTextEnd);
  return sort_into_levels(Learner(texts).learn(), texts);
}

}  // namespace webstrata
