// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/ask/scores.h"

#include <sys/stat.h>

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/verify.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

Crawl some_crawl(std::uint64_t seed, std::size_t captures) {
  Random random(seed);
  return random_crawl(random, captures);
}

// A score that follows from the URL alone.
double score_of(const std::string& url) {
  return static_cast<double>(std::hash<std::string>{}(url) % 1000) / 8;
}

std::vector<double> scores_for(const Archive& archive) {
  std::vector<double> values;
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    values.push_back(uid % 5 == 3 ? missing_score() : score_of(archive.url(uid)));
  }
  return values;
}

std::map<std::string, double> by_url(const Archive& archive, const std::string& name) {
  std::map<std::string, double> found;
  const std::vector<double> values = load_scores(archive, name);
  EXPECT_EQ(values.size(), archive.node_count());
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    if (!is_missing(values[uid])) found[archive.url(uid)] = values[uid];
  }
  return found;
}

void save(const std::filesystem::path& path, const std::string& name) {
  const Archive archive = Archive::open(path);
  save_scores(path, name, archive.manifest().generation, scores_for(archive));
}

void expect_sound_scores(const std::filesystem::path& path) {
  EXPECT_EQ(verify(path, {}).problems, std::vector<std::string>());
}

TEST(Scores, AreFoundAgain) {
  const TemporaryFolder folder;
  build(folder / "a", some_crawl(1, 50));
  const Archive before = Archive::open(folder / "a");
  save(folder / "a", "pagerank");
  save(folder / "a", "topic-x");
  const Archive archive = Archive::open(folder / "a");
  EXPECT_EQ(score_names(archive), (std::vector<std::string>{"pagerank", "topic-x"}));
  const std::vector<double> expected = scores_for(archive);
  const std::vector<double> values = load_scores(archive, "pagerank");
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(is_missing(values[i]), is_missing(expected[i]));
    if (!is_missing(values[i])) {
      EXPECT_EQ(values[i], expected[i]);
    }
  }
  EXPECT_FALSE(by_url(before, "pagerank").empty());  // saved after that one was opened
  expect_sound_scores(folder / "a");
}

TEST(Scores, AColumnIsReplacedAndRemoved) {
  const TemporaryFolder folder;
  build(folder / "a", some_crawl(2, 30));
  save(folder / "a", "s");
  const Archive archive = Archive::open(folder / "a");
  const std::vector<double> ones(archive.node_count(), 1);
  save_scores(folder / "a", "s", archive.manifest().generation, ones);
  EXPECT_EQ(load_scores(Archive::open(folder / "a"), "s"), ones);
  EXPECT_EQ(load_scores(archive, "s"), ones);  // the file that it knew is gone
  expect_sound_scores(folder / "a");
  EXPECT_TRUE(remove_scores(folder / "a", "s"));
  EXPECT_FALSE(remove_scores(folder / "a", "s"));
  EXPECT_THROW(load_scores(Archive::open(folder / "a"), "s"), Error);
  expect_sound_scores(folder / "a");
}

TEST(Scores, FollowTheirUrlsThroughUpdates) {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  build(path, some_crawl(3, 40));
  save(path, "s");
  const auto before = by_url(Archive::open(path), "s");
  for (std::uint64_t seed = 4; seed < 8; ++seed) {
    update(path, some_crawl(seed, 40));
    const Archive archive = Archive::open(path);
    EXPECT_GT(archive.node_count(), before.size());
    EXPECT_EQ(by_url(archive, "s"), before);  // what is new has no score
  }
  expect_sound_scores(path);
}

TEST(Scores, AreLinkedWhereNoNameIsNew) {
  const TemporaryFolder folder;
  const Crawl crawl = some_crawl(9, 40);
  build(folder / "a", crawl);
  save(folder / "a", "s");
  const auto inode = [&] {
    const Manifest manifest = Manifest::load(folder / "a");
    struct stat status {};
    const auto file = folder / "a" / generation_name(manifest.generation);
    EXPECT_EQ(::stat((file / manifest.scores.at("s").name).c_str(), &status), 0);
    return status.st_ino;
  };
  const auto before = inode();
  update(folder / "a", {crawl[0]});
  EXPECT_EQ(inode(), before);
}

TEST(Scores, LeaveWithWhatIsForgotten) {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  build(path, some_crawl(10, 60));
  save(path, "s");
  auto expected = by_url(Archive::open(path), "s");
  ASSERT_GT(expected.size(), 4U);
  const std::string url = std::next(expected.begin(), 2)->first;
  const std::vector<Forget> requests = {{.scope = ForgetScope::Url, .text = url, .exactly = true}};
  forget(path, requests, {});
  const Archive archive = Archive::open(path);
  // Names that nothing mentions any more are deleted too.
  std::erase_if(expected, [&](const auto& entry) { return !archive.uid(entry.first); });
  EXPECT_FALSE(expected.contains(url));
  EXPECT_EQ(by_url(archive, "s"), expected);
  expect_sound_scores(path);
}

TEST(Scores, AReaderKeepsThoseOfItsGeneration) {
  const TemporaryFolder folder;
  build(folder / "a", some_crawl(11, 40));
  save(folder / "a", "s");
  const Archive old = Archive::open(folder / "a");
  const auto before = by_url(old, "s");
  update(folder / "a", some_crawl(12, 40));
  EXPECT_EQ(by_url(old, "s"), before);
}

TEST(Scores, BadInputIsRefused) {
  const TemporaryFolder folder;
  build(folder / "a", some_crawl(13, 10));
  const Archive archive = Archive::open(folder / "a");
  const std::uint64_t generation = archive.manifest().generation;
  const std::vector<double> values(archive.node_count(), 0.5);
  const std::vector<double> too_few(archive.node_count() - 1, 0.5);
  const auto expect_bad = [&](const std::string& name, std::uint64_t number,
                              const std::vector<double>& scores) {
    try {
      save_scores(folder / "a", name, number, scores);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
    }
  };
  expect_bad("", generation, values);
  expect_bad("../s", generation, values);
  expect_bad(std::string(65, 'a'), generation, values);
  expect_bad("s", generation, too_few);
  expect_bad("s", generation + 1, values);
  EXPECT_TRUE(score_names(Archive::open(folder / "a")).empty());
  expect_sound_scores(folder / "a");
}

TEST(Scores, DamageIsFoundAndLeftoversAreSwept) {
  const TemporaryFolder folder;
  const Crawl crawl = some_crawl(14, 30);
  build(folder / "a", crawl);
  save(folder / "a", "s");
  const Manifest manifest = Manifest::load(folder / "a");
  const auto generation = folder / "a" / generation_name(manifest.generation);
  const auto file = generation / manifest.scores.at("s").name;
  const std::string bytes = read_file(file);
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 4);
  std::ofstream(file, std::ios::binary) << flipped;
  EXPECT_EQ(verify(folder / "a", {}).problems.size(), 1U);
  EXPECT_THROW(load_scores(Archive::open(folder / "a"), "s"), Error);
  save(folder / "a", "s");  // the remedy
  expect_sound_scores(folder / "a");

  std::ofstream(generation / "scores.lost.0") << "left by a crash";
  EXPECT_EQ(verify(folder / "a", {}).problems.size(), 1U);
  update(folder / "a", {});
  expect_sound_scores(folder / "a");
}

}  // namespace
}  // namespace webstrata
