// SPDX-License-Identifier: Apache-2.0

// Scores of captures become columns that do not depend on the order in which crawls come, follow
// their pages through updates and forgets, and leave the layers alone.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/link_scores.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/archive/disk/score_files.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/verify.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

using Pages = std::map<std::string, double>;
using Links = std::map<std::pair<std::string, std::string>, double>;

// Scores that are easy to compute: about half of them are 0.
double made_up(const std::string& what, Time time) {
  const std::size_t hash = std::hash<std::string>{}(what + "@" + std::to_string(time));
  return hash % 2 == 0 ? 0 : static_cast<double>(hash % 97) / 4;
}

bool is_scored(const Capture& capture) {
  return capture.links_known && capture.sighting.outcome == Outcome::Alive;
}

ScoreBatch batch_of(const Crawl& crawl) {
  ScoreBatch batch(1);
  for (const Capture& capture : crawl) {
    if (!is_scored(capture)) continue;
    const Time time = capture.sighting.time;
    std::vector<CaptureScores> scores(1);
    scores[0].page = made_up(capture.sighting.url, time);
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      const std::string target(capture.links[i].target);
      const double score = made_up(capture.sighting.url + " " + target, time);
      if (score > 0) scores[0].links.emplace_back(capture.links[i].target, score);
    }
    batch.add(capture, scores);
  }
  return batch;
}

void take_in(ArchiveWriter writer, const Crawl& crawl, bool with_scores) {
  give(writer, crawl, 7);
  if (with_scores) {
    writer.score_columns({{"topic", "a note"}});
    for (std::size_t start = 0; start < crawl.size(); start += 5) {
      const auto end =
          crawl.begin() + static_cast<std::ptrdiff_t>(std::min(start + 5, crawl.size()));
      writer.take_scores(batch_of(Crawl(crawl.begin() + static_cast<std::ptrdiff_t>(start), end)));
    }
  }
  writer.commit();
}

void build_scored(const std::filesystem::path& path, const Crawl& crawl, bool with_scores = true) {
  WriteOptions write;
  write.work.threads = 1;
  take_in(ArchiveWriter::create(path, small_archive_options(), write), crawl, with_scores);
}

void update_scored(const std::filesystem::path& path, const Crawl& crawl, bool with_scores = true,
                   Merging merging = Merging::WhenDue) {
  WriteOptions write;
  write.work.threads = 1;
  write.merging = merging;
  take_in(ArchiveWriter::update(path, write), crawl, with_scores);
}

Merging random_merging(Random& random) {
  return std::array{Merging::WhenDue, Merging::Later, Merging::All}[random.below(3)];
}

Pages pages_of(const Archive& archive) {
  Pages pages;
  const auto scores = load_scores(archive, "topic");
  for (Uid uid = 0; uid < scores.size(); ++uid) {
    if (!is_missing(scores[uid])) pages[archive.url(uid)] = scores[uid];
  }
  return pages;
}

Links links_of(const Archive& archive) {
  Links links;
  visit_link_scores(archive, "topic", [&](const LinkScoreRow& row) {
    for (const LinkScore& link : row.links) {
      links[{archive.url(row.source), archive.url(link.target)}] = link.value;
    }
  });
  return links;
}

// The rule, capture by capture: the latest scored second counts, the larger score in one second; of
// a link the latest second in which a scored capture has it.
void expect_columns(const Archive& archive, const Crawl& scored) {
  std::map<std::string, Time> page_times;
  std::map<std::pair<std::string, std::string>, Time> link_times;
  for (const Capture& capture : scored) {
    if (!is_scored(capture)) continue;
    const std::string& url = capture.sighting.url;
    const Time time = capture.sighting.time;
    Time& of_page = page_times.try_emplace(url, time).first->second;
    of_page = std::max(of_page, time);
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      const Link link = capture.links[i];
      if (!link.kinds.intersects(archive.manifest().options.kinds)) continue;
      const std::pair<std::string, std::string> ends(url, link.target);
      Time& of_link = link_times.try_emplace(ends, time).first->second;
      of_link = std::max(of_link, time);
    }
  }
  Pages pages;
  Links links;
  for (const auto& [url, time] : page_times) pages[url] = made_up(url, time);
  for (const auto& [ends, time] : link_times) {
    links[ends] = made_up(ends.first + " " + ends.second, time);
  }
  EXPECT_EQ(pages_of(archive), pages);
  EXPECT_EQ(links_of(archive), links);
}

void expect_sound(const std::filesystem::path& path) {
  EXPECT_EQ(verify(path, {}).problems, std::vector<std::string>());
}

