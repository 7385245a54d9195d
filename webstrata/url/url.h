// SPDX-License-Identifier: Apache-2.0

// URLs as the WHATWG URL standard parses, normalises and resolves them, for crawling: the fragment
// is dropped, and so is userinfo (a secret; see had_userinfo()).
//
//   Url base, target;
//   parse_url("http://Example.org/a/b?c", base);
//   resolve_url(base, "../d#e", target);  // target.href() == "http://example.org/d"
//
// A Url that is filled again and again keeps its memory: resolving a link allocates nothing.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

// Where the parts of a normalised URL begin and end: with it the text need not be parsed again.
struct UrlShape {
  std::uint16_t scheme_end = 0;  // 0: nothing is known
  std::uint16_t host_end = 0;
  std::uint16_t path_start = 0;
  std::uint16_t query_start = 0;

  [[nodiscard]] bool is_known() const noexcept { return scheme_end != 0; }
  friend bool operator==(const UrlShape&, const UrlShape&) = default;
};

class Url {
 public:
  [[nodiscard]] std::string_view href() const noexcept { return href_; }
  // "https"; lower case, without the colon.
  [[nodiscard]] std::string_view scheme() const noexcept;
  // "example.org", "192.0.2.1", "[2001:db8::1]"; empty for other schemes.
  [[nodiscard]] std::string_view host() const noexcept;
  // "8080"; empty if it is the scheme's default.
  [[nodiscard]] std::string_view port() const noexcept;
  // "/a/b"; begins with a slash for http, https, ftp.
  [[nodiscard]] std::string_view path() const noexcept;
  // "?c" with its question mark; empty if there is none. A lone "?" is kept.
  [[nodiscard]] std::string_view query() const noexcept;
  // http, https or ftp: parsed and normalised. Others (mailto:, javascript:, file:, ...) are kept
  // verbatim, except that the scheme becomes lower case and bytes outside 0x21..0x7e are escaped:
  // every href is printable ASCII without spaces. Their path() is the part between the colon and
  // the query.
  [[nodiscard]] bool is_web() const noexcept { return is_web_; }
  // Whether the parsed text itself named a user; a base's userinfo is not inherited.
  [[nodiscard]] bool had_userinfo() const noexcept { return had_userinfo_; }
  [[nodiscard]] UrlShape shape() const noexcept;

 private:
  friend class UrlBuilder;  // url.cpp
  friend bool restore_url(std::string_view href, const UrlShape& shape, Url& url);
  std::string href_;
  std::uint32_t scheme_end_ = 0;  // position of the colon
  std::uint32_t host_start_ = 0;
  std::uint32_t host_end_ = 0;
  std::uint32_t path_start_ = 0;
  std::uint32_t query_start_ = 0;  // href_.size() if there is none
  bool is_web_ = false;
  bool had_userinfo_ = false;
};

// Longer URLs are rejected (readers drop and count them).
inline constexpr std::size_t kUrlBytesMax = 65535;  // positions in UrlShape have 16 bits

// Parses an absolute URL. False if parsing fails by the standard, if it is relative, or if the
// result is longer than kUrlBytesMax; `url` is then unspecified. Bytes that are not UTF-8 are
// percent-encoded byte by byte.
bool parse_url(std::string_view text, Url& url);

// Makes the Url again whose href() and shape() these are; without a shape it is parse_url(). The
// two must belong together.
bool restore_url(std::string_view href, const UrlShape& shape, Url& url);

// Parses `reference` against `base` (a web URL; against any other only absolute references parse).
// `url` may not be `base`.
bool resolve_url(const Url& base, std::string_view reference, Url& url);

}  // namespace webstrata
