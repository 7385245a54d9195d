// SPDX-License-Identifier: Apache-2.0

// The Internet Archive's canonicalisation, step by step in the order in which it has always run:
// decode all escapes, however deep; clean up host and path; escape once; lower the case; strip what
// varies (www, sessions, a final slash); sort the query; reverse the host. It goes back to the
// rules of Google's Safe Browsing list. The Java library webarchive-commons (Apache-2.0) defines
// the flavour Ia; the flavour Pywb is the output of the PyPI package `surt`, learned only by
// running it. Tested by tests/url/dialect_test.cpp and tests/url/surt_blackbox_test.py.

#include "webstrata/url/surt.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "webstrata/base/utf8.h"
#include "webstrata/url/characters.h"
#include "webstrata/url/idna.h"
#include "webstrata/url/ipv4.h"
#include "webstrata/url/percent.h"
#include "webstrata/url/session_id.h"

namespace webstrata {
namespace {

struct Parts {
  std::string scheme;
  std::string host;  // empty: an opaque URL such as mailto:a@b (Pywb only)
  std::string port;  // digits; empty if none was given
  std::string path;
  std::optional<std::string> query;
};

// ---- escapes

// A run of escapes is decoded as far as it is UTF-8; other bytes keep their escapes. "%252525..."
// is decoded to its end at once, so that no text needs more than a few passes.
std::string unescaped(std::string_view text) {
  std::string result;
  std::string run;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t run_start = i;
    run.clear();
    while (percent_value(text, i) >= 0) {
      run += static_cast<char>(percent_value(text, i));
      i += 3;
    }
    for (std::size_t k = 0; k < run.size();) {
      const std::size_t length = utf8_length(std::string_view(run).substr(k));
      if (length > 0) result += std::string_view(run).substr(k, length);
      if (length == 0) result += text.substr(run_start + 3 * k, 3);
      k += std::max<std::size_t>(length, 1);
    }
    if (run.ends_with('%')) {
      while (text.substr(i).starts_with("25")) i += 2;
    }
    if (i < text.size()) result += text[i++];
  }
  return result;
}

std::string unescaped_fully(std::string_view text) {
  std::string result(text);
  for (;;) {
    std::string next = unescaped(result);
    if (next == result) return result;
    result = std::move(next);
  }
}

// Escapes controls, spaces, '#', '%' and what is not ASCII; the remaining escapes are bytes outside
// UTF-8 and stay. Only Pywb counts DEL as a control.
std::string escaped_once(SurtFlavour flavour, std::string_view text) {
  const unsigned first_beyond = flavour == SurtFlavour::Pywb ? 0x7f : 0x80;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const int value = percent_value(text, i);
    if (value >= 0) {
      append_percent(result, static_cast<char>(value));
      i += 2;
    } else if (byte <= 0x20 || byte >= first_beyond || byte == '#' || byte == '%') {
      append_percent(result, text[i]);
    } else {
      result += text[i];
    }
  }
  return result;
}

// ---- host

// "..a...b." as "a.b".
std::string with_single_dots(std::string_view host) {
  std::string result;
  for (const char character : host) {
    if (character == '.' && (result.empty() || result.back() == '.')) continue;
    result += character;
  }
  if (result.ends_with('.')) result.pop_back();
  return result;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::uint64_t> parse_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Four numbers are octal if the first begins with a zero.
std::optional<std::uint32_t> four_part_address(std::string_view host) {
  const auto parts = split(host, '.');
  const bool is_octal = host[0] == '0';
  if (parts.size() != 4) return std::nullopt;
  std::uint32_t address = 0;
  for (const std::string_view part : parts) {
    const auto number = parse_number(part, is_octal ? 8 : 10);
    if (!number || *number > 255) return std::nullopt;
    address = address << 8 | static_cast<std::uint32_t>(*number);
  }
  return address;
}

// A single number is all 32 bits. Where the first of several begins with a zero, none may contain
// an 8 or 9; beyond that Pywb reads what the C library reads, also of two or three.
std::optional<std::uint32_t> as_address(SurtFlavour flavour, std::string_view host) {
  if (host.empty() || host.find_first_not_of("0123456789.") != std::string_view::npos) {
    return std::nullopt;
  }
  if (host.find('.') == std::string_view::npos) {
    const auto number = parse_number(host, 10);
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  }
  if (host[0] == '0' && host.find_first_of("89") != std::string_view::npos) return std::nullopt;
  return flavour == SurtFlavour::Pywb ? parse_ipv4(host) : four_part_address(host);
}

// Removes "www.", "www2." ... from the front.
bool take_www(std::string& host) {
  if (!host.starts_with("www")) return false;
  const std::size_t end = host.find_first_not_of("0123456789", 3);
  if (end == std::string::npos || host[end] != '.') return false;
  host.erase(0, end + 1);
  return true;
}

std::string canonical_host(SurtFlavour flavour, std::string_view text) {
  const std::string raw = unescaped_fully(text);
  std::string host;
  if (!append_domain_to_ascii_2003(host, raw)) host = raw;
  host = with_single_dots(host);
  if (const auto address = as_address(flavour, host)) {
    host.clear();
    append_ipv4(host, *address);
    return host;
  }
  host = lower(escaped_once(flavour, host));
  while (take_www(host) && flavour == SurtFlavour::Ia) {
  }
  return host;
}

// ---- path and query

std::string tidy_path(std::string_view path) {
  std::vector<std::string_view> kept;
  bool is_first = true;
  for (const std::string_view segment : split(path, '/')) {
    const bool is_climb = segment == ".." && !kept.empty();
    if (!is_first && is_climb) kept.pop_back();
    if (!is_first && segment != "." && !is_climb) kept.push_back(segment);
    is_first = false;
  }
  std::string result = "/";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    result += kept[i];
    if (i + 1 < kept.size() && !kept[i].empty()) result += '/';
  }
  return result;
}

