// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/url_word_test.cpp.

#include "webstrata/words/url_word.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

using Form = UrlWord::Form;

// "localhost:8080/a": what looks like a scheme is a host, if a port follows.
bool is_host_and_port(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  std::string_view port = word.substr(colon + 1);
  port = port.substr(0, port.find_first_of("/?#"));
  return !port.empty() && std::all_of(port.begin(), port.end(), is_digit);
}

// A single name such as "index" is more likely a mistake than a host.
bool is_plausible_host(std::string_view host) {
  return host == "localhost" || host.find_first_of(".:") != std::string_view::npos;
}

std::optional<UrlWord> with_http(std::string_view word) {
  const std::string text = fmt::format("{}{}", word.starts_with("//") ? "http:" : "http://", word);
  Url url;
  if (!parse_url(text, url)) return std::nullopt;
  const bool is_key = url.host().find_first_of("),") != std::string_view::npos;  // url/key.h
  if (is_key || (!is_plausible_host(url.host()) && !is_host_and_port(word))) return std::nullopt;
  return UrlWord{Form::Url, std::string(url.href()), false};
}

std::optional<UrlWord> parse_plain(std::string_view word) {
  Url url;
  if (!is_host_and_port(word) && parse_url(word, url)) {
    return UrlWord{Form::Url, std::string(url.href()), true};
  }
  return with_http(word);
}

std::string_view without_scheme(std::string_view word) {
  const std::size_t slashes = word.find("://");
  return slashes == std::string_view::npos ? word : word.substr(slashes + 3);
}

// "*.example.org", also written "*.example.org/" and "*.example.org/*". Nothing else may follow.
std::optional<UrlWord> parse_domain(std::string_view word) {
  std::string_view host = word.substr(2);
  if (host.ends_with("/*")) host.remove_suffix(1);
  if (host.ends_with('/')) host.remove_suffix(1);
  Url url;
  const bool is_host = host.find_first_of("/?#*") == std::string_view::npos &&
                       parse_url(fmt::format("http://{}/", host), url);
  if (!is_host) return std::nullopt;
  return UrlWord{Form::Domain, std::string(url.host()), false};
}

}  // namespace

std::optional<UrlWord> parse_url_word(std::string_view word) {
  const std::string_view rest = without_scheme(word);
  if (rest.starts_with("*.")) return parse_domain(rest);
  if (!word.ends_with('*')) return parse_plain(word);
  auto prefix = parse_plain(word.substr(0, word.size() - 1));
  if (prefix) prefix->form = Form::Prefix;
  return prefix;
}

KeyRange keys_of(const UrlWord& word) {
  if (word.form == Form::Domain) return domain_keys(word.text);
  Url url;
  parse_url(word.text, url);
  if (word.form == Form::Prefix) return prefix_keys(url);
  if (!word.has_scheme) return spelling_keys(url);
  std::string key;
  append_key(url, key);
  std::string after = key;
  after.push_back('\0');
  return {std::move(key), std::move(after)};
}

std::string requested_url(std::string_view word, std::string_view where) {
  const auto parsed = parse_url_word(word);
  if (parsed && parsed->is_wildcard()) {
    refuse(fmt::format("{}{} names many URLs; a request needs one, such as http://{}", where, word,
                       parsed->form == Form::Domain ? parsed->text + "/"
                                                    : std::string(without_scheme(parsed->text))));
  }
  Url url;
  const bool is_web = parsed && parse_url(parsed->text, url) && url.is_web();
  if (!is_web || url.scheme() == "ftp") {
    refuse(fmt::format("{}{} is not an http or https URL", where, word));
  }
  return parsed->text;
}

}  // namespace webstrata
