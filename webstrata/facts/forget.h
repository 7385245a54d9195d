// SPDX-License-Identifier: Apache-2.0

// Requests to forget, and which keys they mean.
//
// By default a request means all spellings of what it names:
// - a URL: http, https and ftp; with and without a leading "www."; in any letter case, of the path
//   too; with and without a slash at the end of the path, a lone "?", a final dot of the host; and
//   with needless escapes (%41 for A). Port and query must match.
// - a prefix: what begins with these bytes, spelled in any of these ways: "http://a.org/x" means
//   "/x", "/x/y", "/xy", "/x?z"; "http://a.org/x/" means "/x" and "/x/y". It never reaches another
//   host (except "www.") or port: forget a host for that.
// - a host: all its ports and schemes, and the hosts below it. "www.a.org" includes "a.org" itself
//   as another spelling, but no other host below "a.org".
// `exactly` narrows to the one URL, to URLs that begin with exactly these bytes, to the one host.
//
// With `during`, what was seen in that closed interval; without it everything, including the name.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/time.h"

namespace webstrata {

enum class ForgetScope : std::uint8_t { Url, Prefix, Host };

struct Forget {
  ForgetScope scope = ForgetScope::Url;
  std::string text = {};  // a URL, "http://" may be missing; or the name of a host
  bool exactly = false;
  std::optional<TimeInterval> during = {};
};

// The public suffix ("com", "co.uk", "github.io") under which the request means every site; empty
// if it means less. Throws Error(BadInput) if the text is not a host.
std::string public_suffix_meant(const Forget& forget);

// The requests of one forget in plain text, to be matched while an archive is merged.
class Selection {
 public:
  Selection();
  Selection(Selection&&) noexcept;
  Selection& operator=(Selection&&) noexcept;
  ~Selection();

  // Throws Error(BadInput) if the text is not a URL or a host.
  void add(const Forget& forget);
  [[nodiscard]] bool empty() const noexcept;

  // Whether what was seen of the exact key (url/key.h) at `time` is meant; without a time, whether
  // the key is meant as a whole.
  [[nodiscard]] bool covers(std::string_view key, std::optional<Time> time) const;
  // Whether the key is meant at some time.
  [[nodiscard]] bool touches(std::string_view key) const;

  // Whether the path or query of `key` contains a URL that is meant, plain or escaped up to three
  // times, with or without its scheme: a copy in another archive, a share link.
  [[nodiscard]] bool contains_embedded(std::string_view key) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
