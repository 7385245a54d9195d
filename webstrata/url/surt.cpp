// The Internet Archive's canonicalisation, step by step in the order in which it has always run:
// undo all escapes, however deep; tidy host and path; escape once; lower the case; strip what
// varies (www, sessions, a final slash); sort the query; reverse the host. It goes back to the
// rules of Google's Safe Browsing list. The Java library webarchive-commons (Apache-2.0) defines
// the flavour Ia; the flavour Pywb is what the PyPI package `surt` answers, learned by asking it
// only. Tested by tests/url/dialect_test.cpp and tests/url/surt_blackbox_test.py.

#include "webstrata/url/surt.h"

#include <algorithm>
#include <charconv>
#include <optional>
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
  std::string host;
  std::string port;  // digits; empty if none was given
  std::string path;
  std::optional<std::string> query;
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), to_lower);
  return result;
}

// ---- escapes

// A run of escapes is undone as far as it is UTF-8; other bytes keep their escapes.
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

// Escapes controls, spaces, '#', '%' and what is not ASCII; escapes that are left stand for bytes
// outside UTF-8 and stay.
std::string escaped_once(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const int value = percent_value(text, i);
    if (value >= 0) {
      append_percent(result, static_cast<char>(value));
      i += 2;
    } else if (byte <= 0x20 || byte >= 0x80 || byte == '#' || byte == '%') {
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

// One number is all 32 bits; four are octal if the first begins with a zero and all can be.
std::optional<std::string> as_address(std::string_view host) {
  const auto parts = split(host, '.');
  if (parts.size() != 1 && parts.size() != 4) return std::nullopt;
  const bool is_octal =
      parts.size() == 4 && host[0] == '0' && host.find_first_of("89") == std::string_view::npos;
  if (parts.size() == 4 && host[0] == '0' && !is_octal) return std::nullopt;
  std::uint64_t address = 0;
  for (const std::string_view part : parts) {
    const auto number = parse_number(part, is_octal ? 8 : 10);
    if (!number || (parts.size() == 4 && *number > 255)) return std::nullopt;
    address = address << 8 | *number;
  }
  std::string result;
  append_ipv4(result, static_cast<std::uint32_t>(address));
  return result;
}

// Takes "www.", "www2." ... off the front.
bool take_www(std::string& host) {
  if (!host.starts_with("www")) return false;
  const std::size_t end = host.find_first_not_of("0123456789", 3);
  if (end == std::string::npos || host[end] != '.') return false;
  host.erase(0, end + 1);
  return true;
}

std::string canonical_host(SurtFlavour flavour, std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) return lower(text.substr(1, text.size() - 2));
  const std::string raw = unescaped_fully(text);
  std::string host;
  if (!append_domain_to_ascii_2003(host, raw)) host = raw;
  host = with_single_dots(host);
  if (const auto address = as_address(host)) return *address;
  host = lower(escaped_once(lower(host)));
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

std::string canonical_path(std::string_view text) {
  std::string path = lower(escaped_once(tidy_path(unescaped_fully(text))));
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
  for (const std::string_view parameter : parameters) {
    if (&parameter != &parameters.front()) result += '&';
    result += parameter;
  }
  return result;
}

std::string canonical_query(std::string_view text) {
  std::string query = escaped_once(unescaped_fully(text));
  strip_query_session(query);
  return sorted_query(lower(query));
}

// ---- the whole

// Trims controls and spaces, and removes line breaks and tabs wherever they stand; three of them
// are not ASCII (U+0085, U+2028, U+2029).
std::string without_stray_space(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  constexpr std::string_view kStray[] = {"\t",       "\n",           "\r",
                                         "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
  std::string result;
  while (!text.empty()) {
    const auto* stray =
        std::ranges::find_if(kStray, [&](auto each) { return text.starts_with(each); });
    if (stray == std::end(kStray)) result += text.front();
    text.remove_prefix(stray == std::end(kStray) ? 1 : stray->size());
  }
  return result;
}

constexpr std::string_view kArchivedSchemes[] = {"http", "https", "ftp", "mms", "rtsp", "wais"};

// Length of "http" in "http://...", 0 if none of the schemes that archives know stands there.
std::size_t archived_scheme_length(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return 0;
  const std::string scheme = lower(text.substr(0, colon));
  return std::ranges::find(kArchivedSchemes, scheme) == std::end(kArchivedSchemes) ? 0 : colon;
}

// Splits scheme://authority/path?query#fragment. Nothing if the port is not a number.
std::optional<Parts> split_url(std::string_view text) {
  Parts parts;
  const std::size_t scheme_size = archived_scheme_length(text);
  parts.scheme = lower(text.substr(0, scheme_size));
  text.remove_prefix(scheme_size + 3);
  if (parts.scheme.starts_with("http")) {
    text.remove_prefix(std::min(text.find_first_not_of('/'), text.size()));
  }
  text = text.substr(0, text.find('#'));
  const std::size_t question_mark = text.find('?');
  if (question_mark != std::string_view::npos) parts.query = text.substr(question_mark + 1);
  text = text.substr(0, question_mark);
  const std::size_t slash = std::min(text.find('/'), text.size());
  parts.path = text.substr(slash);

  std::string_view authority = text.substr(0, slash);
  const std::size_t at = authority.find('@');
  if (at != std::string_view::npos) authority.remove_prefix(at + 1);
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  parts.host = authority.substr(0, colon);
  if (colon == std::string_view::npos || colon + 1 == authority.size()) return parts;
  const auto port = parse_number(authority.substr(colon + 1), 10);
  if (!port) return std::nullopt;
  const bool is_default =
      (parts.scheme == "http" && *port == 80) || (parts.scheme == "https" && *port == 443);
  if (!is_default) parts.port = std::to_string(*port);
  return parts;
}

std::string key_of(SurtFlavour flavour, const Parts& parts) {
  const std::string host = canonical_host(flavour, parts.host);
  std::string key = reversed_host(host, ',');
  if (!parts.port.empty()) key += ":" + parts.port;
  key += ')';
  key += canonical_path(parts.path);
  const std::string query = parts.query ? canonical_query(*parts.query) : "";
  if (!query.empty()) key += "?" + query;
  return key;
}

// Texts that are no web addresses have keys of their own.
std::optional<std::string> special_key(SurtFlavour flavour, std::string_view text) {
  if (text.empty()) return "-";
  if (text.starts_with("filedesc") || text.starts_with("warcinfo")) return std::string(text);
  if (!text.starts_with("dns:")) return std::nullopt;
  if (flavour == SurtFlavour::Pywb) return std::string(text);
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
  std::string text = without_stray_space(url_text);
  if (archived_scheme_length(text) == 0) text.insert(0, "http://");
  const auto parts = split_url(text);
  return parts ? key_of(flavour, *parts) : std::string(url_text);
}

}  // namespace webstrata
