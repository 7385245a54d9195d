// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/token_coder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/codec/fixed_log.h"
#include "webstrata/codec/huffman.h"
#include "webstrata/codec/tokens.h"

namespace webstrata {
namespace {

struct Put {
  std::uint32_t context = 0;
  std::uint64_t value = 0;
};

EncodedTokens encode(std::uint32_t context_count, const std::vector<Put>& puts) {
  TokenWriter writer(context_count);
  for (const auto& put : puts) writer.put(put.context, put.value);
  return writer.finish();
}

TokenTables open_tables(const EncodedTokens& encoded, std::uint32_t context_count) {
  ByteReader bytes(encoded.tables, "test");
  auto tables = TokenTables::open(bytes, context_count);
  EXPECT_TRUE(bytes.at_end());
  return tables;
}

void expect_round_trip(std::uint32_t context_count, const std::vector<Put>& puts) {
  const auto encoded = encode(context_count, puts);
  const auto tables = open_tables(encoded, context_count);
  TokenReader reader(tables, encoded.stream);
  for (const auto& put : puts) ASSERT_EQ(reader.get(put.context), put.value);
  EXPECT_EQ(reader.position(), encoded.bit_count);
}

// Numbers of all sizes, skewed differently under each context.
std::vector<Put> random_puts(Random& random, std::uint32_t context_count, std::size_t count) {
  std::vector<Put> puts;
  while (puts.size() < count) {
    const auto context = static_cast<std::uint32_t>(random.below(context_count));
    const auto width = random.below(context % 7 == 0 ? 65 : 1 + context % 7 * 3);
    puts.push_back({context, width == 0 ? 0 : random.next() >> (64 - width)});
  }
  return puts;
}

TEST(Tokens, EveryNumberIsItsTopAndItsRawBits) {
  std::vector<std::uint64_t> values;
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (const std::uint64_t step : {-1, 0, 1})
      values.push_back((std::uint64_t{1} << shift) + step);
  }
  values.push_back(std::numeric_limits<std::uint64_t>::max());
  for (const auto value : values) {
    const auto token = token_of(value);
    ASSERT_LT(token.symbol, kTokenCount);
    const auto shape = token_shape(token.symbol);
    EXPECT_EQ(shape.raw_width, token.raw_width);
    EXPECT_EQ((std::uint64_t{shape.top} << shape.raw_width) + token.raw, value);
  }
}

TEST(FixedLog, IsTheLogarithmToThreeDecimals) {
  for (std::uint64_t value = 1; value < 5'000'000; value += 1 + value / 100) {
    const double expected = std::log2(static_cast<double>(value));
    const auto found = static_cast<double>(fixed_log2(value)) / (1 << kLogFractionBits);
    EXPECT_NEAR(found, expected, 0.00075) << value;
  }
  EXPECT_EQ(fixed_log2(std::uint64_t{1} << 63), std::uint64_t{63} << kLogFractionBits);
}

// Fibonacci numbers make the deepest trees; 5 symbols of them fit 4 bits exactly as Huffman says.
TEST(Huffman, KnowsTheTextbookCode) {
  const std::vector<std::uint64_t> counts = {1, 1, 2, 3, 5};
  EXPECT_EQ(huffman_lengths(counts, 12), (std::vector<std::uint8_t>{4, 4, 3, 2, 1}));
  // At most 3 bits: 3 3 2 2 2 and 3 3 3 3 1 both take 26, and no code takes less.
  const auto limited = huffman_lengths(counts, 3);
  std::uint64_t bits = 0;
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
    bits += counts[symbol] * limited[symbol];
  }
  EXPECT_EQ(bits, 26);
  EXPECT_TRUE(is_complete(limited));
}

TEST(Huffman, LimitedCodesAreComplete) {
  constexpr std::uint64_t kSeed = 11;
  Random random(kSeed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> counts(2 + random.below(300));
    for (auto& count : counts) count = random.next() >> (20 + random.below(44));
    counts[0] = counts[1] = 1;
    const auto lengths = huffman_lengths(counts, kCodeBitsMax);
    EXPECT_TRUE(is_complete(lengths)) << "seed " << kSeed << " round " << round;
  }
}

TEST(TokenCoder, ReadsWhatWasPut) {
  constexpr std::uint64_t kSeed = 5;
  Random random(kSeed);
  for (const std::uint32_t context_count : {1, 2, 9, 120}) {
    for (const std::size_t count : {0, 1, 2, 17, 400, 30000}) {
      SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", " << context_count << " contexts, "
                                      << count << " numbers");
      expect_round_trip(context_count, random_puts(random, context_count, count));
    }
  }
}

TEST(TokenCoder, HoldsTheLargestNumbers) {
  std::vector<Put> puts;
  for (int i = 0; i < 3000; ++i) {
    puts.push_back({0, 0});
    puts.push_back({1, std::numeric_limits<std::uint64_t>::max()});
    puts.push_back({1, std::numeric_limits<std::uint64_t>::max() >> i % 64});
  }
  expect_round_trip(2, puts);
}