// Paths of opaque URLs keep their dots and double slashes.
std::string canonical_path(SurtFlavour flavour, std::string_view text, bool is_opaque) {
  const std::string raw = unescaped_fully(text);
  std::string path = lower(escaped_once(flavour, is_opaque ? raw : tidy_path(raw)));
  strip_path_session(path);
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// By name, then by value; a name without '=' comes before the same name with an empty value.
std::string sorted_query(std::string_view query) {
  auto parameters = split(query, '&');
  const auto order = [](std::string_view parameter) {
    const std::size_t equals = parameter.find('=');
    const std::string_view name = parameter.substr(0, equals);
    const bool has_value = equals != std::string_view::npos;
    return std::tuple(name, has_value, has_value ? parameter.substr(equals + 1) : "");
  };
  std::ranges::stable_sort(parameters, {}, order);
  std::string result;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) result += '&';
    result += parameters[i];
  }
  return result;
}

std::string canonical_query(SurtFlavour flavour, std::string_view text) {
  std::string query = escaped_once(flavour, unescaped_fully(text));
  strip_query_session(query);
  return sorted_query(lower(query));
}

// ---- reading the text

std::string_view trimmed(std::string_view text, std::string_view outer) {
  const std::size_t first = text.find_first_not_of(outer);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(outer) - first + 1);
}

constexpr std::string_view kPythonSpace = " \t\n\r\x0b\x0c";
constexpr std::string_view kControlsAndSpace(
    "\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18"
    "\x19\x1a\x1b\x1c\x1d\x1e\x1f ",
    33);
