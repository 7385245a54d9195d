// SPDX-License-Identifier: Apache-2.0

// The rules are those of the HTML standard, "13.2.5.72 Character reference state" and the following
// states. All names consist of letters and digits only, so a name with its semicolon can match only
// as the whole run of letters and digits after the ampersand; without one, the longest legacy name
// that begins the run wins.
// Tested by tests/capture/html_entities_test.cpp.

#include "webstrata/capture/html/html_entities.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "webstrata/base/text.h"
#include "webstrata/base/utf8.h"
#include "webstrata/capture/html/charset_converter.h"

namespace webstrata {
namespace {

struct Entity {
  std::uint16_t name_start;
  std::uint8_t name_size;
  bool legacy;           // also known without a semicolon
  std::uint32_t first;   // code point
  std::uint16_t second;  // code point, 0 if there is only one
};

#include "webstrata/capture/html/html_entities.inc"

constexpr std::size_t kLegacyNameMax = 6;  // "AElig", "brvbar", ...; the shortest are "GT", "lt"
constexpr std::size_t kEntityNameMax = 31;

enum class Place { Attribute, Text };

constexpr std::string_view name_of(const Entity& entity) {
  return {kNames + entity.name_start, entity.name_size};
}

const Entity* find_entity(std::string_view name) noexcept {
  const auto* const found = std::lower_bound(
      std::begin(kEntities), std::end(kEntities), name,
      [](const Entity& entity, std::string_view n) { return name_of(entity) < n; });
  return found != std::end(kEntities) && name_of(*found) == name ? found : nullptr;
}

const Entity* find_legacy_prefix(std::string_view run) noexcept {
  for (std::size_t size = std::min(run.size(), kLegacyNameMax); size >= 2; --size) {
    const Entity* const entity = find_entity(run.substr(0, size));
    if (entity != nullptr && entity->legacy) return entity;
  }
  return nullptr;
}

std::size_t alphanumeric_run(std::string_view text) noexcept {
  std::size_t size = 0;
  while (size < text.size() && (is_digit(text[size]) || is_letter(text[size]))) ++size;
  return size;
}

// Numeric references to C1 controls mean windows-1252 characters.
std::uint32_t meaning_of(std::uint32_t code_point) noexcept {
  if (code_point == 0) return 0xfffd;
  if (code_point >= 0x80 && code_point < 0xa0) return kWindows1252Specials[code_point - 0x80];
  return code_point;  // append_utf8 handles surrogates and values beyond Unicode
}

// `text` begins after "&#". Returns the bytes consumed; 0 if it is not a reference.
std::size_t append_numeric(std::string_view text, std::string& out) {
  const bool hex = !text.empty() && (text[0] | 0x20) == 'x';
  const std::uint32_t radix = hex ? 16 : 10;
  std::size_t at = hex ? 1 : 0;
  const std::size_t digits_start = at;
  std::uint32_t code_point = 0;
  for (; at < text.size(); ++at) {
    const int digit = hex_value(text[at]);
    if (digit < 0 || digit >= static_cast<int>(radix)) break;
    code_point = std::min(code_point * radix + static_cast<std::uint32_t>(digit), 0x110000U);
  }
  if (at == digits_start) return 0;
  append_utf8(out, meaning_of(code_point));
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

// `text` begins after "&". Returns the bytes consumed; 0 if it is not a reference.
std::size_t append_named(std::string_view text, Place place, std::string& out) {
  const std::string_view run = text.substr(0, alphanumeric_run(text));
  const bool closed = run.size() < text.size() && text[run.size()] == ';';
  const Entity* entity = closed && run.size() <= kEntityNameMax ? find_entity(run) : nullptr;
  std::size_t taken = run.size() + 1;
  if (entity == nullptr) {
    entity = find_legacy_prefix(run);
    if (entity == nullptr) return 0;
    taken = entity->name_size;
    const char next = taken < text.size() ? text[taken] : ' ';
    if (place == Place::Attribute && (next == '=' || is_digit(next) || is_letter(next))) return 0;
  }
  append_utf8(out, entity->first);
  if (entity->second != 0) append_utf8(out, entity->second);
  return taken;
}

std::size_t append_reference(std::string_view text, Place place, std::string& out) {
  if (!text.empty() && text[0] == '#') {
    const std::size_t taken = append_numeric(text.substr(1), out);
    return taken == 0 ? 0 : taken + 1;
  }
  return append_named(text, place, out);
}

constexpr bool is_special(char c) { return c == '&' || c == '\r' || c == '\0'; }

void append_decoded(std::string_view raw, Place place, std::string& out) {
  std::size_t at = 0;
  while (at < raw.size()) {
    const std::size_t plain = at;
    while (at < raw.size() && !is_special(raw[at])) ++at;
    out.append(raw, plain, at - plain);
    if (at == raw.size()) break;
    const char c = raw[at++];
    if (c == '\0') {
      if (place == Place::Attribute) append_utf8(out, 0xfffd);
    } else if (c == '\r') {
      if (at == raw.size() || raw[at] != '\n') out.push_back('\n');
    } else {
      const std::size_t taken = append_reference(raw.substr(at), place, out);
      if (taken == 0) out.push_back('&');
      at += taken;
    }
  }
}

}  // namespace

void append_attribute_value(std::string_view raw, std::string& out) {
  append_decoded(raw, Place::Attribute, out);
}

void append_text(std::string_view raw, std::string& out) { append_decoded(raw, Place::Text, out); }

}  // namespace webstrata
