// SPDX-License-Identifier: Apache-2.0
#include "webstrata/facts/tombstones.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

constexpr SecretKey kKey{0x0123456789abcdef, 0xfedcba9876543210};

std::string key_text(std::string_view href) {
  Url url;
  EXPECT_TRUE(parse_url(href, url)) << href;
  std::string key;
  append_key(url, key);
  return key;
}

TEST(Tombstones, KeepOutWhatWasForgottenAndNothingElse) {
  Tombstones tombstones(kKey);
  EXPECT_FALSE(tombstones.covers(key_text("http://example.org/joe"), 1));
  EXPECT_TRUE(tombstones.add({.text = "http://example.org/joe"}));
  EXPECT_FALSE(tombstones.add({.text = "https://WWW.example.org/Joe/"}));  // the same
  EXPECT_EQ(tombstones.size(), 1U);
  EXPECT_TRUE(tombstones.covers(key_text("https://www.example.org/JOE"), std::nullopt));
  EXPECT_FALSE(tombstones.covers(key_text("http://example.org/joes"), 1));
}

// Found by the fuzzer: a key of one byte folds to nothing.
TEST(Tombstones, RubbishInPlaceOfAKeyIsNotCovered) {
  Tombstones tombstones(kKey);
  tombstones.add({.text = "http://example.org/joe"});
  tombstones.add({.scope = ForgetScope::Prefix, .text = "http://example.org/", .exactly = true});
  tombstones.add({.scope = ForgetScope::Host, .text = "example.net"});
  for (const std::string_view key : {"", "o", ")", ",", ")\x01", ",)\x01", "?", "??"}) {
    EXPECT_FALSE(tombstones.covers(key, 1)) << key;
  }
}

TEST(Tombstones, CanBeTakenBack) {
  Tombstones tombstones(kKey);
  const Forget some{.text = "http://example.org/a", .during = TimeInterval{1, 5}};
  const Forget all{.text = "http://example.org/a"};
  const Forget host{.scope = ForgetScope::Host, .text = "www.example.net"};
  tombstones.add(some);
  tombstones.add({.text = "http://example.org/a", .during = TimeInterval{8, 9}});
  tombstones.add(host);
  const std::string key = key_text("http://example.org/a");
  EXPECT_TRUE(tombstones.covers(key, 5));
  EXPECT_TRUE(tombstones.covers(key, 8));
  EXPECT_FALSE(tombstones.covers(key, 6));
  EXPECT_FALSE(tombstones.covers(key, std::nullopt));
  EXPECT_TRUE(tombstones.remove(some));
  EXPECT_FALSE(tombstones.remove(some));
  EXPECT_FALSE(tombstones.covers(key, 5));
  EXPECT_TRUE(tombstones.covers(key, 8));
  EXPECT_TRUE(tombstones.remove(all));
  EXPECT_FALSE(tombstones.covers(key, 8));
  EXPECT_TRUE(tombstones.covers(key_text("http://example.net/"), 1));
  EXPECT_TRUE(tombstones.remove(host));
  EXPECT_TRUE(tombstones.empty());
}

Forget random_request(Random& random) {
  constexpr std::string_view kUrls[] = {"http://example.org/",     "http://www.example.org/a/",
                                        "http://example.org/A",    "https://a.example.org:81/b?c",
                                        "http://example.org/a/b?", "http://192.0.2.1/a"};
  constexpr std::string_view kHosts[] = {"example.org", "www.example.org", "org", "192.0.2.1"};
  Forget forget;
  forget.scope = static_cast<ForgetScope>(random.below(3));
  forget.text = forget.scope == ForgetScope::Host ? kHosts[random.below(std::size(kHosts))]
                                                  : kUrls[random.below(std::size(kUrls))];
  forget.exactly = random.chance(0.4);
  if (random.chance(0.3)) {
    const auto first = static_cast<Time>(random.below(5));
    forget.during = TimeInterval{first, first + static_cast<Time>(random.below(3))};
  }
  return forget;
}

