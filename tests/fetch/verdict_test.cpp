// SPDX-License-Identifier: Apache-2.0

// Every test is a small web of hand-written answers; expectations follow from the definitions of
// outcomes, not from the code.

#include "webstrata/fetch/probe/verdict.h"

#include <gtest/gtest.h>

#include <map>

namespace webstrata {
namespace {

class Web {
 public:
  PageAnswer& page(const std::string& url, int status, const std::string& target = "") {
    PageAnswer& answer = answers_[url];
    answer.url = url;
    answer.status = status;
    answer.target = target;
    answer.time = 1000;
    answer.is_empty = false;
    return answer;
  }
  PageAnswer& text(const std::string& url, const std::string& words,
                   const std::string& title = "T") {
    PageAnswer& answer = page(url, 200);
    answer.digest = "sha1:" + words + url;
    answer.title = title;
    answer.sketch = sketch_text(words, own_words(url));
    return answer;
  }
  void fails(const std::string& url, Failure failure) { page(url, 0).failure = failure; }

  Judgement judged(const std::string& url, JudgeOptions options = {}) {
    asked_.clear();
    while (true) {
      Judgement judgement = judge(
          url,
          [this](const std::string& wanted) {
            const auto found = answers_.find(wanted);
            return found == answers_.end() ? nullptr : &found->second;
          },
          options);
      if (judgement.needs.empty()) return judgement;
      asked_.push_back(judgement.needs);
      page(judgement.needs, 404);  // no such page
    }
  }
  Outcome outcome(const std::string& url, const JudgeOptions& options = {}) {
    return judged(url, options).outcome;
  }
  [[nodiscard]] const std::vector<std::string>& asked() const { return asked_; }

 private:
  std::map<std::string, PageAnswer> answers_;
  std::vector<std::string> asked_;
};

const std::string kOldPage = "http://a.example/d/p.html";
const std::string kTwin = twin_of(kOldPage, 1);
const std::string kWords = "one two three four five six seven eight nine ten eleven twelve";

TEST(Verdict, StatusesDecideWhereTheyCan) {
  const std::pair<int, Outcome> known[] = {
      {404, Outcome::Gone},        {410, Outcome::Gone},        {401, Outcome::Blocked},
      {403, Outcome::Blocked},     {429, Outcome::Blocked},     {451, Outcome::Blocked},
      {500, Outcome::Unreachable}, {503, Outcome::Unreachable}, {418, Outcome::Unknown},
      {304, Outcome::Alive},
  };
  for (const auto& [status, outcome] : known) {
    Web web;
    web.page(kOldPage, status);
    EXPECT_EQ(web.outcome(kOldPage), outcome) << status;
    EXPECT_TRUE(web.asked().empty());
  }
}

TEST(Verdict, NoAnswerIsUnreachableAndSaysWhy) {
  Web web;
  web.fails(kOldPage, Failure::NameNotFound);
  const Judgement judgement = web.judged(kOldPage);
  EXPECT_EQ(judgement.outcome, Outcome::Unreachable);
  EXPECT_EQ(judgement.failure, Failure::NameNotFound);
  web.page(kOldPage, 0).end = AskEnd::Disallowed;
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Blocked);
}

TEST(Verdict, AnHonestTwinMakesAPageAlive) {
  Web web;
  web.text(kOldPage, kWords);
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Alive);
  EXPECT_EQ(web.asked(), std::vector<std::string>{kTwin});
}

TEST(Verdict, APageThatIsItsTwinIsSoftGone) {
  Web web;
  web.text(kOldPage, "sorry we could not find p.html but look at our other wonderful pages");
  const std::string name = kTwin.substr(kTwin.rfind('/') + 1);
  web.text(kTwin, "sorry we could not find " + name + " but look at our other wonderful pages");
  EXPECT_EQ(web.outcome(kOldPage), Outcome::SoftGone);
}

TEST(Verdict, ATwinThatSaysSomethingElseIsNone) {
  Web web;
  web.text(kOldPage, kWords);
  web.text(kTwin, "welcome to our home page with many other words in it than there");
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Alive);
}

// A short article under a long menu is not the error page under the same menu.
TEST(Verdict, TheSameMenuIsNotTheSamePage) {
  std::string menu;
  for (int i = 0; i < 400; ++i) menu += "item" + std::to_string(i) + " ";
  Web web;
  web.text(kOldPage, menu + "an article about the price of eggs in ten words", "Eggs");
  web.text(kTwin, menu + "not found", "Error");
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Alive);
}

