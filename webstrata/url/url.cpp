// SPDX-License-Identifier: Apache-2.0

// The URL standard describes its parser as a machine of twenty states that reads one character at a
// time. For three web schemes, without fragments and userinfo, the same language is much simpler,
// and is parsed here top down:
//
//   text       trim, drop tabs and newlines, cut the fragment
//   scheme     none: relative to the base; http, https, ftp: an authority, or relative to a base of
//              the same scheme ("http:foo"); any other: kept as it is
//   authority  userinfo@host:port, up to the first slash, backslash or question mark
//   path       segments one by one (path.cpp)
//   query      the rest
//
// One scan classifies all bytes of the text; when none needs an escape, the pieces are copied
// whole. https://url.spec.whatwg.org/ as of 2025 (which percent-encodes ^ in paths, as browsers
// do). Tested by tests/url/url_test.cpp and, against Node, by tests/url/node_truth_test.py.

#include "webstrata/url/url.h"

#include <algorithm>
#include <cassert>

#include "webstrata/url/characters.h"
#include "webstrata/url/host_parser.h"
#include "webstrata/url/path.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

// Longer texts are rejected unread: dots and userinfo never shrink a real link that much.
constexpr std::size_t kTextBytesMax = 16 * kUrlBytesMax;

struct WebScheme {
  std::string_view name;
  unsigned default_port = 0;
};
constexpr WebScheme kWebSchemes[] = {{"http", 80}, {"https", 443}, {"ftp", 21}};

// Null if `name`, of any case, is not a web scheme.
const WebScheme* find_web_scheme(std::string_view name) noexcept {
  for (const WebScheme& scheme : kWebSchemes) {
    if (name.size() == scheme.name.size() && std::ranges::equal(name, scheme.name, {}, to_lower)) {
      return &scheme;
    }
  }
  return nullptr;
}

// Controls and spaces at both ends are ignored.
std::string_view trimmed(std::string_view text) noexcept {
  const auto is_outer = [](char character) { return static_cast<unsigned char>(character) <= ' '; };
  while (!text.empty() && is_outer(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_outer(text.back())) text.remove_suffix(1);
  return text;
}

// Bytes before the colon of "scheme:"; 0 if the text has no scheme.
std::size_t scheme_length(std::string_view text) noexcept {
  if (text.empty() || !is_letter(text[0])) return 0;
  std::size_t length = 1;
  while (length < text.size() && (classes_of(text[length]) & kSchemeTail) != 0) ++length;
  return length < text.size() && text[length] == ':' ? length : 0;
}

std::string_view without_slashes(std::string_view text) noexcept {
  while (!text.empty() && (classes_of(text[0]) & kSlash) != 0) text.remove_prefix(1);
  return text;
}

std::size_t authority_length(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && (classes_of(text[length]) & kAuthorityEnd) == 0) ++length;
  return length;
}

// Where the authority of "http://..." and "https://..." begins; 0 for other texts.
std::size_t usual_authority_start(std::string_view text) noexcept {
  if (text.starts_with("http://")) return 7;
  return text.starts_with("https://") ? 8 : 0;
}

// The colon before the port; one inside brackets belongs to an address.
std::size_t find_port_colon(std::string_view authority) noexcept {
  const std::size_t bracket = authority.find('[');
  if (bracket == std::string_view::npos) return authority.find(':');
  const std::size_t colon = authority.find(':');
  if (colon < bracket) return colon;
  const std::size_t closing = authority.find(']', bracket);
  return closing == std::string_view::npos ? closing : authority.find(':', closing);
}

}  // namespace

std::string_view Url::scheme() const noexcept {
  return std::string_view(href_).substr(0, scheme_end_);
}
std::string_view Url::host() const noexcept {
  return std::string_view(href_).substr(host_start_, host_end_ - host_start_);
}
std::string_view Url::port() const noexcept {
  if (host_end_ == path_start_) return {};
  return std::string_view(href_).substr(host_end_ + 1, path_start_ - host_end_ - 1);
}
std::string_view Url::path() const noexcept {
  return std::string_view(href_).substr(path_start_, query_start_ - path_start_);
}
std::string_view Url::query() const noexcept {
  return std::string_view(href_).substr(query_start_);
}

