// SPDX-License-Identifier: Apache-2.0

// libidn2 maps and checks; we cut the domain into labels first, since the standard does not limit
// the length of the whole, and leave plain ASCII labels unchanged, since it has no rules for them.
//
// libidn2 also applies rules of IDNA 2008 that UTS 46 leaves out: it refuses symbols (☃.net is a
// real host), hyphens at the ends and in third and fourth place, and ASCII punctuation next to
// other letters. Where it refuses a label, these characters, which no mapping affects, are replaced
// by placeholder letters; if libidn2 accepts that label, they are put back into its result.
// Tested by tests/url/idna_test.cpp and tests/url/node_truth_test.py.

#include "webstrata/url/idna.h"

#include <idn2.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>

#include "webstrata/base/utf8.h"
#include "webstrata/url/characters.h"
#include "webstrata/url/punycode.h"

namespace webstrata {
namespace {

constexpr std::string_view kAcePrefix = "xn--";
constexpr int kFlags2008 = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL;
constexpr int kFlags2003 = IDN2_NFC_INPUT | IDN2_TRANSITIONAL;

// ---- labels

// Besides '.', three more characters are mapped to it: U+3002, U+FF0E, U+FF61.
constexpr std::string_view kWideDots[] = {"\xe3\x80\x82", "\xef\xbc\x8e", "\xef\xbd\xa1"};

struct Cut {
  std::size_t label_end = std::string_view::npos;  // npos: the last label
  std::size_t dot_size = 0;
};

Cut find_dot(std::string_view domain) noexcept {
  Cut first{domain.find('.'), 1};
  for (const std::string_view dot : kWideDots) {
    const std::size_t found = domain.find(dot);
    if (found < first.label_end) first = {found, dot.size()};
  }
  return first;
}

// Calls `append(label)` for every label, until one is rejected.
template <typename Append>
bool append_labels(std::string& out, std::string_view domain, const Append& append) {
  if (domain.find('\0') != std::string_view::npos) return false;
  for (;;) {
    const Cut cut = find_dot(domain);
    if (!append(domain.substr(0, cut.label_end))) return false;
    if (cut.label_end == std::string_view::npos) return true;
    out += '.';
    domain.remove_prefix(cut.label_end + cut.dot_size);
  }
}

bool is_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::optional<std::string> look_up(const std::string& label, int flags) {
  std::uint8_t* found = nullptr;
  errno = 0;
  const int outcome =
      idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(label.c_str()), &found, flags);
  const std::unique_ptr<std::uint8_t, decltype(&idn2_free)> owner(found, &idn2_free);
  // Without memory nothing is known about the label. Normalisation reports that through errno.
  if (outcome == IDN2_MALLOC || (outcome != IDN2_OK && errno == ENOMEM)) throw std::bad_alloc();
  if (outcome != IDN2_OK) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(found));
}

// ---- placeholder letters for symbols

struct Range {
  char32_t first;
  char32_t last;
};
// Arrows, mathematical and technical signs, dingbats, emoji: valid and unmapped in UTS 46
// (IdnaMappingTable.txt, "valid ; ; NV8"); the gaps are signs that are mapped.
constexpr Range kSymbols[] = {
    {0x2190, 0x222b},   {0x222e, 0x222e},   {0x2231, 0x2328},   {0x232b, 0x2426},
    {0x2440, 0x244a},   {0x24eb, 0x2a0b},   {0x2a0d, 0x2a73},   {0x2a77, 0x2adb},
    {0x2add, 0x2bff},   {0x1f000, 0x1f0ff}, {0x1f10b, 0x1f10f}, {0x1f12f, 0x1f12f},
    {0x1f150, 0x1f169}, {0x1f16d, 0x1f18f}, {0x1f191, 0x1f1ff}, {0x1f260, 0x1faff},
};

bool needs_stand_in(char32_t point) noexcept {
  if (point < 0x80) {
    const char character = static_cast<char>(point);
    return !is_letter(character) && !is_digit(character);
  }
  return std::ranges::any_of(
      kSymbols, [point](Range range) { return point >= range.first && point <= range.last; });
}