TEST(ScoreColumns, AreThoseOfTheLatestCaptureWhateverTheOrder) {
  for (std::uint64_t seed = 1; seed <= seed_count(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 60);
    const TemporaryFolder folder;
    build_scored(folder / "whole", crawl);
    expect_columns(Archive::open(folder / "whole"), crawl);
    Crawl first;
    Crawl second;
    for (const Capture& capture : crawl) (random.chance(0.5) ? first : second).push_back(capture);
    build_scored(folder / "parts", first);
    update_scored(folder / "parts", second, true, random_merging(random));
    expect_columns(Archive::open(folder / "parts"), crawl);
    expect_sound(folder / "parts");
    update_scored(folder / "parts", first, true, random_merging(random));  // scores without facts
    compact(folder / "parts", {});
    const Archive parts = Archive::open(folder / "parts");
    expect_columns(parts, crawl);
    EXPECT_EQ(link_score_note(parts, "topic"), "a note");
    expect_sound(folder / "parts");
  }
}

TEST(ScoreColumns, LeaveTheLayersAsTheyAre) {
  Random random(3);
  const Crawl crawl = random_crawl(random, 60);
  const TemporaryFolder folder;
  build_scored(folder / "with", crawl);
  build_scored(folder / "without", crawl, false);
  EXPECT_EQ(difference(layer_files(folder / "with"), layer_files(folder / "without")),
            "link_scores.topic.0 scores.topic.0 ");
}

TEST(ScoreColumns, AnUpdateWithoutScoresLeavesNewPagesWithout) {
  for (std::uint64_t seed = 1; seed <= seed_count(10); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl old = random_crawl(random, 30);
    const Crawl more = random_crawl(random, 30);
    const TemporaryFolder folder;
    build_scored(folder / "a", old);
    const Pages pages = pages_of(Archive::open(folder / "a"));
    const Links links = links_of(Archive::open(folder / "a"));
    update_scored(folder / "a", more, false, random_merging(random));
    const Archive after = Archive::open(folder / "a");
    EXPECT_EQ(pages_of(after), pages);
    EXPECT_EQ(links_of(after), links);
    expect_sound(folder / "a");
  }
}

TEST(ScoreColumns, ForgettingTakesRowsOfPagesAndLinksToThem) {
  Random random(5);
  const Crawl crawl = random_crawl(random, 80);
  const TemporaryFolder folder;
  build_scored(folder / "a", crawl);
  Pages pages = pages_of(Archive::open(folder / "a"));  // closed again: a forget waits for readers
  Links links = links_of(Archive::open(folder / "a"));
  const auto is_gone = [](const std::string& url) {
    return url.find("a.example") != std::string::npos;
  };
  std::erase_if(pages, [&](const auto& page) { return is_gone(page.first); });
  std::erase_if(links, [&](const auto& link) {
    return is_gone(link.first.first) || is_gone(link.first.second);
  });
  const Forget request{.scope = ForgetScope::Host, .text = "a.example"};
  forget(folder / "a", std::vector<Forget>{request}, {});
  const Archive after = Archive::open(folder / "a");
  EXPECT_EQ(pages_of(after), pages);
  EXPECT_EQ(links_of(after), links);
  expect_sound(folder / "a");
}

TEST(ScoreColumns, AScoreGoesWithTheCaptureItCameFrom) {
  for (std::uint64_t seed = 1; seed <= seed_count(10); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 60);
    const TemporaryFolder folder;
    build_scored(folder / "a", crawl);
    const TimeInterval gone{1'005'000'000, 1'012'000'000};
    Forget request{.scope = ForgetScope::Host, .text = "a.example"};
    request.during = gone;
    forget(folder / "a", std::vector<Forget>{request}, {});
    const Archive after = Archive::open(folder / "a");
    visit_link_scores(after, "topic", [&](const LinkScoreRow& row) {
      if (after.url(row.source).find("a.example") == std::string::npos) return;
      for (const LinkScore& link : row.links) {
        EXPECT_FALSE(link.time >= gone.first && link.time <= gone.last);
      }
    });
    std::map<std::string, Time> latest;
    for (const Capture& capture : crawl) {
      if (!is_scored(capture)) continue;
      Time& time = latest.try_emplace(capture.sighting.url, capture.sighting.time).first->second;
      time = std::max(time, capture.sighting.time);
    }
    const Pages pages = pages_of(after);
    for (const auto& [url, time] : latest) {
      const bool is_meant = url.find("a.example") != std::string::npos;
      const bool is_forgotten = is_meant && time >= gone.first && time <= gone.last;
      EXPECT_EQ(pages.contains(url), !is_forgotten) << url;
    }
    expect_sound(folder / "a");
  }
}

TEST(ScoreColumns, WhatIsForgottenDoesNotComeBackWithAnUpdate) {
  Random random(8);
  const Crawl crawl = random_crawl(random, 60);
  const TemporaryFolder folder;
  build_scored(folder / "a", crawl);
  const Forget request{.scope = ForgetScope::Host, .text = "a.example"};
  forget(folder / "a", std::vector<Forget>{request}, {});
  update_scored(folder / "a", crawl);
  for (const auto& [url, score] : pages_of(Archive::open(folder / "a"))) {
    EXPECT_EQ(url.find("//a.example"), std::string::npos) << url;
  }
  expect_sound(folder / "a");
}

