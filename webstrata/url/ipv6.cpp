// SPDX-License-Identifier: Apache-2.0

// The address is read from left to right; pieces after "::" are finally moved to the end.
// Tested by tests/url/ip_test.cpp.

#include "webstrata/url/ipv6.h"

#include <algorithm>

#include "webstrata/url/characters.h"

namespace webstrata {
namespace {

// Removes up to four hexadecimal digits from the front; an empty piece has the value 0 and no
// length.
struct Piece {
  std::uint16_t value = 0;
  std::size_t length = 0;
};

Piece take_piece(std::string_view& text) noexcept {
  Piece piece;
  while (piece.length < 4 && piece.length < text.size() && hex_value(text[piece.length]) >= 0) {
    piece.value = static_cast<std::uint16_t>(piece.value * 16 + hex_value(text[piece.length]));
    ++piece.length;
  }
  text.remove_prefix(piece.length);
  return piece;
}

// One decimal number of an embedded IPv4 address: no leading zeros, at most 255.
std::optional<std::uint16_t> take_octet(std::string_view& text) noexcept {
  unsigned value = 0;
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) {
    if (length > 0 && value == 0) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(text[length] - '0');
    if (value > 255) return std::nullopt;
    ++length;
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return static_cast<std::uint16_t>(value);
}

// The last 32 bits written as "192.0.2.1", to the end of `text`.
bool parse_embedded_ipv4(std::string_view text, std::uint16_t& high, std::uint16_t& low) noexcept {
  std::uint16_t octets[4] = {};
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    const auto octet = take_octet(text);
    if (!octet) return false;
    octets[i] = *octet;
  }
  high = static_cast<std::uint16_t>(octets[0] * 256 + octets[1]);
  low = static_cast<std::uint16_t>(octets[2] * 256 + octets[3]);
  return text.empty();
}

// Where the first longest run of at least two zero pieces begins, and its length.
struct ZeroRun {
  std::size_t start = 8;
  std::size_t length = 1;
};

ZeroRun longest_zero_run(const Ipv6Address& address) noexcept {
  ZeroRun best;
  for (std::size_t start = 0; start < 8; ++start) {
    std::size_t end = start;
    while (end < 8 && address[end] == 0) ++end;
    if (end - start > best.length) best = {start, end - start};
  }
  return best;
}

void append_piece(std::string& out, unsigned piece) {
  constexpr char kDigits[] = "0123456789abcdef";
  bool started = false;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const unsigned digit = piece >> shift & 15;
    started = started || digit != 0 || shift == 0;
    if (started) out += kDigits[digit];
  }
}

}  // namespace

std::optional<Ipv6Address> parse_ipv6(std::string_view text) noexcept {
  Ipv6Address address{};
  std::size_t count = 0;
  std::optional<std::size_t> gap;  // number of pieces before "::"
  if (text.starts_with(':')) {
    if (!text.starts_with("::")) return std::nullopt;
    text.remove_prefix(2);
    gap = 0;
  }
  while (!text.empty()) {
    if (count == 8) return std::nullopt;
    if (text.starts_with(':')) {
      if (gap) return std::nullopt;
      text.remove_prefix(1);
      gap = count;
      continue;
    }
    const std::string_view rest = text;
    const Piece piece = take_piece(text);
    if (text.starts_with('.')) {
      if (count > 6 || !parse_embedded_ipv4(rest, address[count], address[count + 1])) {
        return std::nullopt;
      }
      count += 2;
      break;
    }
    if (piece.length == 0) return std::nullopt;
    address[count++] = piece.value;
    if (text.empty()) break;
    if (text[0] != ':') return std::nullopt;
    text.remove_prefix(1);
    if (text.empty()) return std::nullopt;  // a lone colon at the end
  }
  if (!gap) return count == 8 ? std::optional(address) : std::nullopt;
  if (count == 8) return std::nullopt;  // "::" means at least one zero
  std::rotate(address.begin() + *gap, address.begin() + count, address.end());
  return address;
}

void append_ipv6(std::string& out, const Ipv6Address& address) {
  const ZeroRun zeros = longest_zero_run(address);
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == zeros.start) {
      out += i == 0 ? "::" : ":";
      i += zeros.length - 1;
      continue;
    }
    append_piece(out, address[i]);
    if (i < 7) out += ':';
  }
}

}  // namespace webstrata
