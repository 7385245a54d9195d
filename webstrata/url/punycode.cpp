// SPDX-License-Identifier: Apache-2.0

// The names and the numbers are those of RFC 3492, section 5 and 6.
// Tested by tests/url/idna_test.cpp with the samples of its section 7.1.

#include "webstrata/url/punycode.h"

#include <algorithm>

#include "webstrata/url/characters.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kBase = 36;
constexpr std::uint32_t kTMin = 1;
constexpr std::uint32_t kTMax = 26;
constexpr std::uint32_t kSkew = 38;
constexpr std::uint32_t kDamp = 700;
constexpr std::uint32_t kInitialBias = 72;
constexpr std::uint32_t kInitialN = 0x80;
constexpr std::uint32_t kCodePointMax = 0x10ffff;

std::uint32_t adapted(std::uint32_t delta, std::uint32_t point_count, bool is_first) {
  delta = is_first ? delta / kDamp : delta / 2;
  delta += delta / point_count;
  std::uint32_t k = 0;
  for (; delta > (kBase - kTMin) * kTMax / 2; k += kBase) delta /= kBase - kTMin;
  return k + (kBase - kTMin + 1) * delta / (delta + kSkew);
}

constexpr std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) {
  if (k <= bias) return kTMin;
  return std::min(k - bias, kTMax);
}

constexpr char digit_of(std::uint64_t value) {
  return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26));
}

constexpr std::uint32_t value_of(char digit) {
  if (is_digit(digit)) return static_cast<std::uint32_t>(digit - '0') + 26;
  return is_letter(digit) ? static_cast<std::uint32_t>(to_lower(digit) - 'a') : kBase;
}

void append_variable_length(std::string& out, std::uint64_t delta, std::uint32_t bias) {
  for (std::uint32_t k = kBase;; k += kBase) {
    const std::uint32_t t = threshold(k, bias);
    if (delta < t) break;
    out += digit_of(t + (delta - t) % (kBase - t));
    delta = (delta - t) / (kBase - t);
  }
  out += digit_of(delta);
}

// Reads one number from the front; empty if it is cut off or exceeds 32 bits.
std::optional<std::uint64_t> take_variable_length(std::string_view& text, std::uint32_t bias) {
  std::uint64_t value = 0;
  std::uint64_t weight = 1;
  for (std::uint32_t k = kBase;; k += kBase) {
    if (text.empty()) return std::nullopt;
    const std::uint32_t digit = value_of(text.front());
    if (digit >= kBase) return std::nullopt;
    text.remove_prefix(1);
    value += digit * weight;
    if (value > UINT32_MAX) return std::nullopt;
    const std::uint32_t t = threshold(k, bias);
    if (digit < t) return value;
    weight *= kBase - t;
    if (weight > UINT32_MAX) return std::nullopt;
  }
}

}  // namespace

std::string punycode_encode(std::u32string_view label) {
  std::string out;
  for (const char32_t point : label) {
    if (point < kInitialN) out += static_cast<char>(point);
  }
  const auto basic_count = static_cast<std::uint32_t>(out.size());
  std::uint32_t handled = basic_count;
  if (basic_count > 0) out += '-';
  std::uint32_t n = kInitialN;
  std::uint64_t delta = 0;
  std::uint32_t bias = kInitialBias;
  while (handled < label.size()) {
    char32_t next = kCodePointMax;
    for (const char32_t point : label) {
      if (point >= n && point < next) next = point;
    }
    delta += std::uint64_t{next - n} * (handled + 1);
    n = next;
    for (const char32_t point : label) {
      if (point < n) ++delta;
      if (point != n) continue;
      append_variable_length(out, delta, bias);
      bias = adapted(static_cast<std::uint32_t>(delta), handled + 1, handled == basic_count);
      delta = 0;
      ++handled;
    }
    ++delta;
    ++n;
  }
  return out;
}

std::optional<std::u32string> punycode_decode(std::string_view text) {
  std::u32string label;
  const std::size_t hyphen = text.rfind('-');
  if (hyphen == 0) return std::nullopt;  // an encoder never writes a leading hyphen
  if (hyphen != std::string_view::npos) {
    for (const char basic : text.substr(0, hyphen)) {
      if (static_cast<unsigned char>(basic) >= kInitialN) return std::nullopt;
      label += static_cast<char32_t>(basic);
    }
    text.remove_prefix(hyphen + 1);
  }
  std::uint64_t n = kInitialN;
  std::uint64_t i = 0;
  std::uint32_t bias = kInitialBias;
  while (!text.empty()) {
    const auto delta = take_variable_length(text, bias);
    if (!delta) return std::nullopt;
    const auto size = static_cast<std::uint32_t>(label.size() + 1);
    bias = adapted(static_cast<std::uint32_t>(*delta), size, i == 0 && n == kInitialN);
    i += *delta;
    n += i / size;
    i %= size;
    if (n > kCodePointMax || (n >= 0xd800 && n < 0xe000)) return std::nullopt;
    label.insert(static_cast<std::size_t>(i), 1, static_cast<char32_t>(n));
    ++i;
  }
  return label;
}

}  // namespace webstrata
