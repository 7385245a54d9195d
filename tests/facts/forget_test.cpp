// SPDX-License-Identifier: Apache-2.0
#include "webstrata/facts/forget.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

std::string key_of(std::string_view href) {
  Url url;
  EXPECT_TRUE(parse_url(href, url)) << href;
  std::string key;
  append_key(url, key);
  return key;
}

using Urls = std::initializer_list<std::string_view>;

void expect_covers(const Forget& forget, Urls meant, Urls not_meant) {
  Selection selection;
  selection.add(forget);
  for (const auto url : meant) EXPECT_TRUE(selection.covers(key_of(url), 1)) << url;
  for (const auto url : not_meant) EXPECT_FALSE(selection.covers(key_of(url), 1)) << url;
}

TEST(Forget, AUrlIsMeantInAllItsSpellings) {
  expect_covers(
      {.scope = ForgetScope::Url, .text = "http://www.Example.org/People/Joe"},
      {"http://www.example.org/People/Joe", "https://www.example.org/People/Joe",
       "http://example.org/people/joe", "HTTP://EXAMPLE.ORG/PEOPLE/JOE/",
       "ftp://example.org/people/joe//", "http://example.org./people/joe",
       "http://example.org/people/joe?", "http://example.org/%70eople/%4Aoe",
       "http://user:word@example.org/people/joe#part", "http://example.org:80/people/joe",
       "https://example.org:443/people/x/../joe", "http://www.example.org./people/%6aoe/"},
      {"http://example.org/people/joe2", "http://example.org/people",
       "http://example.org/people/joe/x", "http://example.org/people/joe?a",
       "http://example.org:8080/people/joe", "http://mail.example.org/people/joe",
       "http://example.com/people/joe", "http://wwwexample.org/people/joe",
       "http://example.org/people%2Fjoe"});
}

TEST(Forget, TheFrontPageIsNotTheWholeSite) {
  expect_covers({.scope = ForgetScope::Url, .text = "example.org"},
                {"http://example.org/", "https://www.example.org/", "https://www.example.org/?"},
                {"http://example.org/a", "http://example.org/?a", "http://a.example.org/"});
}

TEST(Forget, AQueryCountsButNotItsCase) {
  expect_covers(
      {.scope = ForgetScope::Url, .text = "http://example.org/find?Name=Joe%20X"},
      {"https://example.org/find/?name=joe%20x", "http://example.org/FIND?NAME=%4aoe%20X"},
      {"http://example.org/find", "http://example.org/find?name=joe",
       "http://example.org/find?name=joe%20x&b"});
}

TEST(Forget, AShortHostKeepsItsWww) {
  expect_covers({.scope = ForgetScope::Url, .text = "http://www.org/a"},
                {"http://www.org/a", "https://www.www.org/a"}, {"http://org/a", "http://x.org/a"});
}

TEST(Forget, ExactlyMeansTheVeryUrl) {
  expect_covers(
      {.scope = ForgetScope::Url, .text = "http://www.example.org/Joe", .exactly = true},
      {"http://www.example.org/Joe", "http://WWW.example.org:80/Joe#x"},
      {"https://www.example.org/Joe", "http://example.org/Joe", "http://www.example.org/joe",
       "http://www.example.org/Joe/", "http://www.example.org/%4Aoe"});
}

TEST(Forget, APrefixGoesOnInsideItsHost) {
  expect_covers({.scope = ForgetScope::Prefix, .text = "http://example.org/~joe"},
                {"http://example.org/~joe", "http://example.org/~joe/", "http://example.org/~joe/a",
                 "https://www.example.org/~JOE/a?b", "http://example.org/~joe2",
                 "http://example.org/~joe?x", "http://example.org/%7Ejoe/a"},
                {"http://example.org/~jo", "http://example.org/", "http://example.org:8080/~joe",
                 "http://sub.example.org/~joe", "http://example.org.uk/~joe"});
}

TEST(Forget, APrefixWithASlashIsAFolder) {
  expect_covers({.scope = ForgetScope::Prefix, .text = "http://example.org/joe/"},
                {"http://example.org/joe", "http://example.org/joe/", "http://example.org/Joe/a",
                 "http://example.org/joe?x", "http://example.org/joe//a"},
                {"http://example.org/joes", "http://example.org/jo"});
}

TEST(Forget, APrefixOfOnlyAHostStaysInIt) {
  expect_covers({.scope = ForgetScope::Prefix, .text = "http://example.org"},
                {"http://example.org/", "https://www.example.org/a?b"},
                {"http://sub.example.org/", "http://example.org:8080/", "http://example.organ/"});
}

TEST(Forget, APrefixMayEndInsideAQuery) {
  expect_covers({.scope = ForgetScope::Prefix, .text = "http://example.org/find?name=joe"},
                {"http://example.org/find?name=joe", "http://example.org/find/?name=joex"},
                {"http://example.org/find", "http://example.org/find?name=jo"});
  expect_covers({.scope = ForgetScope::Prefix, .text = "http://example.org/find?"},
                {"http://example.org/find?a", "http://example.org/find?"},
                {"http://example.org/find"});
}

TEST(Forget, AnExactPrefixIsBytes) {
  expect_covers(
      {.scope = ForgetScope::Prefix, .text = "http://example.org/Joe", .exactly = true},
      {"http://example.org/Joe", "http://example.org/Joe/a", "http://example.org/Joe2"},
      {"https://example.org/Joe", "http://www.example.org/Joe", "http://example.org/joe"});
}

