// SPDX-License-Identifier: Apache-2.0

// URL, the word by which users name a page, or many.
//
//   http://example.org/a    this URL
//   example.org/a           without a scheme: in an archive every scheme, in a request http
//   example.org/a*          every URL that begins like this, of any scheme
//   *.example.org           the host example.org and every host below it
//
//   if (const auto word = parse_url_word("example.org/*")) archive.range(keys_of(*word));

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/url/key.h"

namespace webstrata {

struct UrlWord {
  enum class Form : std::uint8_t { Url, Prefix, Domain };

  Form form = Form::Url;
  std::string text;        // a URL, with http:// if it had no scheme; of a Domain, the host
  bool has_scheme = true;  // as it was typed

  [[nodiscard]] bool is_wildcard() const noexcept { return form != Form::Url; }
  friend bool operator==(const UrlWord&, const UrlWord&) = default;
};

// Empty if it is not a URL: a name without a scheme needs a dot, a port, or to be localhost.
std::optional<UrlWord> parse_url_word(std::string_view word);

// The keys that it stands for. A URL with a scheme stands for itself alone.
KeyRange keys_of(const UrlWord& word);

// The URL to send a request to, normalised. Throws Error(BadInput) for a wildcard, which names
// many, and for what is not an http or https URL. `where` comes before the message.
std::string requested_url(std::string_view word, std::string_view where = "");

}  // namespace webstrata
