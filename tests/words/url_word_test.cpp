// SPDX-License-Identifier: Apache-2.0

#include "webstrata/words/url_word.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/words/forget_word.h"

namespace webstrata {
namespace {

using Form = UrlWord::Form;

UrlWord word(std::string_view text) {
  const auto found = parse_url_word(text);
  EXPECT_TRUE(found) << text;
  return found.value_or(UrlWord());
}

std::string key_of(std::string_view text) {
  Url url;
  EXPECT_TRUE(parse_url(text, url));
  std::string key;
  append_key(url, key);
  return key;
}

bool covers(std::string_view text, std::string_view url) {
  return keys_of(word(text)).contains(key_of(url));
}

TEST(UrlWord, ASchemeMayBeMissing) {
  EXPECT_EQ(word("http://Example.org/a"), (UrlWord{Form::Url, "http://example.org/a", true}));
  EXPECT_EQ(word("example.org/a"), (UrlWord{Form::Url, "http://example.org/a", false}));
  EXPECT_EQ(word("//example.org/a"), (UrlWord{Form::Url, "http://example.org/a", false}));
  EXPECT_EQ(word("example.org"), (UrlWord{Form::Url, "http://example.org/", false}));
  EXPECT_EQ(word("mailto:a@example.org").has_scheme, true);
}

TEST(UrlWord, AHostWithAPortIsNotAScheme) {
  EXPECT_EQ(word("localhost:8080/a"), (UrlWord{Form::Url, "http://localhost:8080/a", false}));
  EXPECT_EQ(word("127.0.0.1:8080"), (UrlWord{Form::Url, "http://127.0.0.1:8080/", false}));
  EXPECT_EQ(word("example.org:81/?q"), (UrlWord{Form::Url, "http://example.org:81/?q", false}));
}

TEST(UrlWord, ASingleNameIsNotAUrl) {
  EXPECT_FALSE(parse_url_word("index"));
  EXPECT_FALSE(parse_url_word(""));
  EXPECT_FALSE(parse_url_word("*"));
  EXPECT_FALSE(parse_url_word("*.example.org/a*"));
  EXPECT_TRUE(parse_url_word("localhost"));
}

TEST(UrlWord, AKeyIsNotAUrl) {
  EXPECT_FALSE(parse_url_word("localhost):5000/"));
  EXPECT_FALSE(parse_url_word("127.0.0.1)/a"));
  EXPECT_FALSE(parse_url_word("org,example)/a.html"));
}

TEST(UrlWord, AStarAtTheEndIsAPrefix) {
  EXPECT_EQ(word("example.org/*"), (UrlWord{Form::Prefix, "http://example.org/", false}));
  EXPECT_TRUE(covers("example.org/*", "https://example.org/a/b?c"));
  EXPECT_TRUE(covers("https://example.org/*", "http://example.org/"));
  EXPECT_TRUE(covers("example.org/a*", "http://example.org/ab"));
  EXPECT_FALSE(covers("example.org/a*", "http://example.org/b"));
  EXPECT_FALSE(covers("example.org/*", "http://www.example.org/"));
  EXPECT_FALSE(word("http://example.org/*/a").is_wildcard());
}

TEST(UrlWord, AStarBeforeAHostIsItsDomain) {
  for (const std::string_view text :
       {"*.example.org", "*.example.org/", "*.example.org/*", "http://*.example.org/"}) {
    EXPECT_EQ(word(text), (UrlWord{Form::Domain, "example.org", false})) << text;
    EXPECT_TRUE(covers(text, "http://example.org/a"));
    EXPECT_TRUE(covers(text, "https://a.b.example.org:444/"));
    EXPECT_FALSE(covers(text, "http://notexample.org/"));
  }
}

TEST(UrlWord, WithoutASchemeAllAreMeant) {
  for (const std::string_view scheme : {"http", "https", "ftp"}) {
    EXPECT_TRUE(covers("example.org/a", std::string(scheme) + "://example.org/a"));
  }
  EXPECT_FALSE(covers("http://example.org/a", "https://example.org/a"));
  EXPECT_TRUE(covers("http://example.org/a", "http://example.org/a"));
  EXPECT_FALSE(covers("http://example.org/a", "http://example.org/ab"));
}

TEST(UrlWord, ARequestGoesToOneWebUrl) {
  EXPECT_EQ(requested_url("example.org/a"), "http://example.org/a");
  for (const std::string_view bad :
       {"example.org/*", "*.example.org", "ftp://example.org/", "mailto:a@b", "index", ""}) {
    EXPECT_THROW(requested_url(bad), Error) << bad;
  }
}

TEST(ForgetWord, WildcardsNameMore) {
  const auto forget = [](ForgetScope scope, const std::string& text, bool exactly = false) {
    const Forget found = parse_forget_word(scope, text, exactly);
    return std::pair(found.scope, found.text);
  };
  EXPECT_EQ(forget(ForgetScope::Url, "http://example.org/a*"),
            std::pair(ForgetScope::Prefix, std::string("http://example.org/a")));
  EXPECT_EQ(forget(ForgetScope::Url, "*.example.org"),
            std::pair(ForgetScope::Host, std::string("example.org")));
  EXPECT_EQ(forget(ForgetScope::Host, "*.example.org"),
            std::pair(ForgetScope::Host, std::string("example.org")));
  EXPECT_EQ(forget(ForgetScope::Url, "example.org/a"),
            std::pair(ForgetScope::Url, std::string("example.org/a")));
  EXPECT_EQ(forget(ForgetScope::Url, "http://example.org/a*", true),
            std::pair(ForgetScope::Url, std::string("http://example.org/a*")));
}

}  // namespace
}  // namespace webstrata
