// Tested by tests/codec/digest_text_test.cpp.

#include "webstrata/codec/digest_text.h"

#include <array>

namespace webstrata {
namespace {

using Alphabet = DigestForm::Alphabet;

struct Digits {
  std::string_view letters;
  unsigned bits = 0;  // in one letter
};
// In the order of the enumerators. RFC 4648, without padding.
constexpr std::array<Digits, 3> kDigits = {
    {{"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5}, {"0123456789abcdef", 4}, {"0123456789ABCDEF", 4}}};

const Digits& digits_of(Alphabet alphabet) { return kDigits[static_cast<std::size_t>(alphabet)]; }

// The whole bytes that `text` writes; empty if it has other letters.
std::optional<std::string> bytes_of(const Digits& digits, std::string_view text) {
  std::string bytes;
  unsigned pending = 0;
  unsigned width = 0;
  for (const char letter : text) {
    const std::size_t value = digits.letters.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    pending = pending << digits.bits | static_cast<unsigned>(value);
    width += digits.bits;
    if (width < 8) continue;
    width -= 8;
    bytes.push_back(static_cast<char>(pending >> width));
    pending &= (1U << width) - 1;
  }
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
  std::string again;
  // Hexadecimal first: a text of decimal digits alone fits both, and hexadecimal is shorter.
  for (const Alphabet alphabet : {Alphabet::HexLower, Alphabet::HexUpper, Alphabet::Base32}) {
    auto bytes = bytes_of(digits_of(alphabet), body);
    if (!bytes || bytes->empty() || bytes->size() > kDigestBytesMax) continue;
    DigestParts parts{{std::string(text.substr(0, prefix_size)), alphabet,
                       static_cast<std::uint8_t>(bytes->size())},
                      std::move(*bytes)};
    join_digest(parts.form, parts.bytes, again);
    if (again == text) return parts;
  }
  return std::nullopt;
}

void join_digest(const DigestForm& form, std::string_view bytes, std::string& out) {
  const Digits& digits = digits_of(form.alphabet);
  const unsigned mask = (1U << digits.bits) - 1;
  out = form.prefix;
  unsigned pending = 0;
  unsigned width = 0;
  for (const char byte : bytes) {
    pending = (pending & mask) << 8 | static_cast<std::uint8_t>(byte);
    for (width += 8; width >= digits.bits; width -= digits.bits) {
      out.push_back(digits.letters[pending >> (width - digits.bits) & mask]);
    }
  }
  if (width > 0) out.push_back(digits.letters[pending << (digits.bits - width) & mask]);
}

}  // namespace webstrata
