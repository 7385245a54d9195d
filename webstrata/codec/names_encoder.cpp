// SPDX-License-Identifier: Apache-2.0

// Writes what names_format.h describes, in these passes: cut the keys into steps (bytes shared with
// the key before, and the rest), learn phrases over all the rests, count symbols, make the codes,
// write leaders and groups, and put the head with the phrases and code lengths in front.
// Tested by tests/codec/names_test.cpp.

#include <array>

#include "webstrata/base/bits.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/names_format.h"
#include "webstrata/codec/phrases.h"
#include "webstrata/codec/token_coder.h"
#include "webstrata/codec/wide_code.h"

namespace webstrata {

namespace {

struct Step {
  Token shared;
  std::size_t context;
};

// A code and the means to write it.
struct WrittenCode {
  std::vector<std::uint8_t> lengths;
  std::vector<std::uint16_t> codes;

  WrittenCode() = default;
  WrittenCode(std::vector<std::uint64_t> counts, unsigned bits_max)
      : lengths(wide_code_lengths(std::move(counts), bits_max)), codes(wide_codes(lengths)) {}
  void write(BitWriter& bits, std::size_t symbol) const {
    bits.write(codes[symbol], lengths[symbol]);
  }
};

class NamesEncoder {
 public:
  explicit NamesEncoder(const KeyList& keys) : keys_(keys) {}

  std::string encode() {
    cut_into_steps();
    phrases_ = learn_phrases(texts_);
    make_codes();
    write_steps();
    write_phrases();
    write_code_lengths();
    return put_together();
  }

 private:
  [[nodiscard]] std::size_t group_count() const {
    return (keys_.size() + kGroupKeys - 1) / kGroupKeys;
  }

  // Leaders first, then the groups; the same order holds for steps and texts.
  void cut_into_steps() {
    StepState state = before_leaders();
    for (std::size_t i = 0; i < keys_.size(); i += kGroupKeys) {
      add_step(i == 0 ? std::string_view() : keys_[i - kGroupKeys], keys_[i], state);
      leader_bytes_ += keys_[i].size();
    }
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (i % kGroupKeys == 0) {
        state = after_leader(keys_[i].size());
      } else {
        add_step(keys_[i - 1], keys_[i], state);
      }
    }
  }

  void add_step(std::string_view previous, std::string_view key, StepState& state) {
    const std::size_t shared = shared_size(previous, key);
    const auto difference =
        static_cast<std::int64_t>(shared) - static_cast<std::int64_t>(state.shared);
    steps_.push_back({token_of(zigzag(difference)), state.context()});
    for (const char byte : key.substr(shared)) texts_.push_back(static_cast<std::uint8_t>(byte));
    texts_.push_back(kTextEnd);
    state = {shared, key.size() - shared};
  }

  void make_codes() {
    std::vector<std::uint64_t> symbol_counts(kFirstPhrase + phrases_.phrases.size(), 0);
    for (const Symbol symbol : texts_) ++symbol_counts[symbol];
    symbol_code_ = WrittenCode(std::move(symbol_counts), kSymbolBitsMax);

    std::array<std::vector<std::uint64_t>, kSharedContexts> shared_counts;
    shared_counts.fill(std::vector<std::uint64_t>(kSharedTokens, 0));
    for (const Step& step : steps_) ++shared_counts[step.context][step.shared.symbol];
    for (std::size_t i = 0; i < kSharedContexts; ++i) {
      shared_codes_[i] = WrittenCode(std::move(shared_counts[i]), kSharedBitsMax);
    }
  }

  [[nodiscard]] std::vector<bool> symbols_with_end() const {
    std::vector<bool> with_end(kFirstPhrase, false);
    with_end[kTextEnd] = true;
    for (const Phrase& phrase : phrases_.phrases) with_end.push_back(with_end[phrase.right]);
    return with_end;
  }

  // Also notes the sizes of the leaders and of each group.
  void write_steps() {
    const std::vector<bool> with_end = symbols_with_end();
    std::size_t step = 0;
    std::size_t text = 0;
    std::uint64_t start = 0;
    const auto write_list = [&](std::size_t size) {
      for (const std::size_t end = step + size; step < end; ++step) {
        const Token& shared = steps_[step].shared;
        shared_codes_[steps_[step].context].write(bits_, shared.symbol);
        bits_.write(shared.raw, shared.raw_width);
        do symbol_code_.write(bits_, texts_[text]);
        while (!with_end[texts_[text++]]);
      }
      list_bits_.push_back(bits_.bit_count() - start);
      start = bits_.bit_count();
    };
    write_list(group_count());
    for (std::size_t i = 0; i < keys_.size(); i += kGroupKeys) {
      write_list(std::min(kGroupKeys, keys_.size() - i) - 1);
    }
  }

  void write_phrases() {
    head_.put(kHeadLevels, phrases_.ends.size());
    std::uint32_t start = 0;
    for (const std::uint32_t end : phrases_.ends) {
      head_.put(kHeadLevels, end - start);
      Phrase before;
      for (; start < end; ++start) {
        const Phrase& phrase = phrases_.phrases[start];
        head_.put(kHeadLeft, phrase.left - before.left);
        if (phrase.left == before.left) {
          head_.put(kHeadRightGap, phrase.right - before.right);
        } else {
          head_.put(kHeadRight, phrase.right);
        }
        before = phrase;
      }
    }
  }

  void write_code_lengths() {
    for (std::size_t symbol = 0; symbol < symbol_code_.lengths.size(); ++symbol) {
      head_.put(symbol < kFirstPhrase ? kHeadByteLength : kHeadLength,
                symbol_code_.lengths[symbol]);
    }
    for (const WrittenCode& code : shared_codes_) {
      for (const std::uint8_t length : code.lengths) head_.put(kHeadSharedLength, length);
    }
    for (const std::uint64_t bits : list_bits_) head_.put(kHeadGroupBits, bits);
  }

  std::string put_together() {
    const EncodedTokens head = head_.finish();
    std::string bytes;
    append_varint(bytes, keys_.size());
    append_varint(bytes, keys_.bytes.size());
    append_varint(bytes, leader_bytes_);
    append_varint(bytes, head.stream.size());
    bytes += head.tables;
    bytes += head.stream;
    bytes += bits_.finish();
    bytes.append(kReadAheadBytes, '\0');
    return bytes;
  }

  const KeyList& keys_;
  std::vector<Step> steps_;
  std::vector<Symbol> texts_;  // the rests, each with its end
  std::uint64_t leader_bytes_ = 0;
  PhraseLevels phrases_;
  WrittenCode symbol_code_;
  std::array<WrittenCode, kSharedContexts> shared_codes_;
  BitWriter bits_;
  std::vector<std::uint64_t> list_bits_;
  TokenWriter head_{kHeadContextCount};
};

}  // namespace

std::string encode_names(const KeyList& keys) {
  if (keys.size() > kChunkKeys || keys.bytes.size() > kNamesBytesMax) {
    throw Error(ErrorKind::BadInput, "names: more keys than a chunk may hold; cut them");
  }
  if (keys.size() == 0) return std::string(1, '\0');
  return NamesEncoder(keys).encode();
}

}  // namespace webstrata
