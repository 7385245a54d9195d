// SPDX-License-Identifier: Apache-2.0

// One writer, many readers: eight threads open and query it all the time while the archive is
// updated twenty times and a host is forgotten. Whatever generation a reader opens, all its answers
// are those of that generation. Built with the thread sanitizer (`make check-all`), it also shows
// that threads may share an open archive.

#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/archive/answers.h"
#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/forget.h"

namespace webstrata {
namespace {

constexpr int kUpdates = 20;
constexpr int kReaders = 8;
const std::vector<Forget> kRequest = {{.scope = ForgetScope::Host, .text = "a.example"}};

// Runs the whole history; `step` is called after each generation is in place.
void live(const std::filesystem::path& path, const std::function<void()>& step) {
  Random random(8);
  build(path, random_crawl(random, 10));
  step();
  for (int i = 0; i < kUpdates; ++i) {
    update(path, random_crawl(random, 6), 2);
    step();
  }
  forget(path, kRequest, {});
  step();
}

using Expected = std::map<std::uint64_t, std::vector<std::string>>;  // generation → answers

// The answers of each generation, queried while nothing else runs.
Expected answers_of_generations(const std::filesystem::path& path) {
  Expected expected;
  live(path, [&] {
    const Archive archive = Archive::open(path);
    expected[archive.manifest().generation] = answers(archive);
  });
  return expected;
}

// What the readers do, and what they have seen.
class Readers {
 public:
  Readers(std::filesystem::path path, const Expected& expected)
      : path_(std::move(path)), expected_(expected) {}

  void start() {
    for (int i = 0; i < kReaders; ++i) {
      threads_.emplace_back([this, i] { read(i % 2 == 0); });
    }
  }
  void stop() {
    is_done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  std::atomic<std::uint64_t> openings = 0;
  std::vector<std::string> failures;
  std::set<std::uint64_t> generations;

 private:
  // Every other reader queries an archive that another reader has open.
  void read(bool opens_own) {
    try {
      do {
        check(opens_own ? opened() : shared());
      } while (!is_done_);
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  Archive opened() {
    Archive archive = Archive::open(path_, 1 << 16);
    ++openings;
    const std::lock_guard lock(mutex_);
    latest_ = archive;
    return archive;
  }
  Archive shared() {
    {
      const std::lock_guard lock(mutex_);
      if (latest_) return *latest_;
    }
    return opened();
  }

  void check(const Archive& archive) {
    const std::uint64_t generation = archive.manifest().generation;
    if (answers(archive) != expected_.at(generation)) {
      fail("generation " + std::to_string(generation) + " answers otherwise");
    }
    const std::lock_guard lock(mutex_);
    generations.insert(generation);
  }

  void fail(const std::string& what) {
    const std::lock_guard lock(mutex_);
    failures.push_back(what);
  }

  const std::filesystem::path path_;
  const Expected& expected_;
  std::vector<std::thread> threads_;
  std::atomic<bool> is_done_ = false;
  std::mutex mutex_;
  std::optional<Archive> latest_;
};

TEST(Readers, NeverWaitAndNeverErrWhileTheArchiveChanges) {
  const TemporaryFolder folder;
  const Expected expected = answers_of_generations(folder / "quiet");
  ASSERT_EQ(expected.size(), kUpdates + 2U);

  std::optional<Readers> readers;
  live(folder / "busy", [&] {
    if (readers) return;  // they begin when there is something to read
    readers.emplace(folder / "busy", expected);
    readers->start();
  });
  readers->stop();
  EXPECT_EQ(readers->failures, std::vector<std::string>());
  EXPECT_GT(readers->generations.size(), 2U);
  std::cout << readers->openings << " openings in " << readers->generations.size() << " of "
            << expected.size() << " generations\n";

  EXPECT_EQ(answers(folder / "busy"), expected.rbegin()->second);
  EXPECT_TRUE(Manifest::load(folder / "busy").doomed.empty());
  EXPECT_FALSE(Manifest::load(folder / "busy").residue);
}

}  // namespace
}  // namespace webstrata