TEST(Forget, AHostComesWithItsPortsAndWhatIsBelowIt) {
  expect_covers({.scope = ForgetScope::Host, .text = "Example.org"},
                {"http://example.org/", "https://example.org/a", "http://example.org:8080/a",
                 "http://www.example.org/", "http://a.b.example.org/x", "http://example.org./"},
                {"http://example.organ/", "http://notexample.org/", "http://org/",
                 "http://example-x.org/", "http://example.org.uk/", "http://a.org/example.org"});
}

TEST(Forget, AHostWithWwwDoesNotTakeItsSisters) {
  expect_covers({.scope = ForgetScope::Host, .text = "www.example.org"},
                {"http://www.example.org/", "http://example.org/a", "http://x.www.example.org/"},
                {"http://lists.example.org/", "http://example.com/"});
}

TEST(Forget, ExactlyOneHost) {
  expect_covers({.scope = ForgetScope::Host, .text = "example.org", .exactly = true},
                {"http://example.org/", "https://example.org:99/a"},
                {"http://www.example.org/", "http://a.example.org/"});
}

TEST(Forget, AddressesAreHostsToo) {
  expect_covers({.scope = ForgetScope::Host, .text = "192.0.2.1"},
                {"http://192.0.2.1/", "http://192.0.2.1:81/", "http://3221225985/"},
                {"http://192.0.2.10/", "http://1.192.0.2/", "http://2.1/"});
  expect_covers({.scope = ForgetScope::Host, .text = "[2001:DB8::1]"}, {"http://[2001:db8::1]/a"},
                {"http://[2001:db8::2]/a"});
}

TEST(Forget, OtherSchemesAreMeantToo) {
  expect_covers({.scope = ForgetScope::Url, .text = "mailto:Joe@example.org"},
                {"mailto:joe@example.org"}, {"mailto:joe@example.organ", "http://example.org/"});
}

TEST(Forget, TimesNarrowIt) {
  Selection selection;
  selection.add({.text = "http://example.org/a", .during = TimeInterval{10, 20}});
  const std::string key = key_of("https://example.org/a");
  EXPECT_FALSE(selection.covers(key, 9));
  EXPECT_TRUE(selection.covers(key, 10));
  EXPECT_TRUE(selection.covers(key, 20));
  EXPECT_FALSE(selection.covers(key, 21));
  EXPECT_FALSE(selection.covers(key, std::nullopt));
  EXPECT_TRUE(selection.touches(key));
  EXPECT_FALSE(selection.touches(key_of("https://example.org/b")));
  selection.add({.text = "http://example.org/a"});
  EXPECT_TRUE(selection.covers(key, std::nullopt));
}

TEST(Forget, RefusesWhatIsNoUrlOrHost) {
  Selection selection;
  EXPECT_THROW(selection.add({.text = ""}), Error);
  EXPECT_THROW(selection.add({.text = "http://"}), Error);
  EXPECT_THROW(selection.add({.scope = ForgetScope::Host, .text = "example.org/a"}), Error);
  EXPECT_THROW(selection.add({.scope = ForgetScope::Host, .text = "example.org:80x"}), Error);
  EXPECT_THROW(selection.add({.scope = ForgetScope::Host, .text = "mailto:a@b"}), Error);
  EXPECT_TRUE(selection.empty());
}

void expect_embedded(const Forget& forget, Urls inside, Urls not_inside) {
  Selection selection;
  selection.add(forget);
  for (const auto url : inside) EXPECT_TRUE(selection.contains_embedded(key_of(url))) << url;
  for (const auto url : not_inside) EXPECT_FALSE(selection.contains_embedded(key_of(url))) << url;
}

TEST(Forget, FindsAUrlInsideOthers) {
  expect_embedded(
      {.text = "http://www.example.org/Joe"},
      {"https://web.archive.org/web/2015/http://example.org/joe",
       "https://web.archive.org/web/2015/https://WWW.EXAMPLE.ORG/Joe/",
       "http://share.net/?u=http%3A%2F%2Fexample.org%2FJoe&x=1",
       "http://share.net/?u=http%253a%252f%252fwww.example.org%252fjoe",
       "http://share.net/?u=example.org/joe", "http://share.net/example.org/joe",
       "http://share.net/%65xample.org/joe", "http://share.net/x(example.org/joe)"},
      {"http://example.org/joe", "http://example.org/joe/x",
       "http://share.net/?u=http://example.org/joe2", "http://share.net/?u=example.org/joe/x",
       "http://share.net/?u=notexample.org/joe", "http://share.net/?u=sub.example.org/joe",
       "http://share.net/?u=example.org/jo", "http://share.net/"});
}

TEST(Forget, FindsPrefixesAndHostsInsideOthers) {
  expect_embedded({.scope = ForgetScope::Prefix, .text = "http://example.org/joe/"},
                  {"http://share.net/?u=example.org/joe/x", "http://share.net/?u=example.org/joe"},
                  {"http://share.net/?u=example.org/joes"});
  expect_embedded({.scope = ForgetScope::Host, .text = "example.org"},
                  {"http://share.net/?u=http://sub.example.org:80/x", "http://w.net/example.org"},
                  {"http://share.net/?u=example.org.uk/", "http://share.net/myexample.org",
                   "http://sub.example.org/"});
}

TEST(Forget, FindsUrlsThatAreEscapedThemselves) {
  expect_embedded({.text = "http://example.org/a%20b?c=d"},
                  {"http://share.net/?u=http://example.org/a%20b?c=d",
                   "http://share.net/?u=http%3A%2F%2Fexample.org%2Fa%2520b%3Fc%3Dd"},
                  {"http://share.net/?u=http://example.org/a"});
}

}  // namespace
}  // namespace webstrata
