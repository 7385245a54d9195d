// SPDX-License-Identifier: Apache-2.0

// Nearly every host is plain lower-case ASCII and is copied after one scan. The rest follows the
// standard: percent-decode, domain to ASCII, forbidden characters, addresses. Tested by
// tests/url/url_test.cpp and tests/url/ip_test.cpp.

#include "webstrata/url/host_parser.h"

#include "webstrata/base/utf8.h"
#include "webstrata/url/characters.h"
#include "webstrata/url/idna.h"
#include "webstrata/url/ipv4.h"
#include "webstrata/url/ipv6.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

bool append_bracketed(std::string& out, std::string_view text) {
  if (text.size() < 2 || !text.ends_with(']')) return false;
  const auto address = parse_ipv6(text.substr(1, text.size() - 2));
  if (!address) return false;
  out += '[';
  append_ipv6(out, *address);
  out += ']';
  return true;
}

void append_lower(std::string& out, std::string_view text) {
  for (const char character : text) out += to_lower(character);
}

// `out` from `start` on is a lower-case ASCII domain. If its last label is a number, it must be an
// address, and is replaced by its normal form.
bool settle_address(std::string& out, std::size_t start) {
  const std::string_view domain = std::string_view(out).substr(start);
  if (domain.empty()) return false;
  if (!ends_in_a_number(domain)) return true;
  const auto address = parse_ipv4(domain);
  if (!address) return false;
  out.resize(start);
  append_ipv4(out, *address);
  return true;
}

bool append_unusual(std::string& out, std::string_view text) {
  std::string domain;
  append_percent_decoded(domain, text);
  if (!is_utf8(domain)) return false;
  const std::size_t start = out.size();
  if (!append_domain_to_ascii(out, domain)) return false;
  if ((classes_in(std::string_view(out).substr(start)) & kHostForbidden) != 0) return false;
  return settle_address(out, start);
}

}  // namespace

bool is_plain_name(std::string_view text) noexcept {
  return !text.empty() && !ends_in_a_number(text) && !has_ace_label(text);
}

bool append_host(std::string& out, std::string_view text) {
  if (text.starts_with('[')) return append_bracketed(out, text);
  const CharacterClasses classes = classes_in(text);
  if ((classes & kHostUnusual) != 0) return append_unusual(out, text);

  const std::size_t start = out.size();
  if ((classes & kUpper) != 0) {
    append_lower(out, text);
  } else {
    out += text;
  }
  if (!has_ace_label(std::string_view(out).substr(start))) return settle_address(out, start);
  out.resize(start);
  return append_unusual(out, text);
}

}  // namespace webstrata