TEST(ScoreColumns, RunsInScratchGiveEverythingBackInOrder) {
  Random random(9);
  const Crawl crawl = random_crawl(random, 200);
  const TemporaryFolder folder;
  const auto read = [&](std::size_t memory_bytes, const std::string& name) {
    std::filesystem::create_directory(folder / name);
    ScoreRuns runs(folder / name, 1, memory_bytes);
    for (const Capture& capture : crawl) runs.take(batch_of({capture}));
    std::vector<std::pair<std::string, Time>> found;
    std::multiset<double> scores;
    runs.visit([&](const ScoredCapture& capture) {
      found.emplace_back(capture.key, capture.time);
      scores.insert(capture.columns[0].page);
    });
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    return scores;
  };
  EXPECT_EQ(read(1 << 20, "one"), read(500, "many"));
}

TEST(ScoreColumns, NamesAreKept) {
  const TemporaryFolder folder;
  build_scored(folder / "a", random_crawl(*std::make_unique<Random>(1), 20));
  const Archive archive = Archive::open(folder / "a");
  EXPECT_EQ(link_score_names(archive), std::vector<std::string>{"topic"});
  const std::vector<double> values(archive.node_count(), 1);
  const auto generation = archive.manifest().generation;
  EXPECT_THROW(save_scores(folder / "a", "topic", generation, values), Error);
  save_scores(folder / "a", "pagerank", generation, values);
  WriteOptions write;
  {
    ArchiveWriter writer = ArchiveWriter::update(folder / "a", write);
    EXPECT_THROW(writer.score_columns({{"pagerank", ""}}), Error);
    EXPECT_THROW(writer.score_columns({{"a/b", ""}}), Error);
  }
  EXPECT_TRUE(remove_scores(folder / "a", "topic"));
  EXPECT_TRUE(link_score_names(Archive::open(folder / "a")).empty());
  EXPECT_THROW(links_of(Archive::open(folder / "a")), Error);
  expect_sound(folder / "a");
}

TEST(LinkScoreFile, IsReadAsItWasWritten) {
  Random random(4);
  std::vector<LinkScoreRow> rows;
  for (Uid source = random.below(3); source < 1000; source += 1 + random.below(5)) {
    LinkScoreRow row{source, static_cast<Time>(random.next()), {}};
    for (Uid target = random.below(400); target < 1000; target += 1 + random.below(300)) {
      const Time time = random.chance(0.5) ? row.time : std::numeric_limits<Time>::min() + 5;
      const double value =
          random.chance(0.6) ? static_cast<double>(random.below(3)) : random.unit();
      row.links.push_back({target, time, value});
    }
    rows.push_back(row);
  }
  const TemporaryFolder folder;
  LinkScoreWriter writer(folder / "column", 1000, "note");
  for (const LinkScoreRow& row : rows) writer.add(row);
  const LayerFile file = writer.finish();
  LinkScoreReader reader(folder / "column", file);
  EXPECT_EQ(reader.note(), "note");
  LinkScoreRow row;
  for (const LinkScoreRow& expected : rows) {
    ASSERT_TRUE(reader.next(row));
    EXPECT_EQ(row, expected);
  }
  EXPECT_FALSE(reader.next(row));
}

// Whatever byte is changed, and even if the checksum were right, a reader throws or ends.
TEST(LinkScoreFile, DamageIsFound) {
  const TemporaryFolder folder;
  LinkScoreWriter writer(folder / "column", 50, "n");
  writer.add({3, 100, {{4, 100, 1.5}, {9, 90, 0}}});
  writer.add({7, 200, {{1, 200, 1.5}}});
  const LayerFile file = writer.finish();
  const std::string bytes = read_file(folder / "column");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
    write_file(folder / "damaged", damaged);
    EXPECT_THROW(LinkScoreReader(folder / "damaged", file), Error);
    LayerFile listed = file;
    listed.checksum = checksum64(damaged);
    try {
      LinkScoreReader reader(folder / "damaged", listed);
      LinkScoreRow row;
      while (reader.next(row)) EXPECT_LT(row.source, reader.node_count());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    }
  }
}

TEST(LinkScoreFile, VerifySeesScoresOfLinksThatAreNotThere) {
  const TemporaryFolder folder;
  build_scored(folder / "a", random_crawl(*std::make_unique<Random>(2), 30));
  Manifest manifest = Manifest::load(folder / "a");
  const auto generation = folder / "a" / generation_name(manifest.generation);
  LinkScoreWriter writer(generation / "link_scores.topic.1", manifest.counts.nodes, "");
  writer.add({0, 77, {{1, 77, 2}}});
  std::filesystem::remove(generation / manifest.link_scores.at("topic").name);
  manifest.link_scores["topic"] = writer.finish();
  manifest.save(folder / "a");
  const auto problems = verify(folder / "a", {}).problems;
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("never had"), std::string::npos);
}

}  // namespace
}  // namespace webstrata