// `count` different words, of which the last `other` are others than in a text with `other` = 0.
std::string numbered_words(int count, int other = 0) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += std::to_string(i < count - other ? 1000 + i : 5000 + i) + " ";
  return text;
}

// n different words have n - 3 runs of four, and each changed word at the end changes one: with 100
// words of which k differ, both have 97 - k runs of the 97 + k. METHODS: the same page if that is
// at least 0.9 and the titles are equal, or at least 0.99.
TEST(Verdict, APageIsItsTwinIfNineTenthsOfItsRunsAreTheSame) {
  const auto outcome = [](int words, int other, const std::string& title) {
    Web web;
    web.text(kOldPage, numbered_words(words), "T");
    web.text(kTwin, numbered_words(words, other), title);
    return web.outcome(kOldPage);
  };
  EXPECT_EQ(outcome(100, 5, "T"), Outcome::SoftGone);  // 92 / 102 = 0.902
  EXPECT_EQ(outcome(100, 6, "T"), Outcome::Alive);     // 91 / 103 = 0.883
  EXPECT_EQ(outcome(100, 20, "T"), Outcome::Alive);    // 77 / 117 = 0.658
  EXPECT_EQ(outcome(100, 5, "U"), Outcome::Alive);     // other titles
  EXPECT_EQ(outcome(240, 1, "U"), Outcome::SoftGone);  // 236 / 238 = 0.992
  EXPECT_EQ(outcome(200, 1, "U"), Outcome::Alive);     // 196 / 198 = 0.9899
  EXPECT_EQ(outcome(200, 1, "T"), Outcome::SoftGone);
}

TEST(Verdict, AHomePageHasNoTwin) {
  Web web;
  web.text("http://a.example/", kWords);
  web.text(twin_of("http://a.example/", 1), kWords);
  EXPECT_EQ(web.outcome("http://a.example/"), Outcome::Alive);
  EXPECT_TRUE(web.asked().empty());
}

TEST(Verdict, BytesThatTheArchiveKnowsNeedNoTwin) {
  Web web;
  web.text(kOldPage, kWords).digest = "sha1:SAME";
  JudgeOptions options;
  options.known = [](const std::string&) { return KnownPage{"sha1:SAME", 7}; };
  EXPECT_EQ(web.outcome(kOldPage, options), Outcome::Alive);
  EXPECT_TRUE(web.asked().empty());
  options.known = [](const std::string&) { return KnownPage{"sha1:OTHER", 7}; };
  EXPECT_EQ(web.outcome(kOldPage, options), Outcome::Alive);
  EXPECT_EQ(web.asked().size(), 1U);
}

TEST(Verdict, MovedIsWhatLeadsToAPage) {
  Web web;
  web.page(kOldPage, 301, "http://b.example/q");
  web.page("http://b.example/q", 302, "http://c.example/r");
  web.text("http://c.example/r", kWords);
  const Judgement judgement = web.judged(kOldPage);
  EXPECT_EQ(judgement.outcome, Outcome::Moved);
  EXPECT_EQ(judgement.target, "http://c.example/r");
  EXPECT_EQ(judgement.status, 301);
}

TEST(Verdict, MovedToNothingIsNotMoved) {
  Web web;
  web.page(kOldPage, 301, "http://b.example/q");
  web.page("http://b.example/q", 404);
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Gone);
  web.fails("http://b.example/q", Failure::AddressRefused);
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Unreachable);
  web.page("http://b.example/q", 403);
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Moved);
}

TEST(Verdict, WhatEveryNameIsSentToIsSoftGone) {
  Web web;
  web.page(kOldPage, 302, "http://a.example/");
  web.page(kTwin, 302, "http://a.example/");
  web.text("http://a.example/", kWords);
  EXPECT_EQ(web.outcome(kOldPage), Outcome::SoftGone);
}

// A whole site that moved to https sends twins there too, each to its own name.
TEST(Verdict, AMovedSiteIsMoved) {
  Web web;
  web.page(kOldPage, 301, "https://a.example/d/p.html");
  web.text("https://a.example/d/p.html", kWords);
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Moved);
  EXPECT_TRUE(web.asked().empty());
}

TEST(Verdict, RedirectsWithoutEndAreUnreachable) {
  Web web;
  web.page(kOldPage, 302, "http://a.example/0");
  for (int i = 0; i < 10; ++i) {
    web.page("http://a.example/" + std::to_string(i), 302,
             "http://a.example/" + std::to_string(i + 1));
  }
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Unreachable);
  Web circle;
  circle.page(kOldPage, 302, kOldPage);
  EXPECT_EQ(circle.outcome(kOldPage), Outcome::Unreachable);
}