// The only mark that composes with a character that has a placeholder: "=" and it form "≠".
constexpr char32_t kLongSolidusOverlay = 0x338;

// Yi syllables: letters without case, compositions, joining or direction.
constexpr char32_t kFirstStandIn = 0xa000;
constexpr char32_t kLastStandIn = 0xa48c;

bool is_stand_in(char32_t point) noexcept {
  return point >= kFirstStandIn && point <= kLastStandIn;
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  while (!text.empty()) points += static_cast<char32_t>(take_utf8(text));
  return points;
}

std::optional<std::string> look_up_with_stand_ins(std::string_view label, int flags) {
  std::u32string originals;  // what each placeholder replaces
  std::string disguised;
  for (const char32_t point : code_points(label)) {
    if (is_stand_in(point) || point == kLongSolidusOverlay) return std::nullopt;
    if (!needs_stand_in(point)) {
      append_utf8(disguised, point);
      continue;
    }
    const std::size_t which = std::min(originals.find(point), originals.size());
    if (which == originals.size()) originals += point;
    if (kFirstStandIn + which > kLastStandIn) return std::nullopt;
    append_utf8(disguised, static_cast<std::uint32_t>(kFirstStandIn + which));
  }
  if (originals.empty()) return std::nullopt;
  const auto ascii = look_up(disguised, flags);
  if (!ascii || !ascii->starts_with(kAcePrefix)) return std::nullopt;
  auto points = punycode_decode(std::string_view(*ascii).substr(kAcePrefix.size()));
  if (!points) return std::nullopt;
  for (char32_t& point : *points) {
    if (is_stand_in(point)) point = originals[point - kFirstStandIn];
  }
  if (std::ranges::all_of(*points, [](char32_t point) { return point < 0x80; })) {
    return std::string(points->begin(), points->end());
  }
  if (points->starts_with(U"xn--")) return std::nullopt;
  return std::string(kAcePrefix) + punycode_encode(*points);
}

// ---- one label

std::optional<std::string> ascii_of(std::string_view label, int flags) {
  if (auto direct = look_up(std::string(label), flags)) return direct;
  return look_up_with_stand_ins(label, flags);
}

// An ASCII form that begins with "xn--" must be the encoding of what it decodes to, so that parsing
// a normal form again gives the same.
bool is_settled(const std::string& ascii) {
  if (!ascii.starts_with(kAcePrefix)) return true;
  const auto points = punycode_decode(std::string_view(ascii).substr(kAcePrefix.size()));
  if (!points) return false;
  std::string label;
  for (const char32_t point : *points) append_utf8(label, point);
  return !is_ascii(label) && ascii_of(label, kFlags2008) == ascii;
}

bool append_label(std::string& out, std::string_view label) {
  const auto ascii = is_ascii(label) ? std::optional(lower(label)) : ascii_of(label, kFlags2008);
  if (!ascii || !is_settled(*ascii)) return false;
  out += *ascii;
  return true;
}

}  // namespace

bool has_ace_label(std::string_view domain) noexcept {
  for (std::size_t hyphens = domain.find("--"); hyphens != std::string_view::npos;
       hyphens = domain.find("--", hyphens + 1)) {
    const std::string_view label = domain.substr(domain.rfind('.', hyphens) + 1);  // npos + 1 is 0
    if (label.starts_with(kAcePrefix)) return true;
  }
  return false;
}

bool append_domain_to_ascii(std::string& out, std::string_view domain) {
  return append_labels(out, domain,
                       [&](std::string_view label) { return append_label(out, label); });
}

bool append_domain_to_ascii_2003(std::string& out, std::string_view domain) {
  return append_labels(out, domain, [&](std::string_view label) {
    const auto ascii =
        is_ascii(label) ? std::optional(std::string(label)) : ascii_of(label, kFlags2003);
    if (ascii) out += *ascii;
    return ascii.has_value();
  });
}

}  // namespace webstrata
