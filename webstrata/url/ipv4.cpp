// SPDX-License-Identifier: Apache-2.0

// Tested by tests/url/ip_test.cpp.

#include "webstrata/url/ipv4.h"

#include "webstrata/url/characters.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 32;

// One part: 0x and 0X announce base 16, another leading zero base 8. Empty after "0x" is zero.
// Values past 32 bits come out as kTooLarge.
std::optional<std::uint64_t> parse_part(std::string_view part) noexcept {
  if (part.empty()) return std::nullopt;
  int base = 10;
  if (part.size() >= 2 && part[0] == '0') {
    const bool is_hex = to_lower(part[1]) == 'x';
    base = is_hex ? 16 : 8;
    part.remove_prefix(is_hex ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char character : part) {
    const int digit = hex_value(character);
    if (digit < 0 || digit >= base) return std::nullopt;
    value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
    if (value > kTooLarge) value = kTooLarge;
  }
  return value;
}

}  // namespace

bool ends_in_a_number(std::string_view host) noexcept {
  host = without_final_dot(host);
  const std::string_view last = host.substr(host.rfind('.') + 1);  // npos + 1 is 0
  if (last.empty() || !is_digit(last[0])) return false;
  return last.find_first_not_of("0123456789") == std::string_view::npos ||
         parse_part(last).has_value();
}

std::optional<std::uint32_t> parse_ipv4(std::string_view host) noexcept {
  host = without_final_dot(host);
  std::uint64_t address = 0;
  for (int part_number = 0; part_number < 4; ++part_number) {
    const std::size_t dot = host.find('.');
    const auto part = parse_part(host.substr(0, dot));
    if (!part) return std::nullopt;
    if (dot == std::string_view::npos) {  // the last part fills the remaining bytes
      const int bits_left = 32 - 8 * part_number;
      if (*part >= std::uint64_t{1} << bits_left) return std::nullopt;
      return static_cast<std::uint32_t>(address << bits_left | *part);
    }
    if (*part > 255) return std::nullopt;
    address = address << 8 | *part;
    host.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

void append_ipv4(std::string& out, std::uint32_t address) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += std::to_string(address >> shift & 255);
    if (shift > 0) out += '.';
  }
}

}  // namespace webstrata