// docs/probe.md: five redirects are followed, as for robots.txt (RFC 9309, 2.3.1.2).
TEST(Verdict, FiveRedirectsAreFollowedAndNoSixth) {
  for (const ProbeRule rule : {ProbeRule::Evidence, ProbeRule::Paper}) {
    for (int redirects = 1; redirects <= 9; ++redirects) {
      Web web;
      const auto hop = [](int i) { return "http://b.example/" + std::to_string(i); };
      web.page(kOldPage, 301, hop(1));
      for (int i = 1; i < redirects; ++i) web.page(hop(i), 301, hop(i + 1));
      web.text(hop(redirects), kWords);
      const Judgement judgement = web.judged(kOldPage, {.rule = rule});
      EXPECT_EQ(judgement.outcome, redirects <= 5 ? Outcome::Moved : Outcome::Unreachable)
          << redirects;
      if (redirects > 5) {
        EXPECT_EQ(judgement.evidence.back(), "more than 5 redirects");
      }
    }
  }
}

TEST(Verdict, ParkedTakesTwoSigns) {
  const std::string home = "http://a.example/";
  Web web;
  web.text(home, kWords).sale_phrase = "buy this domain";
  EXPECT_EQ(web.outcome(home), Outcome::Alive);  // a phrase alone says nothing
  Web loads;
  loads.text(home, kWords).parking_service = "sedo.com";
  EXPECT_EQ(loads.outcome(home), Outcome::Alive);
  web.text(home, kWords).sale_phrase = "buy this domain";
  web.text(twin_of(home, 1), kWords);
  EXPECT_EQ(web.outcome(home), Outcome::SoftGone);
  Web both;
  PageAnswer& answer = both.text(home, kWords);
  answer.sale_phrase = "buy this domain";
  answer.parking_service = "sedo.com";
  EXPECT_EQ(both.outcome(home), Outcome::SoftGone);
}

TEST(Verdict, AHeadWithoutABodyThatBreaksIsNoPage) {
  Web web;
  PageAnswer& answer = web.page(kOldPage, 200);
  answer.is_empty = true;
  answer.failure = Failure::Reset;
  EXPECT_EQ(web.outcome(kOldPage), Outcome::Unreachable);
}

// The papers' rule, line by line.
TEST(Verdict, ThePapersRule) {
  const JudgeOptions paper{.rule = ProbeRule::Paper};
  Web web;
  web.text(kOldPage, kWords);
  EXPECT_EQ(web.outcome(kOldPage, paper), Outcome::Alive);
  EXPECT_TRUE(web.asked().empty()) << "no twins in the paper";
  web.text(kOldPage, kWords).says_not_found = true;
  EXPECT_EQ(web.outcome(kOldPage, paper), Outcome::SoftGone);
  web.page(kOldPage, 301, "http://b.example/");
  web.text("http://b.example/", kWords);
  EXPECT_EQ(web.outcome(kOldPage, paper), Outcome::Moved);
  web.text("http://b.example/", kWords).says_not_found = true;
  EXPECT_EQ(web.outcome(kOldPage, paper), Outcome::SoftGone);
  web.page("http://b.example/", 404);
  EXPECT_EQ(web.outcome(kOldPage, paper), Outcome::Gone);
  Web other;
  other.page(kOldPage, 302, "http://b.example/");  // only 301 is followed
  EXPECT_EQ(other.outcome(kOldPage, paper), Outcome::Moved);
  EXPECT_TRUE(other.asked().empty());
}

TEST(Verdict, TwinsStandBesideTheirPages) {
  EXPECT_TRUE(kTwin.starts_with("http://a.example/d/") && kTwin.ends_with(".html"));
  EXPECT_EQ(kTwin, twin_of("http://a.example/d/other.html", 1));
  EXPECT_NE(kTwin, twin_of("http://a.example/e/p.html", 1));
  EXPECT_NE(kTwin, twin_of(kOldPage, 2));
  const std::string query = twin_of("http://a.example/v.php?id=7&x=8", 1);
  EXPECT_TRUE(query.starts_with("http://a.example/v.php?id=") &&
              query.find("&x=") != std::string::npos)
      << query;
  const std::string folder = twin_of("http://a.example/d/e/", 1);
  EXPECT_TRUE(folder.starts_with("http://a.example/d/") && folder.ends_with("/")) << folder;
  EXPECT_TRUE(twin_of("http://a.example/", 1).starts_with("http://a.example/"));
}

}  // namespace
}  // namespace webstrata
