// SPDX-License-Identifier: Apache-2.0
#include "webstrata/facts/link.h"

#include <gtest/gtest.h>

#include <map>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

TEST(LinkSet, EqualTargetsJoin) {
  LinkSet links;
  links.add({"http://a/", LinkKind::Navigation, 1, "", ""});
  links.add({"http://b/", LinkKind::Embed, 1, "b", ""});
  links.add({"http://a/", LinkKind::Nofollow, 2, "first words", "around"});
  links.add({"http://a/", LinkKind::Navigation, 1, "other words", ""});
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].target, "http://a/");
  EXPECT_EQ(links[0].kinds, LinkKind::Navigation | LinkKind::Nofollow);
  EXPECT_EQ(links[0].count, 4);
  EXPECT_EQ(links[0].text, "first words");
  EXPECT_EQ(links[0].context, "around");
  EXPECT_EQ(links[1].text, "b");
}

TEST(LinkSet, CountsStopAt255) {
  LinkSet links;
  for (int i = 0; i < 300; ++i) links.add({"http://a/", LinkKind::Navigation});
  EXPECT_EQ(links[0].count, 255);
}

TEST(LinkSet, AgreesWithAMapPageAfterPage) {
  constexpr std::uint64_t kSeed = 3;
  Random random(kSeed);
  LinkSet links;
  for (int page = 0; page < 200; ++page) {
    links.clear();
    std::map<std::string, int> truth;
    const auto link_count = random.below(page % 50 == 0 ? 5000 : 60);
    for (std::uint64_t i = 0; i < link_count; ++i) {
      const std::string target = "http://h/" + std::to_string(random.below(300));
      truth[target] += 1;
      links.add({target, LinkKind::Navigation});
    }
    ASSERT_EQ(links.size(), truth.size()) << "seed " << kSeed;
    for (std::size_t i = 0; i < links.size(); ++i) {
      ASSERT_EQ(links[i].count, std::min(255, truth.at(std::string(links[i].target))));
    }
  }
}

TEST(LinkKinds, NamesGoRound) {
  for (int bits = 0; bits < 256; ++bits) {
    const auto kinds = LinkKinds::from_bits(static_cast<std::uint8_t>(bits));
    EXPECT_EQ(parse_link_kinds(to_string(kinds)), kinds);
  }
  EXPECT_EQ(to_string(LinkKind::Navigation | LinkKind::Nofollow), "navigation+nofollow");
  EXPECT_EQ(parse_link_kinds("navigation,embed"), LinkKind::Navigation | LinkKind::Embed);
  EXPECT_FALSE(parse_link_kinds("sideways"));
}

std::vector<std::string_view> more_texts(const LinkSet& links, std::size_t position) {
  std::vector<std::string_view> texts;
  links.more_texts(position, texts);
  return texts;
}

TEST(LinkSet, KeepsTheOtherTextsOfALink) {
  LinkSet links;
  const auto add = [&](std::string_view target, std::string_view text) {
    Link link;
    link.target = target;
    link.kinds = LinkKind::Navigation;
    link.text = text;
    return links.add(link);
  };
  add("http://a.example/", "");
  add("http://b.example/", "b");
  add("http://a.example/", "first");
  add("http://a.example/", "second");
  add("http://b.example/", "b");
  add("http://a.example/", "first");
  links.add_text(add("http://a.example/", ""), "third");
  EXPECT_EQ(links[0].text, "first");
  EXPECT_EQ(links[0].count, 5);
  EXPECT_EQ(links[0].target, "http://a.example/");
  EXPECT_EQ(more_texts(links, 0), (std::vector<std::string_view>{"second", "third"}));
  EXPECT_EQ(links[1].text, "b");
  EXPECT_TRUE(more_texts(links, 1).empty());
  links.clear();
  add("http://a.example/", "x");
  EXPECT_TRUE(more_texts(links, 0).empty());
}

}  // namespace
}  // namespace webstrata