UrlShape Url::shape() const noexcept {
  return {static_cast<std::uint16_t>(scheme_end_), static_cast<std::uint16_t>(host_end_),
          static_cast<std::uint16_t>(path_start_), static_cast<std::uint16_t>(query_start_)};
}

// Assembles one Url. Each step appends to the href and records where its part begins.
class UrlBuilder {
 public:
  // `base` is null for absolute texts.
  UrlBuilder(const Url* base, Url& url) : base_(base), url_(url), href_(url.href_) {}

  bool build(std::string_view text) {
    text = trimmed(text);
    text = text.substr(0, text.find('#'));
    if (text.size() > kTextBytesMax) return false;
    classes_ = classes_in(text);
    if ((classes_ & kStripped) != 0) return build_without_stripped(text);
    return build_scheme(text);
  }

 private:
  bool build_without_stripped(std::string_view text) {
    std::string clean;
    std::ranges::copy_if(text, std::back_inserter(clean),
                         [](char character) { return (classes_of(character) & kStripped) == 0; });
    return build_scheme(clean);
  }

  bool build_scheme(std::string_view text) {
    url_.had_userinfo_ = false;
    const bool has_web_base = base_ != nullptr && base_->is_web();
    if (is_copied_whole(text)) return is_short_enough();
    const std::size_t length = scheme_length(text);
    if (length == 0) return has_web_base && build_relative(text);

    const WebScheme* scheme = find_web_scheme(text.substr(0, length));
    if (scheme == nullptr) return build_other(text, length);
    text.remove_prefix(length + 1);
    if (has_web_base && base_->scheme() == scheme->name && !text.starts_with("//")) {
      return build_relative(text);
    }
    return build_authority(*scheme, without_slashes(text));
  }

  // Most absolute links are already normal: plain name, no port, nothing to encode, no dots.
  bool is_copied_whole(std::string_view text) {
    const std::size_t start = usual_authority_start(text);
    if (start == 0 || (classes_ & (kPathEncoded | kQueryEncoded | kBackslash)) != 0) return false;
    const std::string_view host = text.substr(start, authority_length(text.substr(start)));
    const std::size_t end = start + host.size();
    if (end == text.size() || text[end] != '/' ||
        (classes_in(host) & (kHostUnusual | kUpper)) != 0 || !is_plain_name(host)) {
      return false;
    }
    const std::size_t query = std::min(text.find('?', end), text.size());
    if (may_hold_dot_segment(text.substr(end + 1, query - end - 1))) return false;
    href_.assign(text);
    url_.is_web_ = true;
    url_.scheme_end_ = static_cast<std::uint32_t>(start - 3);
    url_.host_start_ = static_cast<std::uint32_t>(start);
    url_.host_end_ = url_.path_start_ = static_cast<std::uint32_t>(end);
    url_.query_start_ = static_cast<std::uint32_t>(query);
    return true;
  }

  bool build_relative(std::string_view text) {
    if (text.empty()) return keep_base(base_->href_.size());
    if (text[0] == '?') return keep_base(base_->query_start_) && build_query(text);
    if ((classes_of(text[0]) & kSlash) == 0) {
      return keep_base(base_->path_start_ + base_->path().rfind('/') + 1) && build_path(text);
    }
    if (text.size() > 1 && (classes_of(text[1]) & kSlash) != 0) {
      return build_authority(*find_web_scheme(base_->scheme()), without_slashes(text));
    }
    return keep_base(base_->path_start_ + 1) && build_path(text.substr(1));
  }

  // Begins with the first `size` bytes of the base; always true.
  bool keep_base(std::size_t size) {
    href_.assign(base_->href_, 0, size);
    url_.scheme_end_ = base_->scheme_end_;
    url_.host_start_ = base_->host_start_;
    url_.host_end_ = base_->host_end_;
    url_.path_start_ = base_->path_start_;
    url_.query_start_ = std::min(base_->query_start_, static_cast<std::uint32_t>(size));
    url_.is_web_ = true;
    return true;
  }

