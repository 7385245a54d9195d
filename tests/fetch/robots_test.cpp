// SPDX-License-Identifier: Apache-2.0

// The cases follow RFC 9309 and the public test-suite of google/robotstxt (behaviour, not text);
// where that suite tests its own behaviour, the comment says so.

#include "webstrata/fetch/rules/robots.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

struct Case {
  const char* path;
  bool allowed;
};

void expect_all(const std::string& robots, const std::string& agent,
                std::initializer_list<Case> cases) {
  const RobotsRules rules = parse_robots(robots, agent);
  for (const Case& one : cases) {
    EXPECT_EQ(rules.allows(one.path), one.allowed) << one.path << " for " << agent << " in\n"
                                                   << robots;
  }
}

TEST(Robots, NoFileNoRules) {
  expect_all("", "bot", {{"/", true}, {"/a", true}, {"", true}});
  expect_all("user-agent: bot\ndisallow: /\n", "bot", {{"", false}, {"/", false}});
  expect_all("user-agent: bot\ndisallow: /\n", "", {{"/", true}});
}

TEST(Robots, ALineIsANameAColonAndAValue) {
  expect_all("user-agent: bot\ndisallow: /\n", "bot", {{"/x/y", false}});
  expect_all("name: bot\nbar: /\n", "bot", {{"/x/y", true}});
  // People forget the colon; what they mean is plain.
  expect_all("user-agent bot\ndisallow /\n", "bot", {{"/x/y", false}});
  expect_all("user-agent: bot\ndisallow / everything\n", "bot", {{"/x/y", true}});
}

TEST(Robots, GroupsOfOneAgentCountTogether) {
  const std::string robots =
      "allow: /outside/\n\n"
      "user-agent: one\ndisallow: /\nallow: /x/\n"
      "user-agent: two\ndisallow: /\nallow: /y/\n\n\nallow: /w/\n"
      "user-agent: three\n\nuser-agent: one\nallow: /z/\ndisallow: /\n";
  expect_all(robots, "one",
             {{"/x/b", true}, {"/z/d", true}, {"/y/c", false}, {"/outside/", false}});
  expect_all(robots, "two",
             {{"/y/c", true}, {"/w/a", true}, {"/z/d", false}, {"/outside/", false}});
  expect_all(robots, "three", {{"/z/d", true}, {"/outside/", false}});
}

TEST(Robots, OtherLinesCloseNoGroup) {
  const std::string robots =
      "user-agent: bot\ncrawl-delay: 2\nsitemap: http://a.example/s.xml\nuser-agent: "
      "other\ndisallow: /\n";
  expect_all(robots, "bot", {{"/x", false}});
  expect_all(robots, "other", {{"/x", false}});
}

TEST(Robots, NamesOfLinesAndAgentsHaveNoCase) {
  for (const char* robots :
       {"USER-AGENT: BOT\nALLOW: /x/\nDISALLOW: /\n", "user-agent: bot\nallow: /x/\ndisallow: /\n",
        "uSeR-aGeNt: bOt\nAlLoW: /x/\ndIsAlLoW: /\n"}) {
    for (const char* agent : {"bot", "Bot", "BOT"}) {
      expect_all(robots, agent, {{"/x/y", true}, {"/a/b", false}});
    }
  }
}

TEST(Robots, AnAgentIsItsFirstWord) {
  const std::string robots =
      "user-agent: *\ndisallow: /\nuser-agent: Foo Bar\nallow: /x/\ndisallow: /\n";
  expect_all(robots, "foo", {{"/x/y", true}, {"/y", false}});
  expect_all("user-agent: foo/2.1\ndisallow: /\n", "foo", {{"/", false}});
  // The whole name counts, neither its beginning nor its end.
  expect_all("user-agent: foobar\ndisallow: /\n", "foo", {{"/", true}});
  expect_all("user-agent: foo\ndisallow: /\n", "foobar", {{"/", true}});
}