constexpr std::string_view kLineBreaks[] = {"\t",       "\n",           "\r",
                                            "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

// Trims both ends and removes tabs and line breaks inside; the three beyond ASCII (U+0085, U+2028,
// U+2029) only for Ia.
std::string without_stray_space(SurtFlavour flavour, std::string_view text) {
  const bool is_ia = flavour == SurtFlavour::Ia;
  text = trimmed(text, is_ia ? kControlsAndSpace : kPythonSpace);
  const std::span breaks(kLineBreaks, is_ia ? 6 : 3);
  std::string result;
  while (!text.empty()) {
    const auto found =
        std::ranges::find_if(breaks, [&](auto each) { return text.starts_with(each); });
    if (found == breaks.end()) result += text.front();
    text.remove_prefix(found == breaks.end() ? 1 : found->size());
  }
  return result;
}

// Ia knows six schemes, always with "://", and gives every other text the scheme http.
void add_scheme_ia(std::string& text) {
  constexpr std::string_view kKnown[] = {"http", "https", "ftp", "mms", "rtsp", "wais"};
  const std::size_t colon = std::min(text.find("://"), text.size());
  const std::string scheme = lower(std::string_view(text).substr(0, colon));
  if (std::ranges::find(kKnown, scheme) == std::end(kKnown)) text.insert(0, "http://");
}

// Pywb accepts anything that looks like a scheme.
void add_scheme_pywb(std::string& text) {
  const auto tail =
      std::ranges::find_if(text, [](char c) { return (classes_of(c) & kSchemeTail) == 0; });
  const bool has_scheme = tail != text.end() && *tail == ':' && is_letter(text[0]);
  if (!has_scheme) text.insert(0, "http://");
}

std::size_t http_scheme_length(std::string_view text) {
  if (text.starts_with("http:")) return 5;
  return text.starts_with("https:") ? 6 : 0;
}

// "http://http://example.org/", a common mistake, loses everything before the last scheme.
void drop_doubled_scheme(std::string& text) {
  const auto http_start_length = [&](std::size_t at) -> std::size_t {
    const std::size_t length = http_scheme_length(std::string_view(text).substr(at));
    return length > 0 && text.compare(at + length, 2, "//") == 0 ? length + 2 : 0;
  };
  std::size_t start = 0;
  for (std::size_t length = http_start_length(0);
       length > 0 && http_start_length(start + length) > 0; length = http_start_length(start)) {
    start += length;
  }
  text.erase(0, start);
}

// After "http:" and "https:" in lower case there are two slashes, however many were written; Ia
// only removes some. True if anything was changed.
bool mend_slashes(SurtFlavour flavour, std::string& text) {
  const std::size_t scheme = http_scheme_length(text);
  if (scheme == 0) return false;
  const std::size_t count = std::min(text.find_first_not_of('/', scheme), text.size()) - scheme;
  if (count == 2 || (count < 2 && flavour == SurtFlavour::Ia)) return false;
  text.replace(scheme, count, "//");
  return true;
}

// Host and port of "user@host:port". False if the port is not a number.
bool split_authority(SurtFlavour flavour, std::string_view authority, Parts& parts) {
  const std::size_t at = flavour == SurtFlavour::Ia ? authority.find('@') : authority.rfind('@');
  if (at != std::string_view::npos) authority.remove_prefix(at + 1);
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  parts.host = authority.substr(0, colon);
  if (parts.host.starts_with('[') && parts.host.ends_with(']')) {
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  }
  if (colon == std::string_view::npos || colon + 1 == authority.size()) return true;
  const auto port = parse_number(authority.substr(colon + 1), 10);
  if (!port || *port > 65535) return false;
  const std::string scheme = lower(parts.scheme);
  const bool is_dropped = (scheme == "http" && *port == 80) ||
                          (scheme == "https" && *port == 443) ||
                          (flavour == SurtFlavour::Pywb && *port == 0);
  if (!is_dropped) parts.port = std::to_string(*port);
  return true;
}

// Splits scheme:[//authority][/path][?query][#fragment]. If `is_whole_host` the authority is the
// host, whatever it looks like.
std::optional<Parts> split_url(SurtFlavour flavour, std::string_view text, bool is_whole_host) {
  Parts parts;
  const std::size_t colon = text.find(':');
  parts.scheme = text.substr(0, colon);
  text = text.substr(colon + 1);
  text = text.substr(0, text.find('#'));
  const std::size_t question_mark = text.find('?');
  if (question_mark != std::string_view::npos) parts.query = text.substr(question_mark + 1);
  text = text.substr(0, question_mark);
  if (text.starts_with("//")) {
    text.remove_prefix(2);
    const std::size_t slash = std::min(text.find('/'), text.size());
    if (is_whole_host) {
      parts.host = text.substr(0, slash);
    } else if (!split_authority(flavour, text.substr(0, slash), parts)) {
      return std::nullopt;
    }
    text.remove_prefix(slash);
  }
  parts.path = text;
  return parts;
}

// ---- the whole

std::string key_of(SurtFlavour flavour, const Parts& parts) {
  const std::string host = canonical_host(flavour, parts.host);
  const bool is_opaque = host.empty() && flavour == SurtFlavour::Pywb;
  std::string key = is_opaque ? parts.scheme + ":" : reversed_host(host, ',');
  if (!is_opaque && !parts.port.empty()) key += ":" + parts.port;
  if (!is_opaque) key += ')';
  const std::string path = canonical_path(flavour, parts.path, is_opaque);
  const std::string query = parts.query ? canonical_query(flavour, *parts.query) : "";
  key += path.empty() && !query.empty() ? "/" : path;
  if (!query.empty()) key += "?" + query;
  return key;
}

// Texts that are not web addresses have special keys.
std::optional<std::string> special_key(SurtFlavour flavour, std::string_view text) {
  if (text.empty()) return "-";
  if (text.starts_with("filedesc")) return std::string(text);
  if (flavour == SurtFlavour::Pywb) {
    return text.starts_with("warcinfo:") ? std::optional(std::string(text)) : std::nullopt;
  }
  if (text.starts_with("warcinfo")) return std::string(text);
  if (!text.starts_with("dns:")) return std::nullopt;
  return reversed_host(text.substr(4), ',') + ")";
}

}  // namespace

std::string reversed_host(std::string_view host, char separator) {
  std::string result;
  auto labels = split(host, '.');
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    if (label != labels.rbegin()) result += separator;
    result += *label;
  }
  return result;
}

std::string surt_key(SurtFlavour flavour, std::string_view url_text) {
  if (const auto special = special_key(flavour, url_text)) return *special;
  std::string text = without_stray_space(flavour, url_text);
  if (flavour == SurtFlavour::Ia) {
    add_scheme_ia(text);
  } else {
    add_scheme_pywb(text);
    drop_doubled_scheme(text);
  }
  // Where Pywb repairs slashes it no longer looks for a user or a port.
  const bool is_whole_host = mend_slashes(flavour, text) && flavour == SurtFlavour::Pywb;
  const auto parts = split_url(flavour, text, is_whole_host);
  return parts ? key_of(flavour, *parts) : std::string(url_text);
}

}  // namespace webstrata
