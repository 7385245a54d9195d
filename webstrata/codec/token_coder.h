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

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/bytes.h"

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

// The decoding tables of one stream; never changes, threads may share it.
class TokenTables {
 public:
  // Reads the tables from `bytes`. Throws Error(Corrupt) unless they are complete prefix codes.
  static TokenTables open(ByteReader& bytes, std::uint32_t context_count);
  TokenTables(TokenTables&&) noexcept;
  TokenTables& operator=(TokenTables&&) noexcept;
  ~TokenTables();
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend class TokenReader;
  struct State;
  explicit TokenTables(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads from a given bit on. Never reads past the stream: throws Error(Corrupt).
class TokenReader {
 public:
  TokenReader(const TokenTables& tables, std::string_view stream, std::uint64_t bit = 0);

  std::uint64_t get(std::uint32_t context);
  std::uint64_t get_bits(unsigned width);
  [[nodiscard]] std::uint64_t position() const noexcept { return bit_; }

 private:
  const TokenTables::State* tables_;
  std::string_view stream_;
  std::uint64_t bit_;
};

}  // namespace webstrata
