// SPDX-License-Identifier: Apache-2.0

// Properties of the exact key, on hosts and paths made as odd as the standard allows, and a few
// keys written out by hand. What belongs to a host, a domain or a directory is decided on the parts
// of the URL, never on keys.

#include "webstrata/url/key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/url/host.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kSeed = 20260816;

std::string key_of(const Url& url) {
  std::string key;
  append_key(url, key);
  return key;
}

std::string key_of(std::string_view text) {
  Url url;
  EXPECT_TRUE(parse_url(text, url)) << text;
  return key_of(url);
}

TEST(Key, IsWhatTheHeaderSays) {
  EXPECT_EQ(key_of("http://www.example.org:8080/a?b"), "org,example,www):8080/a?b\x01");
  EXPECT_EQ(key_of("https://example.org"), "org,example)/\x02");
  EXPECT_EQ(key_of("ftp://192.0.2.1/x"), "192.0.2.1)/x\x03");
  EXPECT_EQ(key_of("http://[2001:db8::1]:81/"), "[2001:db8::1]):81/\x01");
  EXPECT_EQ(key_of("http://a,b.c)d.e*f.g!h/"), "g%21h,e%2Af,c%29d,a%2Cb)/\x01");
  EXPECT_EQ(key_of("http://example.org./"), ",org,example)/\x01");
  EXPECT_EQ(key_of("http://./"), ",)/\x01");
  EXPECT_EQ(key_of("MAILTO:a@b"), ")mailto:a@b\x04");
}

TEST(Key, TextsOfAnotherFormAreNoKeys) {
  using namespace std::string_literals;
  for (const std::string& text : {""s,
                                  "\x01"s,
                                  "org,example)/"s,
                                  "org,example/\x01"s,
                                  "org,example)\x01"s,
                                  "org,example)a\x01"s,
                                  ")/\x01"s,
                                  "a)/\x05"s,
                                  "a)/\0"s,
                                  "a)/ b\x01"s,
                                  "a%2)/\x01"s,
                                  "a%2g)/\x01"s,
                                  "a%2a)/\x01"s,
                                  "a%41)/\x01"s,
                                  "a!b)/\x01"s,
                                  "a.b)/\x01"s,
                                  "[a)/\x01x"s,
                                  ")mailto\x04"s,
                                  "x)mailto:\x04"s,
                                  "a)/\xff\x01"s}) {
    EXPECT_EQ(url_of_key(text), std::nullopt) << testing::PrintToString(text);
  }
}

// ---- random odd URLs

std::string pick(Random& random, const std::vector<std::string>& choices) {
  return choices[random.below(choices.size())];
}

// Few letters, so that labels and hosts are often beginnings of each other.
std::string random_label(Random& random) {
  static const std::vector<std::string> kPieces = {
      "a",   "b", "ab", "-", "_", "0", "9",  ",", ")", "*", "!", "(",
      "+",   "$", "&",  "'", ";", "=", "\"", "`", "{", "}", "~", "xn--bcher-kva",
      "www", "z"};
  std::string label;
  for (auto count = random.below(4); count > 0; --count) label += pick(random, kPieces);
  return label;
}

std::string random_host(Random& random) {
  if (random.chance(0.05))
    return pick(random, {"1.2.3.4", "1.2.3.40", "[::1]", "[1::]", "[::1:2]", "10.0.0.1"});
  std::string host = pick(random, {"a", "org", "b", "ab"});
  for (auto count = random.below(4); count > 0; --count) host = random_label(random) + "." + host;
  if (random.chance(0.03)) host += ".";
  return host;
}

std::string random_path(Random& random) {
  static const std::vector<std::string> kPieces = {"a", "b",   "/", "/", "!", "~", ")", ",",
                                                   "*", "%20", ".", "-", ":", "(", "'", "1"};
  std::string path = "/";
  for (auto count = random.below(6); count > 0; --count) path += pick(random, kPieces);
  if (random.chance(0.3)) path += "?" + random_label(random);
  return path;
}

std::string random_text(Random& random) {
  if (random.chance(0.02))
    return pick(random, {"mailto:a@b", "tel:1", "javascript:x", "a:b", "org:x", "data:,!"}) +
           random_path(random);
  std::string text = pick(random, {"http", "https", "ftp"}) + "://" + random_host(random);
  if (random.chance(0.2)) text += pick(random, {":81", ":8", ":443", ":80", ":8080"});
  return text + random_path(random);
}

// Distinct valid URLs, in the order of their keys.
struct Entry {
  Url url;
  std::string key;
};

std::vector<Entry> random_entries(std::size_t count) {
  Random random(kSeed);
  std::vector<Entry> entries;
  std::set<std::string> seen;
  while (entries.size() < count) {
    Entry entry;
    if (!parse_url(random_text(random), entry.url)) continue;
    if (!seen.insert(std::string(entry.url.href())).second) continue;
    entry.key = key_of(entry.url);
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &Entry::key);
  return entries;
}