  bool build_authority(const WebScheme& scheme, std::string_view text) {
    std::string_view authority = text.substr(0, authority_length(text));
    text.remove_prefix(authority.size());
    const std::size_t at = authority.rfind('@');
    if (at != std::string_view::npos) {
      url_.had_userinfo_ = at > 0;
      authority.remove_prefix(at + 1);
    }
    href_.assign(scheme.name);
    href_ += "://";
    url_.is_web_ = true;
    url_.scheme_end_ = static_cast<std::uint32_t>(scheme.name.size());
    url_.host_start_ = position();
    const std::size_t colon = find_port_colon(authority);
    if (!build_host(authority.substr(0, colon))) return false;
    url_.host_end_ = position();
    if (colon != std::string_view::npos &&
        !build_port(authority.substr(colon + 1), scheme.default_port)) {
      return false;
    }
    url_.path_start_ = position();
    href_ += '/';
    if (!text.empty() && (classes_of(text[0]) & kSlash) != 0) text.remove_prefix(1);
    return build_path(text);
  }

  // The host of the base is already in its normal form.
  bool build_host(std::string_view text) {
    if (base_ == nullptr || !base_->is_web() || text != base_->host()) {
      return append_host(href_, text);
    }
    href_ += text;
    return true;
  }

  bool build_port(std::string_view digits, unsigned default_port) {
    unsigned port = 0;
    for (const char digit : digits) {
      if (!is_digit(digit)) return false;
      port = port * 10 + static_cast<unsigned>(digit - '0');
      if (port > 65535) return false;
    }
    if (digits.empty() || port == default_port) return true;
    href_ += ':';
    href_ += std::to_string(port);
    return true;
  }

  bool build_path(std::string_view text) {
    const std::size_t question_mark = text.find('?');
    append_path(href_, url_.path_start_, text.substr(0, question_mark),
                (classes_ & (kPathEncoded | kBackslash)) == 0);
    url_.query_start_ = position();
    if (question_mark == std::string_view::npos) return is_short_enough();
    return build_query(text.substr(question_mark));
  }

  // `text` begins with its question mark.
  bool build_query(std::string_view text) {
    if ((classes_ & kQueryEncoded) == 0) {
      href_ += text;
    } else {
      append_percent_encoded(href_, text, kQueryEncoded);
    }
    return is_short_enough();
  }

  // mailto:, javascript:, file:, ...: only what would break a line or a key is encoded.
  bool build_other(std::string_view text, std::size_t scheme_size) {
    if (text.size() > kUrlBytesMax) return false;
    href_.clear();
    for (const char character : text.substr(0, scheme_size)) href_ += to_lower(character);
    append_percent_encoded(href_, text.substr(scheme_size), kUnprintable);
    url_.is_web_ = false;
    url_.scheme_end_ = static_cast<std::uint32_t>(scheme_size);
    url_.host_start_ = url_.host_end_ = url_.path_start_ = url_.scheme_end_ + 1;
    url_.query_start_ =
        static_cast<std::uint32_t>(std::min(href_.find('?', scheme_size), href_.size()));
    return is_short_enough();
  }

  [[nodiscard]] std::uint32_t position() const noexcept {
    return static_cast<std::uint32_t>(href_.size());
  }
  [[nodiscard]] bool is_short_enough() const noexcept { return href_.size() <= kUrlBytesMax; }

  const Url* base_;
  Url& url_;
  std::string& href_;
  CharacterClasses classes_ = 0;  // of the whole text
};

bool parse_url(std::string_view text, Url& url) { return UrlBuilder(nullptr, url).build(text); }

bool resolve_url(const Url& base, std::string_view reference, Url& url) {
  return UrlBuilder(&base, url).build(reference);
}

bool restore_url(std::string_view href, const UrlShape& shape, Url& url) {
  if (!shape.is_known()) return parse_url(href, url);
  constexpr std::uint32_t kWebHostStart = 3;  // "://"; other schemes have ":" and no host
  assert(href.size() >= shape.query_start && href[shape.scheme_end] == ':');
  url.href_ = href;
  url.scheme_end_ = shape.scheme_end;
  url.is_web_ = shape.host_end > shape.scheme_end + 1U;
  url.host_start_ = shape.scheme_end + (url.is_web_ ? kWebHostStart : 1U);
  url.host_end_ = shape.host_end;
  url.path_start_ = shape.path_start;
  url.query_start_ = shape.query_start;
  url.had_userinfo_ = false;
  return true;
}

}  // namespace webstrata
