// SPDX-License-Identifier: Apache-2.0

// Numbers under contexts, as Huffman-coded tokens: the common coder of the layers.
//
// A number below 16 is a token of its own; a larger one is a token for its exponent and two top
// bits, followed by the rest of its bits. Every number is put under a context (what kind of number
// it is, and what is known about it); similar contexts share a table, by a greedy merge in integer
// arithmetic, so that the bytes depend on the numbers alone.
//
//   TokenWriter writer(kContextCount);
//   const auto place = writer.mark();          // random access may begin here
//   writer.put(kGap, 17);
//   const EncodedTokens encoded = writer.finish();   // encoded.positions[place] is its bit
//
//   ByteReader bytes(encoded.tables, "test");
//   const TokenTables tables = TokenTables::open(bytes, kContextCount);
//   TokenReader reader(tables, encoded.stream, bit);
//   reader.get(kGap) == 17

#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/bytes.h"
#include "webstrata/codec/context_codes.h"

namespace webstrata {

struct EncodedTokens {
  std::string tables;                    // for TokenTables::open
  std::string stream;                    // bits, for TokenReader
  std::vector<std::uint64_t> positions;  // of the marks, in bits
  std::uint64_t bit_count = 0;
};

class TokenWriter {
 public:
  explicit TokenWriter(std::uint32_t context_count, std::uint32_t tables_max = 32);
  ~TokenWriter();

  void put(std::uint32_t context, std::uint64_t value);
  // `width` (0..64) bits as they are.
  void put_bits(std::uint64_t value, unsigned width);
  // Remembers this place in the stream; marks are numbered from 0.
  std::size_t mark();
  // Codes everything; the writer is empty afterwards.
  EncodedTokens finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// How a token is read, in 31 bits: the length of its code, the width of its raw bits, its top.
struct TokenEntry {
  std::uint32_t bits = 0;

  static constexpr TokenEntry make(unsigned code_length, unsigned raw_width, std::uint32_t top) {
    return {code_length | raw_width << 4 | top << 10};
  }
  [[nodiscard]] constexpr unsigned code_length() const { return bits & 15; }
  [[nodiscard]] constexpr unsigned raw_width() const { return bits >> 4 & 63; }
  [[nodiscard]] constexpr std::uint64_t top() const { return bits >> 10 & 15; }
};

// The decoding tables of one stream; never changes, threads may share it.
class TokenTables {
 public:
  // Reads the tables from `bytes`. Throws Error(Corrupt) unless they are complete prefix codes.
  static TokenTables open(ByteReader& bytes, std::uint32_t context_count);
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend class TokenReader;
  TokenTables() = default;

  std::vector<std::uint32_t> first_;        // kLookupSize entries per code
  std::vector<std::uint32_t> more_;         // the second tables
  std::vector<std::uint32_t> table_start_;  // by context: where its code begins in first_
};

// Reads from a given bit on. Never reads past the stream: throws Error(Corrupt). The tables stay
// where they are. Nearly all that a question costs is spent in get(), so it is in this header.
class TokenReader {
 public:
  TokenReader(const TokenTables& tables, std::string_view stream, std::uint64_t bit = 0);

  std::uint64_t get(std::uint32_t context) {
    assert(context < tables_->table_start_.size());
    const std::uint64_t word = load(bit_);
    TokenEntry entry{tables_->first_[tables_->table_start_[context] + word % kLookupSize]};
    if ((entry.bits & kLookupFlag) != 0) {
      const std::uint64_t rest =
          word >> kLookupBits & ((std::uint64_t{1} << (entry.bits & 15)) - 1);
      entry = {tables_->more_[((entry.bits & ~kLookupFlag) >> 4) + rest]};
    }
    const unsigned length = entry.code_length();
    const unsigned raw_width = entry.raw_width();
    if (length + raw_width > kLoadedBits) [[unlikely]]
      return get_wide(entry);
    pass(length + raw_width);
    return entry.top() << raw_width | (word >> length & ((std::uint64_t{1} << raw_width) - 1));
  }
  std::uint64_t get_bits(unsigned width);
  void skip_bits(std::uint64_t width) { pass(width); }
  [[nodiscard]] std::uint64_t position() const noexcept { return bit_; }

 private:
  static constexpr unsigned kLoadedBits = 57;

  // The bits from `bit` on, at least kLoadedBits of them; beyond the end they are zero.
  [[nodiscard]] std::uint64_t load(std::uint64_t bit) const noexcept {
    const std::uint64_t byte = bit / 8;
    std::uint64_t word = 0;
    if (byte + 8 <= stream_.size()) [[likely]] {
      std::memcpy(&word, stream_.data() + byte, 8);
    } else if (byte < stream_.size()) {
      std::memcpy(&word, stream_.data() + byte, stream_.size() - byte);
    }
    static_assert(std::endian::native == std::endian::little);
    return word >> bit % 8;
  }
  void pass(std::uint64_t width) {
    bit_ += width;
    if (bit_ > stream_.size() * 8) [[unlikely]]
      throw_past_the_end();
  }
  std::uint64_t get_wide(TokenEntry entry);
  [[noreturn]] static void throw_past_the_end();

  const TokenTables* tables_;
  std::string_view stream_;
  std::uint64_t bit_;
};

}  // namespace webstrata