TEST(Robots, TheStarIsForThoseWhomNobodyNames) {
  const std::string robots = "user-agent: *\nallow: /\nuser-agent: one\ndisallow: /\n";
  expect_all(robots, "one", {{"/x", false}});
  expect_all(robots, "two", {{"/x", true}});
  expect_all("user-agent: one\ndisallow: /\n", "two", {{"/x", true}});
  expect_all("user-agent: *\ndisallow: /x/\nuser-agent: one\ndisallow: /y/\n", "one",
             {{"/x/page", true}, {"/y/page", false}});
  expect_all("user-agent: *\ndisallow: /a\nuser-agent: * other\ndisallow: /b\n", "one",
             {{"/a", false}, {"/b", false}, {"/c", true}});
}

TEST(Robots, PathsHaveCase) {
  expect_all("user-agent: bot\ndisallow: /x/\n", "bot", {{"/x/y", false}});
  expect_all("user-agent: bot\ndisallow: /X/\n", "bot", {{"/x/y", true}});
}

TEST(Robots, TheLongestRuleWinsAndAllowWinsATie) {
  const std::string agent = "user-agent: bot\n";
  expect_all(agent + "disallow: /x/page.html\nallow: /x/\n", "bot", {{"/x/page.html", false}});
  expect_all(agent + "allow: /x/page.html\ndisallow: /x/\n", "bot",
             {{"/x/page.html", true}, {"/x/", false}});
  expect_all(agent + "disallow: \nallow: \n", "bot", {{"/x/page.html", true}});
  expect_all(agent + "disallow: /\nallow: /\n", "bot", {{"/x/page.html", true}});
  expect_all(agent + "disallow: /x\nallow: /x/\n", "bot", {{"/x", false}, {"/x/", true}});
  expect_all(agent + "disallow: /x/page.html\nallow: /x/page.html\n", "bot",
             {{"/x/page.html", true}});
  expect_all(agent + "allow: /page\ndisallow: /*.html\n", "bot",
             {{"/page.html", false}, {"/page", true}});
  expect_all(agent + "allow: /x/page.\ndisallow: /*.html\n", "bot",
             {{"/x/page.html", true}, {"/x/y.html", false}});
}

TEST(Robots, OctetsAreComparedInOneSpelling) {
  const std::string head = "user-agent: bot\ndisallow: /\n";
  expect_all(head + "allow: /a/b?q=t&z=http://a.b?t&p\n", "bot",
             {{"/a/b?q=t&z=http://a.b?t&p", true}});
  for (const char* rule :
       {"allow: /a/\xe3\x83\x84\n", "allow: /a/%E3%83%84\n", "allow: /a/%e3%83%84\n"}) {
    expect_all(head + rule, "bot",
               {{"/a/%E3%83%84", true}, {"/a/%e3%83%84", true}, {"/a/%E3%83", false}});
  }
  // RFC 9309, 2.2.2: escapes of unreserved characters mean the characters. (The suite of google/
  // robotstxt compares these letter by letter, and calls that illegal itself.)
  expect_all(head + "allow: /a/%62%61%7A\n", "bot", {{"/a/baz", true}, {"/a/%62%61%7a", true}});
  // "/" in a name is not the slash between names.
  expect_all(head + "allow: /a%2fb\n", "bot", {{"/a%2Fb", true}, {"/a/b", false}});
}

TEST(Robots, SpecialCharacters) {
  const std::string agent = "user-agent: bot\n";
  expect_all(agent + "disallow: /a/b/c\nallow: /a/*/d\n", "bot",
             {{"/a/b/c", false}, {"/a/c", true}, {"/a//c", true}, {"/a/x/c", true}});
  expect_all(agent + "disallow: /a/b$\nallow: /a/b/d\n", "bot",
             {{"/a/b", false}, {"/a/b/d", true}, {"/a/b/", true}, {"/a/b/e", true}});
  expect_all(agent + "# disallow: /\ndisallow: /a/c#d\nallow: /\n", "bot",
             {{"/a/b", true}, {"/a/c", false}});
  // RFC 9309, 2.2.3: as themselves they are written with escapes.
  expect_all(agent + "disallow: /file-%2A.html\ndisallow: /%24x\n", "bot",
             {{"/file-*.html", false}, {"/file-a.html", true}, {"/$x", false}});
  expect_all(agent + "disallow: /a$b\n", "bot", {{"/a$b", false}, {"/a", true}});
}