// The plain selection is the reference: hashed or not, the same keys are meant.
TEST(Tombstones, MeanWhatTheSelectionMeans) {
  constexpr std::uint64_t kSeed = 21;
  Random random(kSeed);
  const std::string keys[] = {key_text("http://example.org/"),
                              key_text("https://www.example.org/a"),
                              key_text("http://example.org/A"),
                              key_text("http://a.example.org:81/b?c"),
                              key_text("http://example.org/a/b"),
                              key_text("http://192.0.2.1/a/"),
                              key_text("http://www.example.org/"),
                              key_text("mailto:a@example.org"),
                              key_text("http://org/a"),
                              key_text("https://example.org/a/b?c")};
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    Selection selection;
    Tombstones tombstones(kKey);
    for (std::uint64_t i = random.below(4); i > 0; --i) {
      const Forget forget = random_request(random);
      selection.add(forget);
      tombstones.add(forget);
    }
    const Tombstones again = Tombstones::parse(tombstones.serialise(), kKey);
    for (const std::string& key : keys) {
      for (const std::optional<Time> time :
           {std::optional<Time>(), std::optional<Time>(2), std::optional<Time>(6)}) {
        ASSERT_EQ(tombstones.covers(key, time), selection.covers(key, time)) << key;
        ASSERT_EQ(again.covers(key, time), selection.covers(key, time)) << key;
      }
    }
  }
}

TEST(Tombstones, TheSameSetGivesTheSameBytesAndTellsNoName) {
  Tombstones one(kKey);
  Tombstones other(kKey);
  const Forget url{.text = "http://example.org/joe"};
  const Forget prefix{.scope = ForgetScope::Prefix, .text = "http://example.org/people/"};
  one.add(url);
  one.add(prefix);
  other.add(prefix);
  other.add(url);
  const std::string bytes = one.serialise();
  EXPECT_EQ(bytes, other.serialise());
  for (const std::string_view part : {"example", "joe", "people", "org,"}) {
    EXPECT_EQ(bytes.find(part), std::string::npos) << part;
  }
  Tombstones under_another_key({1, 2});
  under_another_key.add(url);
  under_another_key.add(prefix);
  EXPECT_NE(bytes, under_another_key.serialise());
}

// For the owner, who has the key and knows the words.
TEST(Tombstones, CanBeListedAndAskedFor) {
  Tombstones tombstones(kKey);
  const Forget url{.text = "http://example.org/joe", .during = TimeInterval{1, 5}};
  const Forget prefix{.scope = ForgetScope::Prefix, .text = "http://example.org/jim/"};
  const Forget host{.scope = ForgetScope::Host, .text = "example.net"};
  for (const Forget& forget : {url, prefix, host}) tombstones.add(forget);
  EXPECT_EQ(tombstones.views().size(), 3U);
  EXPECT_EQ(Tombstones::count_of(tombstones.serialise()), 3U);

  const auto kinds = [&](const Forget& asked) {
    std::string text;
    for (const TombstoneView& view : tombstones.views(asked)) {
      text += std::to_string(static_cast<int>(view.kind));
    }
    return text;
  };
  const auto digit = [](PatternKind kind) { return std::to_string(static_cast<int>(kind)); };
  // Asked without times, in another spelling.
  EXPECT_EQ(kinds({.text = "https://www.example.org/JOE"}), digit(PatternKind::Url));
  EXPECT_EQ(tombstones.views({.text = "http://example.org/joe"})[0].during->last, 5);
  EXPECT_EQ(kinds({.text = "http://example.org/jim/x"}), digit(PatternKind::Prefix));
  EXPECT_EQ(kinds({.text = "http://a.example.net/"}), digit(PatternKind::Domain));
  EXPECT_EQ(kinds(host), digit(PatternKind::Domain));
  EXPECT_EQ(kinds({.scope = ForgetScope::Host, .text = "a.example.net"}),
            digit(PatternKind::Domain));
  EXPECT_EQ(kinds({.scope = ForgetScope::Prefix, .text = "http://example.org/jim/x/"}),
            digit(PatternKind::Prefix));
  // More than was forgotten is not covered.
  EXPECT_EQ(kinds({.scope = ForgetScope::Prefix, .text = "http://example.org/"}), "");
  EXPECT_EQ(kinds({.scope = ForgetScope::Host, .text = "example.org"}), "");
  EXPECT_EQ(kinds({.text = "http://example.org/"}), "");
}

