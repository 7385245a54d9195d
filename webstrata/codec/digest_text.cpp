// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/digest_text_test.cpp.

#include "webstrata/codec/digest_text.h"

#include <algorithm>
#include <array>

namespace webstrata {
namespace {

using Alphabet = DigestForm::Alphabet;

struct Digits {
  std::string_view letters;
  unsigned bits = 0;                    // in one letter
  std::array<std::int8_t, 256> values;  // of a letter; -1 for all others
};

constexpr Digits make_digits(std::string_view letters, unsigned bits) {
  Digits digits{letters, bits, {}};
  digits.values.fill(-1);
  for (std::size_t value = 0; value < letters.size(); ++value) {
    digits.values[static_cast<std::uint8_t>(letters[value])] = static_cast<std::int8_t>(value);
  }
  return digits;
}

// In the order of the enumerators. RFC 4648, without padding.
constexpr std::array<Digits, 3> kDigits = {make_digits("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5),
                                           make_digits("0123456789abcdef", 4),
                                           make_digits("0123456789ABCDEF", 4)};

const Digits& digits_of(Alphabet alphabet) { return kDigits[static_cast<std::size_t>(alphabet)]; }

// The bytes that `text` encodes canonically; empty if there are none.
std::optional<std::string> bytes_of(const Digits& digits, std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * digits.bits / 8);
  unsigned pending = 0;
  unsigned width = 0;
  for (const char letter : text) {
    const int value = digits.values[static_cast<std::uint8_t>(letter)];
    if (value < 0) return std::nullopt;
    pending = pending << digits.bits | static_cast<unsigned>(value);
    width += digits.bits;
    if (width < 8) continue;
    width -= 8;
    bytes.push_back(static_cast<char>(pending >> width));
    pending &= (1U << width) - 1;
  }
  // A letter too many, or bits beyond the last byte.
  if (width >= digits.bits || pending != 0) return std::nullopt;
  return bytes;
}

}  // namespace

std::optional<DigestParts> split_digest(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::size_t prefix_size = colon == std::string_view::npos ? 0 : colon + 1;
  const std::string_view body = text.substr(prefix_size);
  if (body.empty() || prefix_size > kDigestPrefixBytesMax || body.size() > 2 * kDigestBytesMax) {
    return std::nullopt;
  }
  // Hexadecimal first: a text of few digits may be valid in both, and hexadecimal is the usual one.
  for (const Alphabet alphabet : {Alphabet::HexLower, Alphabet::HexUpper, Alphabet::Base32}) {
    auto bytes = bytes_of(digits_of(alphabet), body);
    if (!bytes || bytes->empty() || bytes->size() > kDigestBytesMax) continue;
    return DigestParts{{std::string(text.substr(0, prefix_size)), alphabet,
                        static_cast<std::uint8_t>(bytes->size())},
                       std::move(*bytes)};
  }
  return std::nullopt;
}

void join_digest(const DigestForm& form, std::string_view bytes, std::string& out) {
  const Digits& digits = digits_of(form.alphabet);
  const unsigned mask = (1U << digits.bits) - 1;
  out.resize(form.prefix.size() + (bytes.size() * 8 + digits.bits - 1) / digits.bits);
  char* letter = std::copy(form.prefix.begin(), form.prefix.end(), out.data());
  unsigned pending = 0;
  unsigned width = 0;
  for (const char byte : bytes) {
    pending = (pending & mask) << 8 | static_cast<std::uint8_t>(byte);
    for (width += 8; width >= digits.bits; width -= digits.bits) {
      *letter++ = digits.letters[pending >> (width - digits.bits) & mask];
    }
  }
  if (width > 0) *letter++ = digits.letters[pending << (digits.bits - width) & mask];
}

}  // namespace webstrata