class KeyOfOddUrls : public testing::Test {
 protected:
  static void SetUpTestSuite() { entries_ = new std::vector<Entry>(random_entries(20000)); }
  static void TearDownTestSuite() { delete entries_; }
  void SetUp() override { RecordProperty("seed", std::to_string(kSeed)); }

  // Every entry is in the range exactly if `belongs` says so; being a range, it is then contiguous.
  template <typename Belongs>
  static void expect_range(const KeyRange& range, const Belongs& belongs) {
    for (const Entry& entry : *entries_) {
      ASSERT_EQ(range.contains(entry.key), belongs(entry.url))
          << entry.url.href() << " and " << range.first << " .. " << range.end;
    }
  }

  static const std::vector<Entry>& entries() { return *entries_; }
  static std::vector<Entry>* entries_;
};
std::vector<Entry>* KeyOfOddUrls::entries_ = nullptr;

TEST_F(KeyOfOddUrls, EveryKeyInverts) {
  for (const Entry& entry : entries()) {
    ASSERT_EQ(url_of_key(entry.key), std::string(entry.url.href()));
  }
}

TEST_F(KeyOfOddUrls, DistinctUrlsHaveDistinctKeysAndNoKeyBeginsAnother) {
  for (std::size_t i = 1; i < entries().size(); ++i) {
    ASSERT_LT(entries()[i - 1].key, entries()[i].key);
    ASSERT_FALSE(entries()[i].key.starts_with(entries()[i - 1].key)) << entries()[i].url.href();
  }
}

TEST_F(KeyOfOddUrls, EveryKeyEndsInTheOnlyByteBelow0x21) {
  for (const Entry& entry : entries()) {
    const auto is_low = [](char byte) { return static_cast<unsigned char>(byte) < 0x21; };
    ASSERT_EQ(std::ranges::count_if(entry.key, is_low), 1);
    ASSERT_TRUE(is_low(entry.key.back()));
  }
}

TEST_F(KeyOfOddUrls, AHostWithItsPortsIsOneRange) {
  for (std::size_t i = 0; i < entries().size(); i += 101) {
    const Url& chosen = entries()[i].url;
    if (!chosen.is_web()) continue;
    expect_range(host_keys(chosen.host()),
                 [&](const Url& url) { return url.is_web() && url.host() == chosen.host(); });
  }
}

TEST_F(KeyOfOddUrls, ADomainWithItsSubdomainsIsOneRange) {
  for (std::size_t i = 0; i < entries().size(); i += 101) {
    const std::string host(entries()[i].url.host());
    if (host.empty()) continue;
    // The host itself and, for names, what is left of it after each dot.
    for (std::size_t start = 0; start != std::string::npos;) {
      const std::string domain = host.substr(start);
      const bool is_address = is_ip_address(domain);
      if (domain.empty() || (start > 0 && is_ip_address(host))) break;
      expect_range(domain_keys(domain), [&](const Url& url) {
        return url.is_web() &&
               (url.host() == domain || (!is_address && url.host().ends_with("." + domain)));
      });
      const std::size_t dot = host.find('.', start);
      start = dot == std::string::npos ? dot : dot + 1;
    }
  }
}

TEST_F(KeyOfOddUrls, ADirectoryIsOneRange) {
  for (std::size_t i = 0; i < entries().size(); i += 101) {
    const Url& chosen = entries()[i].url;
    if (!chosen.is_web()) continue;
    const auto directory = chosen.path().substr(0, chosen.path().rfind('/') + 1);
    expect_range(directory_keys(chosen), [&](const Url& url) {
      return url.is_web() && url.host() == chosen.host() && url.port() == chosen.port() &&
             url.path().starts_with(directory);
    });
  }
}

TEST_F(KeyOfOddUrls, APrefixIsOneRange) {
  for (std::size_t i = 0; i < entries().size(); i += 101) {
    const Url& chosen = entries()[i].url;
    if (!chosen.is_web()) continue;
    const std::string prefix = std::string(chosen.path()) + std::string(chosen.query());
    expect_range(prefix_keys(chosen), [&](const Url& url) {
      return url.is_web() && url.host() == chosen.host() && url.port() == chosen.port() &&
             (std::string(url.path()) + std::string(url.query())).starts_with(prefix);
    });
  }
}

TEST_F(KeyOfOddUrls, TheSchemesOfOnePageAreNeighbours) {
  for (std::size_t i = 0; i < entries().size(); i += 101) {
    const Url& chosen = entries()[i].url;
    if (!chosen.is_web()) continue;
    expect_range(spelling_keys(chosen), [&](const Url& url) {
      return url.is_web() && url.host() == chosen.host() && url.port() == chosen.port() &&
             url.path() == chosen.path() && url.query() == chosen.query();
    });
  }
}

TEST_F(KeyOfOddUrls, TheKeyIsTheSameHoweverTheUrlWasReached) {
  Url base;
  Url url;
  ASSERT_TRUE(parse_url("http://elsewhere.example/x/y", base));
  for (const Entry& entry : entries()) {
    ASSERT_TRUE(resolve_url(base, entry.url.href(), url));
    ASSERT_EQ(key_of(url), entry.key);
  }
}

}  // namespace
}  // namespace webstrata