TEST(Tombstones, DamageAndAWrongKeyAreNoticed) {
  Tombstones tombstones(kKey);
  tombstones.add({.text = "http://example.org/joe", .during = TimeInterval{1, 2}});
  tombstones.add({.scope = ForgetScope::Prefix, .text = "http://example.org/x"});
  const std::string bytes = tombstones.serialise();
  EXPECT_THROW(Tombstones::parse(bytes, {kKey.low, kKey.high + 1}), Error);
  EXPECT_FALSE(Tombstones::is_made_under(bytes, {kKey.low, kKey.high + 1}));
  EXPECT_TRUE(Tombstones::is_made_under(bytes, kKey));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(Tombstones::parse(bytes.substr(0, size), kKey), Error) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_THROW(Tombstones::parse(damaged, kKey), Error) << at;
  }
  EXPECT_TRUE(Tombstones::parse(Tombstones(kKey).serialise(), kKey).empty());
}

// Lists of several archives, each under its own key, mean what one list of all means.
TEST(Tombstones, ListsOfOtherArchivesJoin) {
  constexpr std::uint64_t kSeed = 22;
  constexpr SecretKey kKeys[] = {kKey, {1, 2}, {3, 4}};
  Random random(kSeed);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    Selection selection;
    std::vector<Forget> requests;
    Tombstones joined(kKey);
    for (const SecretKey& key : kKeys) {
      Tombstones list(key);
      for (std::uint64_t i = random.below(4); i > 0; --i) {
        requests.push_back(random_request(random));
        selection.add(requests.back());
        list.add(requests.back());
      }
      EXPECT_EQ(joined.join(list), !list.empty());
      EXPECT_FALSE(joined.join(list));
    }
    const std::string bytes = joined.serialise();
    ASSERT_TRUE(Tombstones::is_made_under(bytes, kKeys));
    Tombstones again = Tombstones::parse(bytes, kKeys);
    EXPECT_EQ(again.serialise(), bytes);
    EXPECT_EQ(again.size(), joined.size());
    EXPECT_EQ(again.views().size(), joined.size());
    EXPECT_EQ(Tombstones::count_of(bytes), joined.size());
    for (const char* url : {"http://example.org/", "https://www.example.org/a",
                            "http://a.example.org:81/b?c", "http://192.0.2.1/a/"}) {
      const std::string key = key_text(url);
      EXPECT_EQ(again.covers(key, std::nullopt), selection.covers(key, std::nullopt)) << url;
      EXPECT_EQ(again.covers(key, 2), selection.covers(key, 2)) << url;
      EXPECT_EQ(again.touches(key), selection.touches(key)) << url;
    }
    if (again.keys().size() == 3) {
      EXPECT_THROW(Tombstones::parse(bytes, kKey), Error);
      EXPECT_FALSE(Tombstones::is_made_under(bytes, kKey));
      for (std::size_t at = 0; at < bytes.size(); at += 1 + random.below(9)) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        EXPECT_THROW(Tombstones::parse(damaged, kKeys), Error) << at;
        EXPECT_THROW(Tombstones::parse(bytes.substr(0, at), kKeys), Error) << at;
      }
    }
    for (const Forget& request : requests) again.remove(request);
    EXPECT_TRUE(again.empty());
  }
}

}  // namespace
}  // namespace webstrata
