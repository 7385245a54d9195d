// libidn2 maps and checks; we cut the domain into labels first, since the standard knows no limit
// on the length of the whole, and leave plain ASCII labels alone, since it has no rules for them.
// Tested by tests/url/idna_test.cpp and tests/url/node_truth_test.py.

#include "webstrata/url/idna.h"

#include <idn2.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "webstrata/url/characters.h"

namespace webstrata {
namespace {

constexpr std::string_view kAcePrefix = "xn--";
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

bool is_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), to_lower);
  return result;
}

std::optional<std::string> look_up(const std::string& label) {
  std::uint8_t* found = nullptr;
  const int outcome = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(label.c_str()), &found,
                                     IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  const std::unique_ptr<std::uint8_t, decltype(&idn2_free)> owner(found, &idn2_free);
  if (outcome != IDN2_OK) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(found));
}

// An ASCII form that begins with "xn--" must look itself up: so normal forms stay what they are.
bool is_settled(const std::string& ascii) {
  return !ascii.starts_with(kAcePrefix) || look_up(ascii) == ascii;
}

bool append_label(std::string& out, std::string_view label) {
  if (is_ascii(label)) {
    const std::string ascii = lower(label);
    out += ascii;
    return is_settled(ascii);
  }
  const auto ascii = look_up(std::string(label));
  if (!ascii || !is_settled(*ascii)) return false;
  out += *ascii;
  return true;
}

}  // namespace

bool has_ace_label(std::string_view domain) noexcept {
  for (std::size_t at = domain.find(kAcePrefix); at != std::string_view::npos;
       at = domain.find(kAcePrefix, at + 1)) {
    if (at == 0 || domain[at - 1] == '.') return true;
  }
  return false;
}

bool append_domain_to_ascii(std::string& out, std::string_view domain) {
  if (domain.find('\0') != std::string_view::npos) return false;
  for (;;) {
    const Cut cut = find_dot(domain);
    if (!append_label(out, domain.substr(0, cut.label_end))) return false;
    if (cut.label_end == std::string_view::npos) return true;
    out += '.';
    domain.remove_prefix(cut.label_end + cut.dot_size);
  }
}

}  // namespace webstrata
