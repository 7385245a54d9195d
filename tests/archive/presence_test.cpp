// SPDX-License-Identifier: Apache-2.0

// The matrix against the slow reference on random crawls, and small cases by hand.

#include "webstrata/archive/ask/presence.h"

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/comparison.h"

namespace webstrata {
namespace {

Capture presence_capture(const std::string& url, Time time, const std::vector<std::string>& targets,
                         LinkKinds kinds = LinkKind::Navigation) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  for (const std::string& target : targets) {
    Link link;
    link.target = target;
    link.kinds = kinds;
    capture.links.add(link);
  }
  return capture;
}

const std::string kHome = "http://a.example/";
const std::string kOne = "http://a.example/1";
const std::string kTwo = "http://b.example/2";

using Runs = std::vector<PresenceRun>;

std::map<std::string, Runs> runs_by_url(const Archive& archive, const Presence& found) {
  std::map<std::string, Runs> runs;
  for (const PresenceRow& row : found.rows) runs[archive.url(row.node)] = row.runs;
  return runs;
}

TEST(Presence, AGapIsTwoRuns) {
  const TemporaryFolder folder;
  build_archive(folder.path() / "lib.ws",
                {presence_capture(kHome, 100, {kOne, kTwo}), presence_capture(kHome, 200, {kTwo}),
                 presence_capture(kHome, 300, {kOne, kTwo})});
  const Archive archive = Archive::open(folder.path() / "lib.ws");
  const Presence found = presence(archive, std::vector{*archive.uid(kHome)});
  EXPECT_EQ(found.times, (std::vector<Time>{100, 200, 300}));
  EXPECT_EQ(runs_by_url(archive, found),
            (std::map<std::string, Runs>{{kOne, {{0, 1}, {2, 1}}}, {kTwo, {{0, 3}}}}));
}

// b is captured at 100 and 300 with the link, a at 200 without: b's run covers a's column.
TEST(Presence, InLinksLastFromCaptureToCaptureOfTheirPage) {
  const TemporaryFolder folder;
  build_archive(folder.path() / "lib.ws",
                {presence_capture(kTwo, 100, {kOne}), presence_capture(kTwo, 300, {kOne}),
                 presence_capture(kHome, 50, {kOne}), presence_capture(kHome, 200, {}),
                 presence_capture(kHome, 400, {kOne})});
  const Archive archive = Archive::open(folder.path() / "lib.ws");
  const Presence found =
      presence(archive, std::vector{*archive.uid(kOne)}, {.direction = Direction::In});
  EXPECT_EQ(found.times, (std::vector<Time>{50, 100, 200, 300, 400}));
  EXPECT_EQ(runs_by_url(archive, found),
            (std::map<std::string, Runs>{{kHome, {{0, 1}, {4, 1}}}, {kTwo, {{1, 3}}}}));
}

TEST(Presence, KindsTimesAndTheLimitSelect) {
  const TemporaryFolder folder;
  build_archive(folder.path() / "lib.ws",
                {presence_capture(kHome, 100, {kOne}), presence_capture(kHome, 200, {kOne, kTwo}),
                 presence_capture(kHome, 300, {"http://c.example/"}, LinkKind::Refresh)});
  const Archive archive = Archive::open(folder.path() / "lib.ws");
  const std::vector home = {*archive.uid(kHome)};
  EXPECT_EQ(presence(archive, home, {.kinds = LinkKind::Refresh}).rows.size(), 1U);
  const Presence later = presence(archive, home, {.during = TimeInterval{150, 250}});
  EXPECT_EQ(later.times, (std::vector<Time>{200}));
  EXPECT_EQ(later.rows.size(), 2U);
  const Presence few = presence(archive, home, {.links_max = 1});
  EXPECT_EQ(few.left_out, 2U);
  EXPECT_EQ(archive.url(few.rows.at(0).node), kOne);  // in two captures, the others in one
}

// Every cell of every page's matrix, both ways, against the rows of the reference.
TEST(Presence, EqualsTheReference) {
  for (std::uint64_t seed = 1; seed <= seed_count(30); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Capture> crawl;
    for (int i = 0; i < 60; ++i) crawl.push_back(random_capture(random));
    const TemporaryFolder folder;
    build_archive(folder.path() / "lib.ws", crawl);
    const Archive archive = Archive::open(folder.path() / "lib.ws");
    const Reference reference(crawl, archive.manifest().options.kinds);
    for (Uid uid = 0; uid < archive.node_count(); ++uid) {
      const auto& rows = reference.page(uid).rows;
      const Presence found = presence(archive, std::vector{uid});
      ASSERT_EQ(found.times.size(), rows.size());
      std::map<Time, std::set<std::string>> cells;
      for (const PresenceRow& row : found.rows) {
        for (const PresenceRun& run : row.runs) {
          for (std::uint32_t i = 0; i < run.count; ++i) {
            cells[found.times[run.first + i]].insert(archive.url(row.node));
          }
        }
      }
      for (const auto& [time, links] : rows) {
        std::set<std::string> wanted;
        for (const auto& [target, link] : links) wanted.insert(target);
        ASSERT_EQ(cells[time], wanted) << archive.url(uid) << " at " << time;
      }
      const Presence in = presence(archive, std::vector{uid}, {.direction = Direction::In});
      const auto histories = archive.history(uid, Direction::In);
      ASSERT_EQ(in.rows.size(), histories.size());
      for (std::size_t i = 0; i < histories.size(); ++i) {
        const PresenceRow& row = in.rows[i];
        EXPECT_EQ(row.node, histories[i].source);
        EXPECT_EQ(row.captures, histories[i].captures);
        EXPECT_EQ(in.times[row.runs.front().first], histories[i].first);
        EXPECT_EQ(in.times[row.runs.back().first + row.runs.back().count - 1], histories[i].last);
      }
    }
  }
}

TEST(LinkChurn, OfAllPagesIsWhatTheStatisticsCount) {
  Random random(7);
  std::vector<Capture> crawl;
  for (int i = 0; i < 400; ++i) crawl.push_back(random_capture(random));
  std::erase_if(crawl, [](const Capture& capture) {
    return capture.sighting.time < 0 || capture.sighting.time > 2'000'000'000;
  });
  const TemporaryFolder folder;
  build_archive(folder.path() / "lib.ws", crawl);
  const Archive archive = Archive::open(folder.path() / "lib.ws");
  std::vector<Uid> all(archive.node_count());
  for (Uid uid = 0; uid < all.size(); ++uid) all[uid] = uid;
  const LinkChurn churn = link_churn(archive, all);
  const LinkStatistics stats = link_statistics(archive);
  std::map<int, LinkStatistics::Year> years;
  for (const auto& [month, counts] : churn.months) {
    auto& year = years[std::stoi(month)];
    year.captures += counts.captures;
    year.new_pages += counts.new_pages;
    year.births += counts.births;
    year.deaths += counts.deaths;
  }
  ASSERT_EQ(years.size(), stats.years.size());
  for (const auto& [number, year] : stats.years) {
    EXPECT_EQ(years[number].captures, year.captures);
    EXPECT_EQ(years[number].new_pages, year.new_pages);
    EXPECT_EQ(years[number].births, year.births);
    EXPECT_EQ(years[number].deaths, year.deaths);
  }
  EXPECT_EQ(churn.pages.size(), stats.pages);
  EXPECT_GT(stats.births, 0U);
}

}  // namespace
}  // namespace webstrata
