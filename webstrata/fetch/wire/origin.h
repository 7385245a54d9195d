// SPDX-License-Identifier: Apache-2.0

// Names of origins: scheme, host and port, "http://www.example.org:8080". Success and failure
// belong to the origin; delays belong to the host.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/url/url.h"

namespace webstrata {

// "http://www.example.org:8080": the scope of one robots.txt.
std::string origin_of(const Url& url);

// Empty if the text is not a URL.
inline std::string origin_of_text(std::string_view text) {
  Url url;
  return parse_url(text, url) ? origin_of(url) : std::string();
}

inline bool is_origin(std::string_view name) noexcept {
  return name.find("://") != std::string_view::npos;
}

// "www.example.org" of "http://www.example.org:8080"; a host is its own.
inline std::string_view host_of_origin(std::string_view origin) noexcept {
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos) origin.remove_prefix(scheme + 3);
  const std::size_t bracket = origin.starts_with('[') ? origin.find(']') : std::string_view::npos;
  if (bracket != std::string_view::npos) return origin.substr(0, bracket + 1);
  return origin.substr(0, origin.find(':'));
}

}  // namespace webstrata