// The tables that the search engine's documentation gives for its own reading.
TEST(Robots, TheDocumentedExamples) {
  const std::string head = "user-agent: bot\ndisallow: /\n";
  for (const char* rule : {"allow: /fish\n", "allow: /fish*\n"}) {
    expect_all(head + rule, "bot",
               {{"/bar", false},
                {"/fish", true},
                {"/fish.html", true},
                {"/fish/salmon.html", true},
                {"/fishheads", true},
                {"/fish.html?id=anything", true},
                {"/Fish.asp", false},
                {"/catfish", false},
                {"/?id=fish", false}});
  }
  expect_all(head + "allow: /fish/\n", "bot",
             {{"/fish/", true},
              {"/fish/salmon", true},
              {"/fish/?salmon", true},
              {"/fish", false},
              {"/fish.html", false},
              {"/Fish/Salmon.html", false}});
  expect_all(head + "allow: /*.php\n", "bot",
             {{"/filename.php", true},
              {"/folder/filename.php?parameters", true},
              {"//folder/any.php.file.html", true},
              {"/filename.php/", true},
              {"/index?f=filename.php/", true},
              {"/php/", false},
              {"/index?php", false},
              {"/windows.PHP", false}});
  expect_all(head + "allow: /*.php$\n", "bot",
             {{"/filename.php", true},
              {"/folder/filename.php", true},
              {"/filename.php?p", false},
              {"/filename.php/", false},
              {"/filename.php5", false},
              {"/aaaphpaaa", false}});
  expect_all(head + "allow: /fish*.php\n", "bot",
             {{"/fish.php", true}, {"/fishheads/catfish.php?p", true}, {"/Fish.PHP", false}});
  expect_all(head + "allow: /p\n", "bot", {{"/page", true}});
  expect_all("user-agent: bot\nallow: /folder\ndisallow: /folder\n", "bot",
             {{"/folder/page", true}});
  expect_all(head + "allow: /$\n", "bot", {{"/", true}, {"/page.html", false}});
}

// That suite allows "/" where "/index.html" is allowed; the standard does not, and neither do we.
TEST(Robots, AnIndexPageIsNotItsDirectory) {
  expect_all("user-agent: *\nallow: /a/index.html\ndisallow: /\n", "bot",
             {{"/a/index.html", true}, {"/a/", false}, {"/a/index.htm", false}});
}

TEST(Robots, EveryLineEndAndTheByteOrderMark) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string e = end;
    expect_all(
        "user-agent: one" + e + "allow: /a" + e + "user-agent: bot" + e + e + e + "disallow: /",
        "bot", {{"/a", false}});
  }
  for (const char* mark : {"\xef\xbb\xbf", "\xef\xbb", "\xef"}) {
    expect_all(std::string(mark) + "user-agent: bot\ndisallow: /\n", "bot", {{"/a", false}});
  }
  expect_all(
      "\xef\x11\xbf"
      "user-agent: bot\ndisallow: /\n",
      "bot", {{"/a", true}});  // no such line
}

TEST(Robots, RobotsTxtItselfMayAlwaysBeRead) {
  expect_all("user-agent: *\ndisallow: /\n", "bot",
             {{"/robots.txt", true}, {"/robots.txt2", false}});
  EXPECT_TRUE(RobotsRules::disallow_all().allows("/robots.txt"));
  EXPECT_FALSE(RobotsRules::disallow_all().allows("/"));
  EXPECT_TRUE(RobotsRules::allow_all().allows("/"));
}