TEST(TokenCoder, ANumberThatIsAlwaysTheSameTakesNoBits) {
  const std::vector<Put> puts(5000, Put{3, 9});
  expect_round_trip(8, puts);
  const auto encoded = encode(8, puts);
  EXPECT_EQ(encoded.bit_count, 0);
  EXPECT_LE(encoded.tables.size(), 4);
}

TEST(TokenCoder, AFewNumbersNeedNoTables) {
  const auto encoded = encode(100, {{0, 3}, {17, 2}, {99, 12}});
  EXPECT_EQ(encoded.tables.size(), 1);
  EXPECT_LE(encoded.stream.size(), 3);
}

// 4096 numbers of two values, 1 : 1 under one context and 1 : 15 under another: entropy is
// 1 and 0.337 bits; Huffman takes 1 and 1, so only the size of the whole is bounded here.
TEST(TokenCoder, TablesAreSmall) {
  std::vector<Put> puts;
  for (std::uint32_t i = 0; i < 4096; ++i)
    puts.push_back({i % 2, i / 2 % (i % 2 == 0 ? 2 : 16) == 0});
  const auto encoded = encode(2, puts);
  EXPECT_EQ(encoded.bit_count, 4096);
  EXPECT_LE(encoded.tables.size(), 12);
}

TEST(TokenCoder, MarksAreWhereReadingMayBegin) {
  constexpr std::uint64_t kSeed = 21;
  Random random(kSeed);
  const auto puts = random_puts(random, 5, 5000);
  TokenWriter writer(5);
  for (std::size_t i = 0; i < puts.size(); ++i) {
    if (i % 10 == 0) {
      EXPECT_EQ(writer.mark(), i / 10);
      writer.put_bits(i, 13);
    }
    writer.put(puts[i].context, puts[i].value);
  }
  writer.put_bits(~std::uint64_t{0}, 64);
  const auto end = writer.mark();
  const auto encoded = writer.finish();
  ASSERT_EQ(encoded.positions.size(), 501);
  EXPECT_EQ(encoded.positions[end], encoded.bit_count);
  const auto tables = open_tables(encoded, 5);
  for (std::size_t i = 0; i < puts.size(); i += 10) {
    TokenReader reader(tables, encoded.stream, encoded.positions[i / 10]);
    EXPECT_EQ(reader.get_bits(13), i);
    for (std::size_t k = i; k < i + 10; ++k) EXPECT_EQ(reader.get(puts[k].context), puts[k].value);
  }
  TokenReader reader(tables, encoded.stream, encoded.bit_count - 64);
  EXPECT_EQ(reader.get_bits(64), ~std::uint64_t{0});
}

TEST(TokenCoder, TheWriterIsEmptyAfterwards) {
  TokenWriter writer(3);
  writer.put(2, 77);
  const auto first = writer.finish();
  writer.put(2, 77);
  EXPECT_EQ(writer.finish().stream, first.stream);
  EXPECT_EQ(writer.finish().bit_count, 0);
}

TEST(TokenCoder, TruncatedStreamsAreCorrupt) {
  Random random(3);
  const auto puts = random_puts(random, 9, 500);
  const auto encoded = encode(9, puts);
  const auto tables = open_tables(encoded, 9);
  for (std::size_t size = 0; size < encoded.stream.size(); ++size) {
    TokenReader reader(tables, std::string_view(encoded.stream).substr(0, size));
    const auto read_all = [&] {
      for (const auto& put : puts) reader.get(put.context);
    };
    EXPECT_THROW(read_all(), Error) << size;
  }
  EXPECT_THROW(TokenReader(tables, encoded.stream, encoded.stream.size() * 8 + 1), Error);
}

TEST(TokenCoder, TruncatedTablesAreCorrupt) {
  Random random(4);
  const auto encoded = encode(30, random_puts(random, 30, 20000));
  for (std::size_t size = 0; size < encoded.tables.size(); ++size) {
    const std::string cut = encoded.tables.substr(0, size);
    ByteReader bytes(cut, "test");
    EXPECT_THROW(TokenTables::open(bytes, 30), Error) << size;
  }
}

// A damaged table is refused, or it is another complete code: then numbers are read until the end.
TEST(TokenCoder, DamagedTablesNeverLeaveTheStream) {
  Random random(6);
  const auto puts = random_puts(random, 30, 5000);
  const auto encoded = encode(30, puts);
  for (std::size_t bit = 0; bit < encoded.tables.size() * 8; ++bit) {
    std::string damaged = encoded.tables;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    ByteReader bytes(damaged, "test");
    try {
      const auto tables = TokenTables::open(bytes, 30);
      TokenReader reader(tables, encoded.stream);
      for (const auto& put : puts) reader.get(put.context);
      EXPECT_LE(reader.position(), encoded.stream.size() * 8);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    }
  }
}

}  // namespace
}  // namespace webstrata
