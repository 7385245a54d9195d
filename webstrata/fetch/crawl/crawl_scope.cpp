// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/crawl_scope_test.cpp.

#include "webstrata/fetch/crawl/crawl_scope.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view what) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: not {}", text, what));
}

std::string normal_host(std::string_view text, std::string_view what) {
  Url url;
  if (!parse_url(fmt::format("http://{}/", text), url) || url.path() != "/" ||
      !url.port().empty() || url.had_userinfo()) {
    refuse(text, what);
  }
  return std::string(url.host());
}

// "org,example,www," as "www.example.org".
std::string host_of_labels(std::string_view labels) {
  std::string host;
  while (!labels.empty()) {
    const std::size_t comma = std::min(labels.find(','), labels.size());
    const std::string_view label = labels.substr(0, comma);
    host = host.empty() ? std::string(label) : fmt::format("{}.{}", label, host);
    labels.remove_prefix(std::min(comma + 1, labels.size()));
  }
  return host;
}

}  // namespace

void CrawlScope::add(KeyRange range) {
  for (const KeyRange& other : ranges_) {
    if (other.first <= range.first && range.end <= other.end) return;
  }
  std::erase_if(ranges_, [&](const KeyRange& other) {
    return range.first <= other.first && other.end <= range.end;
  });
  const auto at = std::ranges::lower_bound(ranges_, range.first, {}, &KeyRange::first);
  ranges_.insert(at, std::move(range));
}

void CrawlScope::add_host(std::string_view host) { add(host_keys(normal_host(host, "a host"))); }

void CrawlScope::add_domain(std::string_view domain) {
  add(domain_keys(normal_host(domain, "a domain")));
}

void CrawlScope::add_prefix(std::string_view text) {
  Url url;
  if (!parse_url(text, url) || !url.is_web()) {
    refuse(text, "a URL such as http://www.example.org/docs/");
  }
  add(prefix_keys(url));
}

void CrawlScope::add_surt(std::string_view surt) {
  constexpr std::string_view kWhat = "a SURT such as http://(org,example,www,)/docs";
  std::string_view rest = surt;
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) {
    rest.remove_prefix(scheme + 3);
  }
  if (rest.starts_with('(')) rest.remove_prefix(1);
  const std::size_t end = rest.find(')');
  const std::string host =
      normal_host(host_of_labels(rest.substr(0, std::min(end, rest.size()))), kWhat);
  if (end == std::string_view::npos) {
    add(domain_keys(host));
    return;
  }
  const std::string_view path = rest.substr(end + 1);
  if (path.empty()) {
    add(host_keys(host));
    return;
  }
  Url url;
  if (path.front() != '/' || !parse_url(fmt::format("http://{}{}", host, path), url)) {
    refuse(surt, kWhat);
  }
  add(prefix_keys(url));
}

bool CrawlScope::has(const Url& url) const {
  if (ranges_.empty()) return true;
  thread_local std::string key;
  key.clear();
  append_key(url, key);
  const auto after = std::ranges::upper_bound(ranges_, key, {}, &KeyRange::first);
  return after != ranges_.begin() && std::prev(after)->contains(key);
}

}  // namespace webstrata
