// SPDX-License-Identifier: Apache-2.0

// Tested by tests/url/dialect_test.cpp.

#include "webstrata/url/dialect.h"

#include <algorithm>

#include "webstrata/url/characters.h"
#include "webstrata/url/host.h"
#include "webstrata/url/key.h"
#include "webstrata/url/surt.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr DialectEntry kDialects[] = {
    {Dialect::Exact, "exact", "every spelling its own key"},
    {Dialect::Ia, "ia", "webarchive-commons: Heritrix, OpenWayback, the Internet Archive"},
    {Dialect::Pywb, "pywb", "the Python package surt: pywb and its relatives"},
    {Dialect::Cdxj, "cdxj", "the CDXJ 0.1.0 specification"},
    {Dialect::CommonCrawlHost, "commoncrawl-host", "Common Crawl's host graph"},
    {Dialect::CommonCrawlHost2025, "commoncrawl-host-2025",
     "Common Crawl's host graph before 2026, without www"},
};

std::string exact_key(std::string_view text) {
  Url url;
  std::string key;
  if (parse_url(text, url)) append_key(url, key);
  return key;
}

// Addresses are not host names: they are not reversed.
std::string cdxj_key(std::string_view text) {
  std::string rest(text);
  std::ranges::transform(rest, rest.begin(), to_lower);
  rest.resize(std::min(rest.find('#'), rest.size()));
  const std::size_t scheme_end = rest.find("://");
  if (scheme_end != std::string::npos) rest.erase(0, scheme_end + 3);

  const std::size_t authority_end = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = std::string_view(rest).substr(0, authority_end);
  const std::string_view host_and_port = authority.substr(authority.rfind('@') + 1);
  const bool is_bracketed = host_and_port.starts_with('[');
  const std::size_t colon = host_and_port.find(':', is_bracketed ? host_and_port.find(']') : 0);
  const std::string_view host = host_and_port.substr(0, colon);

  std::string key = is_ip_address(host) ? std::string(host) : reversed_host(host, ',');
  key += host_and_port.substr(host.size());
  key += ')';
  if (authority_end == rest.size() || rest[authority_end] != '/') key += '/';
  key += std::string_view(rest).substr(authority_end);
  return key;
}

std::string common_crawl_host(std::string_view text, bool strips_www) {
  Url url;
  if (!parse_url(text, url) || !url.is_web() || is_ip_address(url.host())) return {};
  std::string_view host = url.host();
  if (host.ends_with('.')) host.remove_suffix(1);
  if (!has_known_top_level(host)) return {};
  if (strips_www && host.starts_with("www.") && std::ranges::count(host, '.') >= 2) {
    host.remove_prefix(4);
  }
  return reversed_host(host, '.');
}

}  // namespace

std::span<const DialectEntry> dialects() { return kDialects; }

std::string_view to_string(Dialect dialect) {
  return kDialects[static_cast<std::size_t>(dialect)].name;
}

std::optional<Dialect> parse_dialect(std::string_view name) {
  const auto* found = std::ranges::find(kDialects, name, &DialectEntry::name);
  if (found == std::end(kDialects)) return std::nullopt;
  return found->dialect;
}

std::string fold(Dialect dialect, std::string_view url_text) {
  switch (dialect) {
    case Dialect::Exact:
      return exact_key(url_text);
    case Dialect::Ia:
      return surt_key(SurtFlavour::Ia, url_text);
    case Dialect::Pywb:
      return surt_key(SurtFlavour::Pywb, url_text);
    case Dialect::Cdxj:
      return cdxj_key(url_text);
    case Dialect::CommonCrawlHost:
      return common_crawl_host(url_text, false);
    case Dialect::CommonCrawlHost2025:
      return common_crawl_host(url_text, true);
  }
  return {};
}

}  // namespace webstrata
