// SPDX-License-Identifier: Apache-2.0

// Patterns are in a map, so that thousands of requests cost no more than one. Embedded URLs are
// searched for as text, where a URL could begin. Tested by tests/facts/forget_test.cpp.

#include "webstrata/facts/forget.h"

#include <algorithm>
#include <map>
#include <vector>

#include "webstrata/base/text.h"
#include "webstrata/facts/forget_patterns.h"
#include "webstrata/url/host.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

constexpr int kEscapesMax = 3;  // nested

// A URL to be found inside another.
struct Needle {
  std::string text;  // host, port, path and query in lower case, without a slash at the end
  ForgetScope scope = ForgetScope::Url;
  bool exactly = false;
  bool ends_in_slash = false;
};

void make_lower(std::string& text) {
  std::transform(text.begin(), text.end(), text.begin(), to_lower);
}

std::string unescaped(std::string_view text) {
  std::string plain;
  append_percent_decoded(plain, text);
  make_lower(plain);
  return plain;
}

bool continues_name(char byte) noexcept {
  return is_letter_or_digit(byte) || byte == '-' || byte == '_';
}
bool continues_url(char byte) noexcept {
  constexpr std::string_view kMore = "~%/?=.+";
  return continues_name(byte) || kMore.find(byte) != std::string_view::npos;
}

// Whether a host may begin after `before`.
bool begins_there(std::string_view before, const Needle& needle) {
  constexpr std::string_view kWww = "www.";
  if (!needle.exactly && needle.scope != ForgetScope::Host && before.ends_with(kWww)) {
    before.remove_suffix(kWww.size());
  }
  if (before.empty()) return true;
  const char last = before.back();
  if (last == '.') return needle.scope == ForgetScope::Host && !needle.exactly;  // a host below
  return !continues_name(last);
}

// Whether the match may end before `after`.
bool ends_there(std::string_view after, const Needle& needle) {
  if (after.empty()) return true;
  if (needle.scope == ForgetScope::Host) {
    const bool goes_on = after[0] == '.' && after.size() > 1 && continues_name(after[1]);
    return !continues_name(after[0]) && !goes_on;
  }
  if (needle.scope == ForgetScope::Prefix) {
    return !needle.ends_in_slash || after[0] == '/' || !continues_url(after[0]);
  }
  while (after.starts_with('/')) after.remove_prefix(1);
  return after.empty() || !continues_url(after[0]);
}

bool contains(std::string_view text, const Needle& needle) {
  for (std::size_t at = text.find(needle.text); at != std::string_view::npos;
       at = text.find(needle.text, at + 1)) {
    if (begins_there(text.substr(0, at), needle) &&
        ends_there(text.substr(at + needle.text.size()), needle)) {
      return true;
    }
  }
  return false;
}

Needle needle_of(const Forget& forget) {
  Needle needle{{}, forget.scope, forget.exactly, false};
  if (forget.scope == ForgetScope::Host) {
    needle.text = host_to_forget(forget);
    return needle;
  }
  const Url url = url_to_forget(forget);
  const std::string_view href = url.href();
  if (!url.is_web()) {
    needle.text = href;
    make_lower(needle.text);
    return needle;
  }
  needle.text = href.substr(static_cast<std::size_t>(url.host().begin() - href.begin()));
  make_lower(needle.text);
  constexpr std::string_view kWww = "www.";
  const bool has_www =
      needle.text.starts_with(kWww) && url.host().find('.', kWww.size()) != std::string_view::npos;
  if (!forget.exactly && has_www) needle.text.erase(0, kWww.size());
  needle.ends_in_slash = needle.text.ends_with('/');
  while (needle.text.ends_with('/')) needle.text.pop_back();
  return needle;
}

}  // namespace

std::string public_suffix_meant(const Forget& forget) {
  if (forget.scope != ForgetScope::Host || forget.exactly) return {};
  const std::string host = host_to_forget(forget);
  const bool is_one_site = is_ip_address(host) || host == "localhost";
  return is_one_site || !registered_domain(host).empty() ? std::string() : host;
}

struct Selection::State {
  using Intervals = std::vector<std::optional<TimeInterval>>;
  using Patterns = std::map<std::string, Intervals, std::less<>>;

  PatternCensus census;
  Patterns patterns[kPatternKinds];
  std::vector<Needle> needles;

  template <typename Means>
  bool any(std::string_view key, Means means) const {
    return census.any_candidate(key, [&](PatternKind kind, std::string_view bytes) {
      const Patterns& known = patterns[static_cast<std::size_t>(kind)];
      const auto found = known.find(bytes);
      return found != known.end() && std::any_of(found->second.begin(), found->second.end(), means);
    });
  }

  [[nodiscard]] bool contains_any(std::string_view text) const {
    return std::any_of(needles.begin(), needles.end(),
                       [&](const Needle& needle) { return contains(text, needle); });
  }
};

Selection::Selection() : state_(std::make_unique<State>()) {}
Selection::Selection(Selection&&) noexcept = default;
Selection& Selection::operator=(Selection&&) noexcept = default;
Selection::~Selection() = default;

void Selection::add(const Forget& forget) {
  for (Pattern& pattern : patterns_of(forget)) {
    state_->census.add(pattern.kind, pattern.bytes.size());
    state_->patterns[static_cast<std::size_t>(pattern.kind)][std::move(pattern.bytes)].push_back(
        forget.during);
  }
  Needle needle = needle_of(forget);
  Needle plain = needle;
  plain.text = unescaped(needle.text);
  if (plain.text != needle.text) state_->needles.push_back(std::move(plain));
  state_->needles.push_back(std::move(needle));
}

bool Selection::empty() const noexcept { return state_->census.empty(); }

bool Selection::covers(std::string_view key, std::optional<Time> time) const {
  return state_->any(key, [&](const std::optional<TimeInterval>& during) {
    return !during || (time && during->first <= *time && *time <= during->last);
  });
}

bool Selection::touches(std::string_view key) const {
  return state_->any(key, [](const std::optional<TimeInterval>&) { return true; });
}

bool Selection::contains_embedded(std::string_view key) const {
  const std::size_t host_end = key.find(')');
  if (host_end == std::string_view::npos || state_->needles.empty()) return false;
  std::string text(key.substr(host_end + 1, key.size() - host_end - 2));
  make_lower(text);
  for (int escapes = 0;; ++escapes) {
    if (state_->contains_any(text)) return true;
    if (escapes == kEscapesMax || text.find('%') == std::string::npos) return false;
    text = unescaped(text);
  }
}

}  // namespace webstrata