TEST(Robots, CrawlDelayIsOfTheGroupAndRoundsUp) {
  const std::string robots =
      "user-agent: one\ncrawl-delay: 2.5\ndisallow:\nuser-agent: *\nCrawl-delay: 10\nuser-agent: "
      "two\n"
      "crawl-delay: 0.0001\nuser-agent: three\ndisallow: /\ncrawl-delay: soon\n";
  EXPECT_EQ(parse_robots(robots, "one").crawl_delay_ms(), 2500);
  EXPECT_EQ(parse_robots("user-agent: *\ncrawl-delay: 10\ndisallow: /x\n", "bot").crawl_delay_ms(),
            10000);
  EXPECT_EQ(parse_robots("user-agent: two\ncrawl-delay: 0.0001\n", "two").crawl_delay_ms(), 1);
  EXPECT_EQ(parse_robots("user-agent: x\ncrawl-delay: soon\n", "x").crawl_delay_ms(), std::nullopt);
  EXPECT_EQ(parse_robots("user-agent: x\ncrawl-delay: -1\n", "x").crawl_delay_ms(), std::nullopt);
  EXPECT_EQ(parse_robots("user-agent: x\ncrawl-delay: 1e30\n", "x").crawl_delay_ms(), 86'400'000);
}

TEST(Robots, SitemapsAreForEverybody) {
  const RobotsRules rules = parse_robots(
      "Sitemap: http://a.example/one.xml\nuser-agent: other\ndisallow: /\nsitemap: /two.xml # x\n",
      "bot");
  EXPECT_EQ(rules.sitemaps(), (std::vector<std::string>{"http://a.example/one.xml", "/two.xml"}));
}

TEST(Robots, NoMoreThanFiveHundredKibibytesAreRead) {
  const std::string filler(kRobotsBytesMax - 40, '#');
  expect_all(filler + "\nuser-agent: bot\ndisallow: /\n", "bot", {{"/a", false}});
  expect_all(filler + std::string(40, '#') + "\nuser-agent: bot\ndisallow: /\n", "bot",
             {{"/a", true}});
}

TEST(Robots, TheRuleThatDecidesCanBeTold) {
  const RobotsRules rules = parse_robots("user-agent: *\ndisallow: /a\nallow: /a/b\n", "bot");
  EXPECT_EQ(rules.decide("/a/c").rule, "Disallow: /a");
  EXPECT_EQ(rules.decide("/a/b").rule, "Allow: /a/b");
  EXPECT_EQ(rules.decide("/c").rule, "");
}

// ---- how much work ------------------------------------------------------------------------------

// The definition, character by character, however long it takes.
bool slowly_matches(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return true;
  if (pattern == "$") return path.empty();
  if (pattern.front() == '*') {
    return slowly_matches(pattern.substr(1), path) ||
           (!path.empty() && slowly_matches(pattern, path.substr(1)));
  }
  return !path.empty() && pattern.front() == path.front() &&
         slowly_matches(pattern.substr(1), path.substr(1));
}

// The rule that decides: the longest that matches, Allow before Disallow, the first of equals.
std::string slowly_decided(const std::vector<std::pair<std::string, bool>>& rules,
                           std::string_view path) {
  const std::pair<std::string, bool>* best = nullptr;
  for (const auto& rule : rules) {
    if (!slowly_matches(rule.first, path)) continue;
    const bool is_better =
        best == nullptr || rule.first.size() > best->first.size() ||
        (rule.first.size() == best->first.size() && rule.second && !best->second);
    if (is_better) best = &rule;
  }
  return best == nullptr ? "" : (best->second ? "Allow: " : "Disallow: ") + best->first;
}

