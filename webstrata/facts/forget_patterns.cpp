// SPDX-License-Identifier: Apache-2.0

// Folding works on keys, not on URLs: the host is already reversed and the scheme is the last byte,
// so that spellings with another scheme or with www. differ at known places. A prefix is folded
// with care at its end, because it may continue inside a segment.
// Tested by tests/facts/forget_test.cpp.

#include "webstrata/facts/forget_patterns.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/url/key.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

bool is_unreserved(char byte) noexcept {
  return is_letter_or_digit(byte) || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

// In lower case, with needless escapes decoded.
void append_folded(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char byte = text[i];
    if (byte == '%') {
      const int value = percent_value(text, i);
      if (value >= 0 && is_unreserved(static_cast<char>(value))) {
        byte = static_cast<char>(value);
        i += 2;
      }
    }
    out.push_back(to_lower(byte));
  }
}

void append_folded_host(std::string& out, std::string_view host) {
  if (host.starts_with(',')) host.remove_prefix(1);
  constexpr std::string_view kWww = ",www";
  if (host.ends_with(kWww) && host.find(',') != host.size() - kWww.size()) {
    host.remove_suffix(kWww.size());
  }
  out += host;
}

// `key` without its last byte. Only whole keys are known to end; a prefix may continue.
void fold(std::string_view key, bool is_whole, std::string& out) {
  out.clear();
  const std::size_t host_end = key.find(')');
  if (host_end == 0 || host_end == std::string_view::npos) {  // another scheme
    append_folded(out, key);
    return;
  }
  append_folded_host(out, key.substr(0, host_end));
  std::string_view path = key.substr(host_end);
  const std::size_t query_start = std::min(path.find('?'), path.size());
  const std::string_view query = path.substr(query_start);
  path = path.substr(0, query_start);
  append_folded(out, path);
  if (is_whole || !query.empty() || out.ends_with('/')) {
    while (out.ends_with('/')) out.pop_back();
    out.push_back('/');
  }
  append_folded(out, query);
}

std::string key_of(const Url& url) {
  std::string key;
  append_key(url, key);
  return key;
}

std::vector<Pattern> url_patterns(const Forget& forget) {
  const std::string key = key_of(url_to_forget(forget));
  if (forget.exactly) return {{PatternKind::ExactUrl, key}};
  Pattern pattern{PatternKind::Url, {}};
  fold_key(key, pattern.bytes);
  pattern.bytes.resize(without_lone_mark(pattern.bytes).size());
  return {pattern};
}

std::vector<Pattern> prefix_patterns(const Forget& forget) {
  std::string key = key_of(url_to_forget(forget));
  const char scheme = key.back();
  key.pop_back();
  if (forget.exactly) return {{PatternKind::ExactPrefix, scheme + key}};
  Pattern pattern{PatternKind::Prefix, {}};
  fold(key, false, pattern.bytes);
  return {pattern};
}

std::vector<Pattern> host_patterns(const Forget& forget) {
  std::string host = host_keys(host_to_forget(forget)).first;
  host.pop_back();
  if (host.starts_with(',')) host.erase(0, 1);
  if (forget.exactly) return {{PatternKind::Host, host}};
  std::vector<Pattern> patterns = {{PatternKind::Domain, host}};
  std::string bare;
  append_folded_host(bare, host);
  if (bare != host) patterns.push_back({PatternKind::Host, bare});
  return patterns;
}

void add_once(std::vector<std::size_t>& sizes, std::size_t size) {
  if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
}

// "example.org:8080/a" is not the scheme "example.org".
bool is_host_with_port(const Url& url) {
  const std::string_view path = url.path();
  return !url.is_web() && !path.empty() && path[0] >= '0' && path[0] <= '9';
}

}  // namespace

Url url_to_forget(const Forget& forget) {
  Url url;
  if (parse_url(forget.text, url) && !is_host_with_port(url)) return url;
  const bool has_scheme = forget.text.find("://") != std::string::npos;
  if (!has_scheme && parse_url("http://" + forget.text, url)) return url;
  throw Error(ErrorKind::BadInput, fmt::format("{}: not a URL", forget.text));
}

std::string host_to_forget(const Forget& forget) {
  const Url url = url_to_forget(forget);
  const bool is_host = url.is_web() && url.port().empty() && url.path() == "/" &&
                       url.query().empty() && !url.had_userinfo();
  if (!is_host) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: not the name of a host, such as example.org", forget.text));
  }
  return std::string(url.host());
}

std::vector<Pattern> patterns_of(const Forget& forget) {
  switch (forget.scope) {
    case ForgetScope::Url:
      return url_patterns(forget);
    case ForgetScope::Prefix:
      return prefix_patterns(forget);
    case ForgetScope::Host:
      return host_patterns(forget);
  }
  return {};
}

void fold_key(std::string_view key, std::string& out) {
  fold(key.substr(0, key.size() - 1), true, out);
}

void PatternCensus::add(PatternKind kind, std::size_t size) {
  kinds_ |= 1U << static_cast<unsigned>(kind);
  if (kind == PatternKind::Prefix) add_once(prefix_sizes_, size);
  if (kind == PatternKind::ExactPrefix) add_once(exact_prefix_sizes_, size);
}

}  // namespace webstrata
