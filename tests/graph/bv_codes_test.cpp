// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/bv/codes.h"

#include <gtest/gtest.h>

#include "webstrata/base/random.h"

namespace webstrata::bv {
namespace {

constexpr Code kCodes[] = {Code::Delta, Code::Gamma, Code::Golomb, Code::SkewedGolomb,
                           Code::Unary, Code::Zeta,  Code::Nibble};

// The bits of a big-endian stream as text.
std::string bits_of(Code code, std::uint64_t value, unsigned parameter) {
  BitBuffer buffer(BitOrder::BigEndian);
  buffer.write(code, value, parameter);
  const std::uint64_t size = buffer.bit_count();
  const std::string bytes = buffer.finish();
  std::string text;
  for (std::uint64_t i = 0; i < size; ++i) {
    text += (static_cast<unsigned char>(bytes[i / 8]) >> (7 - i % 8) & 1) != 0 ? '1' : '0';
  }
  return text;
}

// From the tables in Boldi and Vigna, "The WebGraph framework II: codes for the World-Wide Web":
// zeta codes of 1 to 8 there are those of 0 to 7 here.
TEST(BvCodes, AreThoseOfTheLiterature) {
  EXPECT_EQ(bits_of(Code::Unary, 0, 3), "1");
  EXPECT_EQ(bits_of(Code::Unary, 3, 3), "0001");
  EXPECT_EQ(bits_of(Code::Gamma, 0, 3), "1");
  EXPECT_EQ(bits_of(Code::Gamma, 1, 3), "010");
  EXPECT_EQ(bits_of(Code::Gamma, 6, 3), "00111");
  EXPECT_EQ(bits_of(Code::Gamma, 7, 3), "0001000");
  EXPECT_EQ(bits_of(Code::Delta, 0, 3), "1");
  EXPECT_EQ(bits_of(Code::Delta, 1, 3), "0100");
  EXPECT_EQ(bits_of(Code::Delta, 7, 3), "00100000");
  EXPECT_EQ(bits_of(Code::Zeta, 0, 3), "100");
  EXPECT_EQ(bits_of(Code::Zeta, 1, 3), "1010");
  EXPECT_EQ(bits_of(Code::Zeta, 6, 3), "1111");
  EXPECT_EQ(bits_of(Code::Zeta, 7, 3), "0100000");
  EXPECT_EQ(bits_of(Code::Zeta, 0, 2), "10");
  EXPECT_EQ(bits_of(Code::Zeta, 1, 2), "110");
  EXPECT_EQ(bits_of(Code::Zeta, 3, 2), "01000");
  for (const std::uint64_t value : {0U, 1U, 5U, 100U}) {
    EXPECT_EQ(bits_of(Code::Zeta, value, 1), bits_of(Code::Gamma, value, 1));
  }
  EXPECT_EQ(bits_of(Code::Golomb, 4, 3), "0110");
  EXPECT_EQ(bits_of(Code::Golomb, 5, 3), "0111");
  EXPECT_EQ(bits_of(Code::Nibble, 0, 3), "1000");
  EXPECT_EQ(bits_of(Code::Nibble, 8, 3), "00011000");
}

template <BitOrder order>
void round_trip(std::uint64_t seed) {
  Random random(seed);
  const auto parameter = static_cast<unsigned>(1 + random.below(6));
  std::vector<std::pair<Code, std::uint64_t>> written;
  BitBuffer buffer(order);
  BitBuffer piece(order);
  std::uint64_t bits = 0;
  for (int i = 0; i < 400; ++i) {
    const Code code = kCodes[random.below(std::size(kCodes))];
    const bool is_long = code == Code::Unary || code == Code::Golomb;
    const std::uint64_t value = random.next() >> (is_long ? 56 : 29 + random.below(35));
    written.emplace_back(code, value);
    piece.write(code, value, parameter);
    bits += code_length(code, value, parameter);
    ASSERT_EQ(buffer.bit_count() + piece.bit_count(), bits);
    if (random.chance(0.1)) {
      buffer.append(piece);
      piece = BitBuffer(order);
    }
  }
  buffer.append(piece);
  const std::string bytes = buffer.finish();
  ASSERT_EQ(bytes.size(), (bits + 7) / 8);
  CodeReader<order> reader(bytes, parameter);
  for (const auto& [code, value] : written) {
    ASSERT_EQ(reader.read(code), value) << "code " << static_cast<int>(code);
  }
  EXPECT_EQ(reader.position(), bits);
  EXPECT_FALSE(reader.is_past_end());
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) reader.read(Code::Gamma);
      },
      Error);
}

TEST(BvCodes, ComeBackInBothBitOrders) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    round_trip<BitOrder::BigEndian>(seed);
    round_trip<BitOrder::LittleEndian>(seed);
  }
}

TEST(BvCodes, NumbersOutOfRangeAreRefused) {
  const std::string zeros(64, '\0');
  const std::string late_one = zeros + "\xff";
  for (const Code code : kCodes) {
    CodeReader<BitOrder::BigEndian> reader(zeros, 3);
    EXPECT_THROW(reader.read(code), Error);
  }
  for (const Code code : {Code::Gamma, Code::Delta, Code::Zeta, Code::SkewedGolomb}) {
    CodeReader<BitOrder::BigEndian> reader(late_one, 3);
    EXPECT_THROW(reader.read(code), Error);
  }
  CodeReader<BitOrder::BigEndian> reader(late_one, 3);
  EXPECT_EQ(reader.unary(), 512U);
}

}  // namespace
}  // namespace webstrata::bv
