// SPDX-License-Identifier: Apache-2.0

#include "webstrata/frontier/order/archive_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/archive/forget.h"
#include "webstrata/base/error.h"
#include "webstrata/facts/sighting.h"

namespace webstrata::frontier {
namespace {

Capture page_with_links(const std::string& url, const std::vector<std::string>& targets) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = 1'600'000'000;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  for (const std::string& target : targets) {
    capture.links.add({.target = target, .kinds = LinkKind::Navigation});
  }
  return capture;
}

// Twenty pages in each of two directories. Those in live/ link to each other, those in dead/ too,
// and all pages of the host link to its home page.
class ArchiveOrderTest : public testing::Test {
 protected:
  ArchiveOrderTest() {
    std::vector<Capture> crawl;
    for (const std::string folder : {"live", "dead"}) {
      for (int i = 0; i < 20; ++i) {
        crawl.push_back(page_with_links(page(folder, i),
                                        {"http://a.org/", page(folder, (i + 1) % 20),
                                         page(folder, (i + 7) % 20), "http://a.org/never/seen"}));
      }
    }
    crawl.push_back(page_with_links("http://a.org/", {page("live", 0), page("dead", 0)}));
    build_archive(archive_, crawl);
  }

  static std::string page(const std::string& folder, int number) {
    return "http://a.org/" + folder + "/" + std::to_string(number);
  }
  void save(const std::map<std::string, double>& scores) {
    const Archive archive = Archive::open(archive_);
    std::vector<double> values(archive.node_count(), std::nan(""));
    for (const auto& [url, value] : scores) values[*archive.uid(url)] = value;
    save_scores(archive_, "mine", archive.manifest().generation, values);
  }

  TemporaryFolder folder_;
  std::filesystem::path archive_ = folder_ / "lib.ws";
};

TEST_F(ArchiveOrderTest, BeforeTheFirstOutcomePageRankDecides) {
  ArchiveOrder order({archive_.string()});
  EXPECT_GT(order.score("http://a.org/"), order.score(page("live", 3)));
  EXPECT_EQ(order.score("http://a.org/") >> 16, order.score(page("live", 3)) >> 16);
}

TEST_F(ArchiveOrderTest, OutcomesRaiseAndLowerRelatives) {
  ArchiveOrder order({archive_.string()});
  std::vector<std::string> changed;
  for (int i = 0; i < 8; ++i) {
    order.learn(page("live", i), true, changed);
    order.learn(page("dead", i), false, changed);
  }
  EXPECT_NE(std::find(changed.begin(), changed.end(), page("live", 1)), changed.end());
  EXPECT_GT(order.score(page("live", 15)), order.score(page("dead", 15)));
  // Unknown to the archive: by their directories.
  EXPECT_GT(order.score("http://a.org/live/new"), order.score("http://a.org/dead/new"));
}

TEST_F(ArchiveOrderTest, AColumnComesFirst) {
  save({{page("live", 1), 5}, {page("live", 2), 9}, {page("dead", 1), 7}, {page("dead", 2), 1}});
  ArchiveOrder order({archive_.string(), "mine"});
  EXPECT_GT(order.score(page("live", 2)), order.score(page("dead", 1)));
  EXPECT_GT(order.score(page("dead", 1)), order.score(page("live", 1)));
  EXPECT_GT(order.score(page("live", 1)), order.score(page("dead", 2)));
  EXPECT_THROW(ArchiveOrder({archive_.string(), "none"}), Error);
}

TEST_F(ArchiveOrderTest, PagesWithoutAScoreGetTheMeanOfSourcesDirectoryOrHost) {
  save({{page("live", 1), 5}, {page("dead", 1), 1}});  // quantiles 3/4 and 1/4
  ArchiveOrder order({archive_.string(), "mine"});
  const auto first_half = [&](const std::string& url) { return order.score(url) >> 16; };
  EXPECT_EQ(first_half(page("live", 2)), first_half(page("live", 1)));  // its only source with one
  EXPECT_EQ(first_half("http://a.org/live/new"), first_half(page("live", 1)));
  EXPECT_NEAR(first_half("http://a.org/other/new"), 32'768, 1);  // the mean of the host
  EXPECT_EQ(first_half("http://other.org/"), 0);
}

TEST_F(ArchiveOrderTest, ForgottenUrlsAreRecognised) {
  const Forget request{.scope = ForgetScope::Host, .text = "b.org"};
  forget(archive_, std::span(&request, 1), {});
  ArchiveOrder order({archive_.string()});
  EXPECT_TRUE(order.is_forgotten("http://b.org/x"));
  EXPECT_FALSE(order.is_forgotten("http://a.org/x"));
}

TEST_F(ArchiveOrderTest, TheFrontierHandsOutLikelierPagesFirst) {
  ArchiveOrder order({archive_.string()});
  FrontierOptions options;
  options.order = &order;
  Frontier frontier(folder_ / "frontier", options);
  frontier.set_default_delay(0);
  for (int i = 0; i < 20; ++i) {
    frontier.put({.info = {page("dead", i)}});
    frontier.put({.info = {page("live", i)}});
  }
  int live_in_first_half = 0;
  for (int i = 0; i < 20; ++i) {
    TakeRun run{.max_urls_per_queue = 1, .key = "a.org", .crawl = ""};
    std::vector<UrlInfo> urls;
    ASSERT_TRUE(frontier.take(run, urls));
    const bool is_live = urls[0].url.find("live") != std::string::npos;
    live_in_first_half += is_live ? 1 : 0;
    urls[0].metadata = {{"fetch.statusCode", {is_live ? "200" : "404"}}};
    frontier.put({.info = urls[0], .is_known = true});
  }
  EXPECT_GE(live_in_first_half, 15);  // first in, first out: 10
}

TEST(Lives, ReadsWhatClientsWrite) {
  EXPECT_EQ(lives({{"fetch.statusCode", {"200"}}}), true);
  EXPECT_EQ(lives({{"status", {"404"}}}), false);
  EXPECT_EQ(lives({{"outcome", {"alive"}}}), true);
  EXPECT_EQ(lives({{"http.status", {"301"}}}), false);
  EXPECT_EQ(lives({{"status", {"503"}}}), std::nullopt);
  EXPECT_EQ(lives({{"status", {"403"}}}), std::nullopt);
  EXPECT_EQ(lives({{"status", {"fetched"}}}), std::nullopt);
  EXPECT_EQ(lives({{"status", {}}, {"depth", {"200"}}}), std::nullopt);
}

}  // namespace
}  // namespace webstrata::frontier
