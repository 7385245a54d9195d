// SPDX-License-Identifier: Apache-2.0

// The `exact` key: a normalised URL in the order in which an archive keeps its pages.
//
//   http://www.example.org:8080/a?b   org,example,www):8080/a?b + one byte for the scheme
//
//   host    labels reversed, joined by ','; the bytes '!' to ',' inside a label become %21 to %2C.
//           IPv4 addresses stay as they are (their dots identify them), IPv6 keeps its brackets.
//   )       ends the host
//   :port   if it is not the scheme's default
//   path, query   as in the URL
//   scheme  last: 1 http, 2 https, 3 ftp
//
// URLs of other schemes, where they are kept, are ")mailto:a@b" and the byte 4: no host is empty,
// so they are separate from all web keys.
//
// What follows from this, bytewise order understood (tests/url/key_test.cpp):
// - Every key inverts to its URL, and no key is the beginning of another.
// - A host with its ports is one range: nothing but its keys begins with "org,example)".
// - A domain with its subdomains is one range: after "org,example" they continue with ')' or ',',
//   and the two bytes between these never occur inside a label; a longer label, as in "example-x",
//   "examples" or "example!", continues with a byte below ')' or above ','.
// - Everything below a path prefix is one range, and a page's http and https keys are adjacent: the
//   scheme byte is smaller than any byte of a path.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "webstrata/url/url.h"

namespace webstrata {

void append_key(const Url& url, std::string& out);

// Appends the URL of `key`. False, with garbage appended, if it does not have the form of a key;
// whether the URL is normalised is not checked.
bool append_url_of_key(std::string_view key, std::string& out);
std::optional<std::string> url_of_key(std::string_view key);

// The keys from `first` up to, but without, `end`.
struct KeyRange {
  std::string first;
  std::string end;

  [[nodiscard]] bool contains(std::string_view key) const noexcept {
    return first <= key && key < end;
  }
};

// `host` as Url::host() gives it. All schemes and ports.
KeyRange host_keys(std::string_view host);
// The host `domain` and every host below it. An address has nothing below it.
KeyRange domain_keys(std::string_view domain);
// Keys with the prefix `url`, of any scheme with the same port form: "/a/b" includes "/a/bc".
KeyRange prefix_keys(const Url& url);
// Keys in the directory of `url`: up to the last slash of its path.
KeyRange directory_keys(const Url& url);
// `url` itself under all schemes.
KeyRange spelling_keys(const Url& url);

}  // namespace webstrata