TEST(Robots, RandomRulesDecideAsTheDefinitionSays) {
  constexpr std::uint64_t kSeed = 17;
  SCOPED_TRACE(kSeed);
  Random random(kSeed);
  const auto text = [&](std::string_view letters, std::uint64_t size_max) {
    std::string made = "/";
    for (std::uint64_t left = random.below(size_max); left > 0; --left) {
      made += letters[random.below(letters.size())];
    }
    return made;
  };
  std::uint64_t decided = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::pair<std::string, bool>> rules;
    std::string robots = "user-agent: *\n";
    for (std::uint64_t count = 1 + random.below(6); count > 0; --count) {
      std::string pattern = text("ab**", 7);
      if (random.chance(0.3)) pattern = pattern.substr(1) + "*";  // may begin with a star
      if (random.chance(0.3)) pattern += '$';
      rules.emplace_back(pattern, random.chance(0.5));
      robots += (rules.back().second ? "allow: " : "disallow: ") + pattern + "\n";
    }
    const RobotsRules parsed = parse_robots(robots, "bot");
    for (int i = 0; i < 10; ++i) {
      const std::string path = text("ab", 8);
      const std::string expected = slowly_decided(rules, path);
      const RobotsDecision decision = parsed.decide(path);
      ASSERT_EQ(decision.rule, expected) << path << " in\n" << robots;
      ASSERT_EQ(decision.is_allowed, !expected.starts_with("Disallow")) << path;
      decided += expected.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(decided, 5000U) << "most rules met nothing: this shows too little";
}

// Many stars, and pieces that nearly match everywhere: once a second of work for each path.
std::string costly_robots(int rules, int stars) {
  std::string robots = "user-agent: *\n";
  for (int rule = 0; rule < rules; ++rule) {
    robots += "disallow: /";
    for (int star = 0; star < stars; ++star) robots += "*a";
    robots += std::to_string(rule) + "\n";
  }
  return robots;
}

TEST(Robots, ManyStarsTakeTimeInProportionToThePath) {
  // 500 rules of 990 characters are within the bound, for the longest path of a crawl too.
  const std::string long_path = "/" + std::string(1900, 'a');
  std::string nearly = "user-agent: *\n";
  for (int rule = 100; rule < 600; ++rule) {
    nearly += "disallow: /*" + std::string(985, 'a') + std::to_string(rule) + "\n";
  }
  for (const std::string& robots : {nearly, costly_robots(500, 490)}) {
    EXPECT_EQ(parse_robots(robots, "bot").decide(long_path).is_capped, false);
    EXPECT_TRUE(parse_robots(robots, "bot").allows(long_path));
  }
  const RobotsRules rules = parse_robots(costly_robots(500, 490), "bot");
  EXPECT_FALSE(rules.decide("/" + std::string(400, 'a')).is_capped);
  EXPECT_TRUE(rules.allows("/" + std::string(400, 'a')));
  EXPECT_EQ(rules.decide("/" + std::string(600, 'a') + "7").rule.size(), 10 + 1 + 980 + 1U);
}

TEST(Robots, WhatIsTooMuchWorkIsNotAllowedAndSaysSo) {
  const RobotsRules rules =
      parse_robots("user-agent: *\nallow: /b\n" + costly_robots(40'000, 2), "bot");
  const RobotsDecision decision = rules.decide("/" + std::string(2000, 'a'));
  EXPECT_TRUE(decision.is_capped);
  EXPECT_FALSE(decision.is_allowed);
  EXPECT_EQ(decision.rule, "");
  // Other paths of the same file are decided.
  EXPECT_EQ(rules.decide("/b").rule, "Allow: /b");
  EXPECT_EQ(rules.decide("/aa77").rule, "Disallow: /*a*a77");
}

// Rules without stars cost no more than reading the file, so they are never refused.
TEST(Robots, AsManyPlainRulesAsAFileHoldsAreWithinTheBound) {
  std::string robots = "user-agent: *\n";
  for (int rule = 0; robots.size() < kRobotsBytesMax - 100; ++rule) {
    robots += "disallow: /" + std::to_string(rule) + "/\n";
  }
  const RobotsRules rules = parse_robots(robots + "disallow: /last\n", "bot");
  EXPECT_EQ(rules.decide("/last/page").rule, "Disallow: /last");
  EXPECT_EQ(rules.decide("/20000/page").rule, "Disallow: /20000/");
  EXPECT_FALSE(rules.decide("/" + std::string(5000, 'x')).is_capped);
}

// A pattern of many stars takes time in proportion to path and pattern, not beyond.
TEST(Robots, ManyStarsDoNotHang) {
  std::string pattern = "/";
  for (int i = 0; i < 2000; ++i) pattern += "*a";
  const RobotsRules rules = parse_robots("user-agent: *\ndisallow: " + pattern + "b$\n", "bot");
  EXPECT_TRUE(rules.allows("/" + std::string(4000, 'a')));
}

}  // namespace
}  // namespace webstrata
