// SPDX-License-Identifier: Apache-2.0

// How requests to forget become byte strings that are compared, or hashed and compared. Private to
// forget.cpp and tombstones.cpp.
//
// A request becomes one or two patterns; a key has a handful of candidates, one for each way in
// which a pattern could mean it; a key is meant if one of them equals a pattern of the same kind.
//
// The folded form of a key, which URLs and prefixes are compared in: the host without a final dot
// and without a leading "www" (where two labels remain); ')'; the port; the path in lower case,
// needless escapes decoded, ending in one slash; the query likewise, with its slashes unchanged.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/facts/forget.h"
#include "webstrata/url/url.h"

namespace webstrata {

enum class PatternKind : std::uint8_t {
  Url,          // a folded form
  ExactUrl,     // a key
  Prefix,       // the beginning of a folded form
  ExactPrefix,  // the last byte of a key (the scheme), then the beginning of it
  Domain,       // the host of a key, up to a label's end
  Host,         // the whole host of a key
};
inline constexpr std::uint8_t kPatternKinds = 6;

struct Pattern {
  PatternKind kind = PatternKind::Url;
  std::string bytes;
};
// Throws Error(BadInput) if the text is not a URL or a host.
std::vector<Pattern> patterns_of(const Forget& forget);

// What a request names. Throw Error(BadInput).
Url url_to_forget(const Forget& forget);
std::string host_to_forget(const Forget& forget);

constexpr bool is_letter_or_digit(char byte) noexcept {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9');
}

// The folded form in which URLs are compared: an empty query counts as none.
constexpr std::string_view without_lone_mark(std::string_view folded) noexcept {
  if (folded.ends_with('?') && folded.find('?') == folded.size() - 1) folded.remove_suffix(1);
  return folded;
}

// Replaces `out` by the folded form of a key.
void fold_key(std::string_view key, std::string& out);

// Which kinds of patterns exist, so that no others are looked up.
class PatternCensus {
 public:
  void add(PatternKind kind, std::size_t size);
  [[nodiscard]] bool empty() const noexcept { return kinds_ == 0; }

  // Calls `meets(kind, bytes)` for every candidate of `key` until it returns true.
  template <typename Meets>
  bool any_candidate(std::string_view key, Meets meets) const;

 private:
  [[nodiscard]] bool has(PatternKind kind) const noexcept {
    return (kinds_ >> static_cast<unsigned>(kind) & 1) != 0;
  }
  template <typename Meets>
  bool any_folded(std::string_view key, Meets meets) const;
  template <typename Meets>
  bool any_exact_prefix(std::string_view key, Meets meets) const;
  template <typename Meets>
  bool any_host(std::string_view key, Meets meets) const;

  unsigned kinds_ = 0;                           // a bit each
  std::vector<std::size_t> prefix_sizes_;        // each once
  std::vector<std::size_t> exact_prefix_sizes_;  // likewise
};

template <typename Meets>
bool PatternCensus::any_candidate(std::string_view key, Meets meets) const {
  if (key.empty()) return false;
  if (has(PatternKind::ExactUrl) && meets(PatternKind::ExactUrl, key)) return true;
  if (has(PatternKind::ExactPrefix) && any_exact_prefix(key, meets)) return true;
  if ((has(PatternKind::Domain) || has(PatternKind::Host)) && any_host(key, meets)) return true;
  return (has(PatternKind::Url) || has(PatternKind::Prefix)) && any_folded(key, meets);
}

template <typename Meets>
bool PatternCensus::any_folded(std::string_view key, Meets meets) const {
  thread_local std::string folded;
  fold_key(key, folded);
  if (has(PatternKind::Url) && meets(PatternKind::Url, without_lone_mark(folded))) return true;
  for (const std::size_t size : prefix_sizes_) {
    const bool reaches = size <= folded.size();
    if (reaches && meets(PatternKind::Prefix, std::string_view(folded).substr(0, size)))
      return true;
  }
  return false;
}

template <typename Meets>
bool PatternCensus::any_exact_prefix(std::string_view key, Meets meets) const {
  thread_local std::string turned;
  turned.assign(1, key.back());
  turned.append(key.substr(0, key.size() - 1));
  for (const std::size_t size : exact_prefix_sizes_) {
    const bool reaches = size <= turned.size();
    if (reaches && meets(PatternKind::ExactPrefix, std::string_view(turned).substr(0, size))) {
      return true;
    }
  }
  return false;
}

template <typename Meets>
bool PatternCensus::any_host(std::string_view key, Meets meets) const {
  std::string_view host = key.substr(0, key.find(')'));
  if (host.starts_with(',')) host.remove_prefix(1);  // a final dot
  if (host.empty()) return false;
  if (has(PatternKind::Host) && meets(PatternKind::Host, host)) return true;
  if (!has(PatternKind::Domain)) return false;
  for (std::size_t end = host.find(','); end != std::string_view::npos;
       end = host.find(',', end + 1)) {
    if (meets(PatternKind::Domain, host.substr(0, end))) return true;
  }
  return meets(PatternKind::Domain, host);
}

}  // namespace webstrata
