// SPDX-License-Identifier: Apache-2.0

// The input is "base <tab> reference". Whatever it is, what comes out must keep the promises of
// url.h and key.h; a broken one traps.

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/url/dialect.h"
#include "webstrata/url/host.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace {

using webstrata::Url;

bool equal(const Url& a, const Url& b) {
  return a.href() == b.href() && a.scheme() == b.scheme() && a.host() == b.host() &&
         a.port() == b.port() && a.path() == b.path() && a.query() == b.query() &&
         a.is_web() == b.is_web();
}

void check_form(const Url& url) {
  require(url.href().size() <= webstrata::kUrlBytesMax);
  for (const char byte : url.href()) require(byte >= 0x21 && byte <= 0x7e && byte != '#');
  require(url.href().starts_with(url.scheme()));
  require(!url.is_web() || (!url.host().empty() && url.path().starts_with('/')));
  require(url.query().empty() || url.query().starts_with('?'));
  require(url.host().ends_with(webstrata::registered_domain(url.host())));
}

void check_parses_to_itself(const Url& url) {
  Url again;
  require(webstrata::parse_url(url.href(), again));
  require(equal(url, again) && !again.had_userinfo());
}

void check_shape(const Url& url) {
  Url again;
  require(webstrata::restore_url(url.href(), url.shape(), again));
  require(equal(url, again) && again.shape() == url.shape());
}

void check_key(const Url& url) {
  std::string key;
  webstrata::append_key(url, key);
  require(webstrata::url_of_key(key) == url.href());
  require(webstrata::prefix_keys(url).contains(key));
  require(webstrata::spelling_keys(url).contains(key));
  if (!url.is_web()) return;
  require(webstrata::directory_keys(url).contains(key));
  require(webstrata::host_keys(url.host()).contains(key));
  require(webstrata::domain_keys(url.host()).contains(key));
  require(webstrata::fold(webstrata::Dialect::Exact, url.href()) == key);
}

void check_url(const Url& url) {
  check_form(url);
  check_parses_to_itself(url);
  check_shape(url);
  check_key(url);
}

// A line break inside a reference means nothing, but takes another way through the parser.
void check_detour(const Url& base, std::string_view reference, bool resolves, const Url& url) {
  std::string broken(reference);
  broken.insert(broken.size() / 2, "\n");
  Url detour;
  require(webstrata::resolve_url(base, broken, detour) == resolves);
  require(!resolves || equal(url, detour));
}

void check_resolve(const Url& base, std::string_view reference) {
  Url url;
  const bool resolves = webstrata::resolve_url(base, reference, url);
  check_detour(base, reference, resolves, url);
  if (!resolves) return;
  check_url(url);
  Url again;
  require(webstrata::resolve_url(base, url.href(), again) && equal(url, again));
}

// A text that happens to be the key of a normalised URL must be the key that it gets.
void check_as_key(std::string_view text) {
  const auto href = webstrata::url_of_key(text);
  Url url;
  if (!href || !webstrata::parse_url(*href, url) || url.href() != *href) return;
  std::string key;
  webstrata::append_key(url, key);
  require(key == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t tab = text.find('\t');
  const std::string_view reference = tab == std::string_view::npos ? text : text.substr(tab + 1);

  Url url;
  if (webstrata::parse_url(text, url)) check_url(url);
  Url base;
  if (tab != std::string_view::npos && webstrata::parse_url(text.substr(0, tab), base)) {
    check_resolve(base, reference);
  }
  check_as_key(text);
  const auto dialects = webstrata::dialects();
  webstrata::fold(dialects[size % dialects.size()].dialect, reference);
  return 0;
}
