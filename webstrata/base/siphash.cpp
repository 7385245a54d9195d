// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/siphash_test.cpp.

#include "webstrata/base/siphash.h"

#include <bit>
#include <cstring>

namespace webstrata {
namespace {

static_assert(std::endian::native == std::endian::little);

// The four words of state.
struct Words {
  std::uint64_t a, b, c, d;

  void round() noexcept {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) noexcept {
    d ^= word;
    round();
    round();
    a ^= word;
  }
  std::uint64_t finish() noexcept {
    for (int i = 0; i < 4; ++i) round();
    return a ^ b ^ c ^ d;
  }
};

std::uint64_t load(const char* bytes, std::size_t size) noexcept {
  std::uint64_t word = 0;
  if (size > 0) std::memcpy(&word, bytes, size);  // an empty range may have a null address
  return word;
}

}  // namespace

KeyedHash siphash128(const SecretKey& key, std::string_view bytes) noexcept {
  constexpr std::uint64_t kLongOutput = 0xee;
  constexpr std::uint64_t kSecondHalf = 0xdd;
  // The initial words spell "somepseudorandomlygeneratedbytes".
  Words words{key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d ^ kLongOutput,
              key.low ^ 0x6c7967656e657261, key.high ^ 0x7465646279746573};
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) words.take(load(bytes.data() + at, 8));
  const std::uint64_t size_byte = std::uint64_t{bytes.size()} << 56;
  words.take(size_byte | load(bytes.data() + at, bytes.size() - at));

  KeyedHash hash;
  words.c ^= kLongOutput;
  hash.low = words.finish();
  words.b ^= kSecondHalf;
  hash.high = words.finish();
  return hash;
}

}  // namespace webstrata
