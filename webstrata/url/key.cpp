// SPDX-License-Identifier: Apache-2.0

// Keys are appended to a buffer of the caller, and inverted strictly: what append_key() cannot have
// written is not a key. The range of a host, a domain or a path is all keys with one prefix: from
// the prefix up to the prefix with a larger last byte.
// Tested by tests/url/key_test.cpp.

#include "webstrata/url/key.h"

#include <algorithm>
#include <cassert>

#include "webstrata/url/host.h"
#include "webstrata/url/host_parser.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

constexpr char kHostEnd = ')';
constexpr char kLabelEnd = ',';
constexpr char kAfterHostEnd = kHostEnd + 1;
constexpr char kAfterLabelEnd = kLabelEnd + 1;
constexpr char kFirstPathByte = 0x21;
constexpr char kOtherScheme = 4;

constexpr std::string_view kSchemeNames[] = {"http", "https", "ftp"};  // bytes 1, 2, 3

char scheme_byte(std::string_view scheme) noexcept {
  const auto* found = std::ranges::find(kSchemeNames, scheme);
  assert(found != std::end(kSchemeNames));
  return static_cast<char>(found - std::begin(kSchemeNames) + 1);
}

bool is_web_scheme(std::string_view scheme) noexcept {
  return std::ranges::find(kSchemeNames, scheme) != std::end(kSchemeNames);
}

// Bytes up to ',' would break the order of hosts, or look like separators.
constexpr bool is_escaped_in_label(char byte) noexcept { return byte <= kLabelEnd; }

void append_label(std::string& out, std::string_view label, bool has_escapes) {
  if (!has_escapes) {
    out += label;
    return;
  }
  for (const char byte : label) {
    if (is_escaped_in_label(byte)) {
      append_percent(out, byte);
    } else {
      out += byte;
    }
  }
}

// "www.example.org" as "org,example,www".
void append_reversed(std::string& out, std::string_view host) {
  const bool has_escapes = std::ranges::any_of(host, is_escaped_in_label);
  std::size_t end = host.size();
  for (std::size_t i = host.size(); i > 0; --i) {
    if (host[i - 1] != '.') continue;
    append_label(out, host.substr(i, end - i), has_escapes);
    out += kLabelEnd;
    end = i - 1;
  }
  append_label(out, host.substr(0, end), has_escapes);
}

void append_host_key(std::string& out, std::string_view host) {
  if (is_ip_address(host)) {
    out += host;
  } else {
    append_reversed(out, host);
  }
}

// Key without the scheme byte: host, port and the first `path_bytes` bytes of path and query.
std::string key_prefix(const Url& url, std::size_t path_bytes) {
  std::string key;
  append_key(url, key);
  key.pop_back();
  key.resize(key.size() - (url.path().size() + url.query().size() - path_bytes));
  return key;
}

// Everything that begins with `prefix`, which ends in a byte below 0x7f.
KeyRange beginning_with(std::string prefix) {
  KeyRange range{prefix, std::move(prefix)};
  ++range.end.back();
  return range;
}

KeyRange host_range(std::string_view host, char after_last) {
  KeyRange range;
  append_host_key(range.first, host);
  range.end = range.first;
  range.first += kHostEnd;
  range.end += after_last;
  return range;
}

// The inverse of append_label. Accepts only what that writes: upper-case escapes, of bytes that
// need one.
bool append_unescaped(std::string& out, std::string_view label) {
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (!is_escaped_in_label(label[i])) {
      if ((classes_of(label[i]) & (kHostUnusual | kUpper)) != 0) return false;
      out += label[i];
      continue;
    }
    const int value = percent_value(label, i);
    if (value < kFirstPathByte || value > kLabelEnd || label[i + 2] >= 'a') return false;
    out += static_cast<char>(value);
    i += 2;
  }
  return true;
}

bool append_host_of_key(std::string& out, std::string_view key) {
  if (key.empty()) return false;
  if (key[0] == '[' || key.find('.') != std::string_view::npos) {
    const std::size_t start = out.size();
    return append_host(out, key) && out.compare(start, std::string::npos, key) == 0 &&
           is_ip_address(key);
  }
  for (;;) {
    const std::size_t comma = key.rfind(kLabelEnd);
    const std::size_t label_start = comma == std::string_view::npos ? 0 : comma + 1;
    if (!append_unescaped(out, key.substr(label_start))) return false;
    if (label_start == 0) return true;
    out += '.';
    key = key.substr(0, comma);
  }
}

}  // namespace

void append_key(const Url& url, std::string& out) {
  if (!url.is_web()) {
    out += kHostEnd;
    out += url.href();
    out += kOtherScheme;
    return;
  }
  append_host_key(out, url.host());
  out += kHostEnd;
  const std::string_view href = url.href();
  out += href.substr(static_cast<std::size_t>(url.host().end() - href.begin()));
  out += scheme_byte(url.scheme());
}

bool append_url_of_key(std::string_view key, std::string& out) {
  if (key.empty()) return false;
  const char last = key.back();
  key.remove_suffix(1);
  const std::size_t host_end = key.find(kHostEnd);
  if (host_end == std::string_view::npos) return false;
  const std::string_view rest = key.substr(host_end + 1);
  if (std::ranges::any_of(rest, [](char byte) { return byte < kFirstPathByte; })) return false;
  if (last == kOtherScheme) {
    const std::size_t colon = rest.find(':');
    out += rest;
    return host_end == 0 && colon != std::string_view::npos &&
           !is_web_scheme(rest.substr(0, colon));
  }
  if (last < 1 || last > static_cast<char>(std::size(kSchemeNames))) return false;
  if (!rest.starts_with('/') && !rest.starts_with(':')) return false;
  out += kSchemeNames[last - 1];
  out += "://";
  if (!append_host_of_key(out, key.substr(0, host_end))) return false;
  out += rest;
  return true;
}

std::optional<std::string> url_of_key(std::string_view key) {
  std::string url;
  if (!append_url_of_key(key, url)) return std::nullopt;
  return url;
}

KeyRange host_keys(std::string_view host) { return host_range(host, kAfterHostEnd); }

KeyRange domain_keys(std::string_view domain) { return host_range(domain, kAfterLabelEnd); }

KeyRange prefix_keys(const Url& url) {
  return beginning_with(key_prefix(url, url.path().size() + url.query().size()));
}

KeyRange directory_keys(const Url& url) {
  return beginning_with(key_prefix(url, url.path().rfind('/') + 1));
}

KeyRange spelling_keys(const Url& url) {
  KeyRange range;
  range.first = key_prefix(url, url.path().size() + url.query().size());
  range.end = range.first + kFirstPathByte;
  return range;
}

}  // namespace webstrata
