// SPDX-License-Identifier: Apache-2.0

// What the URL standard says about single bytes, as one table of bits.
//
// Every scan in this room is a loop over this table; the names are those of the standard's sets,
// reduced to what http, https and ftp need. `?` and `#` end a path before it is encoded, so they
// are in no set.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "webstrata/base/text.h"

namespace webstrata {

enum CharacterClass : std::uint16_t {
  kPathEncoded = 1 << 0,    // percent-encoded in a path
  kQueryEncoded = 1 << 1,   // percent-encoded in a query
  kUnprintable = 1 << 2,    // outside 0x21..0x7e
  kSlash = 1 << 3,          // '/' and, in web URLs, '\'
  kBackslash = 1 << 4,      // '\' alone
  kStripped = 1 << 5,       // tab, newline, carriage return: removed wherever they occur
  kSchemeTail = 1 << 6,     // a letter, digit, '+', '-' or '.'
  kUpper = 1 << 7,          // A..Z
  kDigit = 1 << 8,          // 0..9
  kHostForbidden = 1 << 9,  // not allowed in a domain, even after decoding
  kHostUnusual = 1 << 10,   // forbidden, '%' or not ASCII: such a host takes the slow path
  kAuthorityEnd = 1 << 11,  // '/', '\\' and '?'
};

using CharacterClasses = std::uint16_t;

constexpr CharacterClasses classes_of_byte(unsigned byte) {
  const auto is_one_of = [byte](std::string_view set) {
    return byte < 0x80 && set.find(static_cast<char>(byte)) != std::string_view::npos;
  };
  const bool is_control = byte < 0x20 || byte == 0x7f;
  const bool is_ascii = byte < 0x80;
  const bool is_upper = byte >= 'A' && byte <= 'Z';
  const bool is_lower = byte >= 'a' && byte <= 'z';
  const bool is_digit = byte >= '0' && byte <= '9';
  const bool is_unprintable = is_control || byte == ' ' || !is_ascii;
  const bool is_host_forbidden = is_control || is_one_of(" #/:<>?@[\\]^|%");

  unsigned classes = 0;
  if (is_unprintable || is_one_of("\"<>^`{}")) classes |= kPathEncoded;
  if (is_unprintable || is_one_of("\"<>'")) classes |= kQueryEncoded;
  if (is_unprintable) classes |= kUnprintable;
  if (is_one_of("/\\")) classes |= kSlash;
  if (byte == '\\') classes |= kBackslash;
  if (is_one_of("/\\?")) classes |= kAuthorityEnd;
  if (is_one_of("\t\n\r")) classes |= kStripped;
  if (is_upper || is_lower || is_digit || is_one_of("+-.")) classes |= kSchemeTail;
  if (is_upper) classes |= kUpper;
  if (is_digit) classes |= kDigit;
  if (is_host_forbidden) classes |= kHostForbidden;
  if (is_host_forbidden || !is_ascii) classes |= kHostUnusual;
  return static_cast<CharacterClasses>(classes);
}

inline constexpr auto kCharacterClasses = [] {
  std::array<CharacterClasses, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) table[byte] = classes_of_byte(byte);
  return table;
}();

constexpr CharacterClasses classes_of(char character) noexcept {
  return kCharacterClasses[static_cast<unsigned char>(character)];
}

// All classes that occur in `text`. Four at a time: this scan is half of the work of a short link.
inline CharacterClasses classes_in(std::string_view text) noexcept {
  unsigned classes = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; end - at >= 4; at += 4) {
    classes |= classes_of(at[0]) | classes_of(at[1]) | classes_of(at[2]) | classes_of(at[3]);
  }
  for (; at < end; ++at) classes |= classes_of(*at);
  return static_cast<CharacterClasses>(classes);
}

constexpr std::string_view without_final_dot(std::string_view host) noexcept {
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

}  // namespace webstrata
