// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/disk/generations.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

// A generation here has one file, which contains its number.
constexpr const char* kFile = "number";

Manifest publish_one(const WriterLock& lock, Manifest manifest = {}) {
  GenerationDraft draft(lock);
  write_file(draft.folder() / kFile, std::to_string(draft.number()));
  return draft.publish(std::move(manifest));
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

// The error that `action` ends with.
template <typename Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorKind::Cancelled, ""};
}

// What a kill leaves: `action` runs in a process that ends without any destructor.
template <typename Action>
void run_and_kill(Action action) {
  const pid_t child = ::fork();
  if (child == 0) {
    action();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
}

class Generations : public testing::Test {
 protected:
  void build() { publish_one(WriterLock::create(archive_)); }

  TemporaryFolder folder_;
  fs::path archive_ = folder_ / "lib.ws";
};

TEST_F(Generations, BeginWithOneAndFollowEachOther) {
  build();
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000001", "lock"}));
  for (std::uint64_t number = 2; number < 5; ++number) {
    const WriterLock lock = WriterLock::take(archive_);
    EXPECT_EQ(publish_one(lock).generation, number);
    EXPECT_EQ(lock.manifest()->generation, number);
    EXPECT_TRUE(lock.manifest()->doomed.empty());
  }
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000004", "lock"}));
  EXPECT_EQ(read_file(archive_ / "g000004" / kFile), "4");
}

TEST_F(Generations, AnArchiveIsOneOnlyWhenItIsPublished) {
  {
    const WriterLock lock = WriterLock::create(archive_);
    EXPECT_FALSE(lock.manifest());
    const GenerationDraft draft(lock);
    EXPECT_EQ(error_of([&] { GenerationLease::take(archive_); }).kind(), ErrorKind::NotFound);
    EXPECT_EQ(error_of([&] { WriterLock::take(archive_); }).kind(), ErrorKind::NotFound);
    EXPECT_EQ(error_of([&] { WriterLock::create(archive_); }).kind(), ErrorKind::Io);
  }
  EXPECT_FALSE(fs::exists(archive_));  // given up: nothing is left
}

TEST_F(Generations, AnEmptyFolderOfTheUserIsTakenAndGivenBack) {
  fs::create_directory(archive_);
  { const WriterLock lock = WriterLock::create(archive_.string() + "/"); }
  EXPECT_TRUE(fs::is_empty(archive_));
  build();
  EXPECT_EQ(Manifest::load(archive_).generation, 1U);
}

TEST_F(Generations, NoArchiveIsMadeOverSomethingElse) {
  const auto refused = [&] {
    return error_of([&] { WriterLock::create(archive_); }).kind() == ErrorKind::BadInput;
  };
  write_file(archive_, "a file");
  EXPECT_TRUE(refused());
  fs::remove(archive_);
  fs::create_directories(archive_ / "work");  // not ours: there is no lock next to it
  EXPECT_TRUE(refused());
  write_file(archive_ / "lock", "");
  write_file(archive_ / "letter.txt", "dear");
  EXPECT_TRUE(refused());
  EXPECT_EQ(names_in(archive_), (Names{"letter.txt", "lock", "work"}));
  fs::remove_all(archive_);
  build();
  EXPECT_TRUE(refused());
  EXPECT_EQ(error_of([&] { WriterLock::create(folder_ / "no/such/folder"); }).kind(),
            ErrorKind::Io);
}

TEST_F(Generations, AKilledBuildLeavesAFolderForTheNextOne) {
  run_and_kill([&] {
    const auto* lock = new WriterLock(WriterLock::create(archive_));
    const auto* draft = new GenerationDraft(*lock);
    write_file(draft->folder() / kFile, "half");
    write_file(lock->work_folder() / "run", "a run");
    fs::create_directory(archive_ / "g000001");  // renamed, but no MANIFEST as yet
    write_file(archive_ / "MANIFEST.tmp123", "{");
  });
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST.tmp123", "g000001", "lock", "work"}));
  EXPECT_EQ(error_of([&] { Manifest::load(archive_); }).kind(), ErrorKind::NotFound);
  build();
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000001", "lock"}));
  EXPECT_EQ(read_file(archive_ / "g000001" / kFile), "1");
}

TEST_F(Generations, AKilledUpdateLeavesTheOldOneAndIsSwept) {
  build();
  run_and_kill([&] {
    const auto* lock = new WriterLock(WriterLock::take(archive_));
    const auto* draft = new GenerationDraft(*lock);
    write_file(draft->folder() / kFile, "half");
    fs::create_directory(archive_ / "g000002");
    write_file(archive_ / "g000002" / kFile, "2");
  });
  EXPECT_EQ(GenerationLease::take(archive_).manifest().generation, 1U);
  EXPECT_EQ(old_generations(archive_, Manifest::load(archive_)), (std::vector<std::uint64_t>{2}));
  const WriterLock lock = WriterLock::take(archive_);
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000001", "lock", "work"}));
  EXPECT_TRUE(fs::is_empty(lock.work_folder()));
}

TEST_F(Generations, ADraftThatIsGivenUpLeavesNothing) {
  build();
  {
    const WriterLock lock = WriterLock::take(archive_);
    const GenerationDraft draft(lock);
    write_file(draft.folder() / kFile, "half");
  }
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000001", "lock"}));
}

TEST_F(Generations, AManifestThatCannotBeSavedLeavesTheOldOne) {
  build();
  {
    const WriterLock lock = WriterLock::take(archive_);
    Manifest manifest;
    manifest.unknown_layers = {"texts"};
    EXPECT_THROW(publish_one(lock, manifest), Error);
  }
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000001", "lock"}));
  EXPECT_EQ(Manifest::load(archive_).generation, 1U);
}

TEST_F(Generations, AnotherWriterIsRefusedAndToldByWhom) {
  build();
  const WriterLock lock = WriterLock::take(archive_);
  const Error error = error_of([&] { WriterLock::take(archive_); });
  EXPECT_EQ(error.kind(), ErrorKind::Io);
  EXPECT_EQ(error.what(), archive_.string() + ": process " + std::to_string(::getpid()) +
                              " is changing it; try again when that is done");
}

TEST_F(Generations, AWriterMayWaitForTheLock) {
  build();
  std::optional<WriterLock> lock = WriterLock::take(archive_);
  std::atomic<bool> released = false;
  std::thread other([&] {
    const WriterLock mine = WriterLock::take(archive_, WhenLocked::Wait);
    EXPECT_TRUE(released);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  released = true;
  lock.reset();
  other.join();

  lock.emplace(WriterLock::take(archive_));
  CancelToken cancel;
  cancel.cancel();
  const Error error = error_of([&] { WriterLock::take(archive_, WhenLocked::Wait, &cancel); });
  EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
}

TEST_F(Generations, AReaderKeepsItsGenerationUntilItLetsGo) {
  build();
  {
    const GenerationLease lease = GenerationLease::take(archive_);
    for (int i = 0; i < 2; ++i) {
      const Manifest saved = publish_one(WriterLock::take(archive_));
      EXPECT_EQ(saved.doomed, (std::vector<std::uint64_t>{1}));
      EXPECT_EQ(saved, Manifest::load(archive_));
    }
    EXPECT_EQ(lease.manifest().generation, 1U);
    EXPECT_EQ(read_file(lease.folder() / kFile), "1");
    EXPECT_EQ(GenerationLease::take(archive_).manifest().generation, 3U);
  }
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000001", "g000003", "lock"}));
  { const WriterLock next = WriterLock::take(archive_); }
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000003", "lock"}));
  EXPECT_TRUE(Manifest::load(archive_).doomed.empty());
}

// Even if everything above it was deleted, a number that MANIFEST once named does not come back.
TEST_F(Generations, NumbersAreNeverUsedTwice) {
  build();
  std::vector<GenerationLease> leases;
  for (std::uint64_t number = 2; number < 12; ++number) {
    leases.push_back(GenerationLease::take(archive_));
    if (number % 3 == 0) leases.clear();
    EXPECT_EQ(publish_one(WriterLock::take(archive_)).generation, number);
  }
}

TEST_F(Generations, AMissingGenerationIsDamage) {
  build();
  fs::remove_all(archive_ / "g000001");
  const Error error = error_of([&] { GenerationLease::take(archive_); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(std::string(error.what()).find("g000001: is missing"), std::string::npos);
}

TEST_F(Generations, ADamagedManifestDeletesNothing) {
  build();
  write_file(archive_ / "MANIFEST", "{}\n");
  EXPECT_EQ(error_of([&] { WriterLock::take(archive_); }).kind(), ErrorKind::Corrupt);
  EXPECT_EQ(error_of([&] { WriterLock::create(archive_); }).kind(), ErrorKind::BadInput);
  EXPECT_EQ(read_file(archive_ / "g000001" / kFile), "1");
}

TEST_F(Generations, ReadersAreNamed) {
  build();
  const fs::path folder = archive_ / "g000001";
  EXPECT_TRUE(holders(folder).empty());
  const GenerationLease lease = GenerationLease::take(archive_);
  const std::vector<pid_t> found = holders(folder);
  if (found.empty()) GTEST_SKIP() << "the system does not tell locks in /proc/locks";
  EXPECT_EQ(found, (std::vector<pid_t>{::getpid()}));
}

TEST_F(Generations, ForgettingWaitsUntilTheLastReaderIsGone) {
  build();
  std::optional<GenerationLease> lease = GenerationLease::take(archive_);
  const WriterLock lock = WriterLock::take(archive_);
  Manifest manifest;
  manifest.residue = true;
  EXPECT_TRUE(publish_one(lock, manifest).residue);

  CancelToken cancel;
  int calls = 0;
  const auto stop = [&](std::uint64_t generation, std::span<const pid_t>) {
    EXPECT_EQ(generation, 1U);
    ++calls;
    cancel.cancel();
  };
  EXPECT_EQ(error_of([&] { wait_for_readers(lock, &cancel, stop); }).kind(), ErrorKind::Cancelled);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(Manifest::load(archive_).residue);

  wait_for_readers(lock, nullptr, [&](std::uint64_t, std::span<const pid_t>) { lease.reset(); });
  EXPECT_FALSE(fs::exists(archive_ / "g000001"));
  EXPECT_TRUE(Manifest::load(archive_).doomed.empty());
  EXPECT_FALSE(Manifest::load(archive_).residue);
}

TEST_F(Generations, WithoutReadersNoResidueIsLeft) {
  build();
  const WriterLock lock = WriterLock::take(archive_);
  Manifest manifest;
  manifest.residue = true;
  EXPECT_FALSE(publish_one(lock, manifest).residue);
  wait_for_readers(lock);
}

TEST_F(Generations, ReadersAlwaysFindAWholeGeneration) {
  build();
  std::atomic<bool> done = false;
  std::atomic<int> leases = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      for (std::uint64_t last = 0; !done;) {
        const GenerationLease lease = GenerationLease::take(archive_);
        EXPECT_GE(lease.manifest().generation, last);
        last = lease.manifest().generation;
        std::this_thread::yield();
        EXPECT_EQ(read_file(lease.folder() / kFile), std::to_string(last));
        ++leases;
      }
    });
  }
  while (leases == 0) std::this_thread::yield();
  for (int i = 0; i < 60; ++i) publish_one(WriterLock::take(archive_));
  done = true;
  for (std::thread& reader : readers) reader.join();
  { const WriterLock last = WriterLock::take(archive_); }
  EXPECT_EQ(names_in(archive_), (Names{"MANIFEST", "g000061", "lock"}));
}

// Several builds of one name at once, some of which give up: never two at a time, and those that
// give up do not affect the others.
TEST_F(Generations, BuildsThatMeetDoNotHarmEachOther) {
  std::atomic<int> holding = 0;
  std::atomic<int> built = 0;
  std::vector<std::thread> builders;
  for (int i = 0; i < 4; ++i) {
    builders.emplace_back([&, i] {
      for (int turn = 0; turn < 50; ++turn) {
        try {
          const WriterLock lock = WriterLock::create(archive_);
          EXPECT_EQ(++holding, 1);
          if (i == 0 && turn == 49) publish_one(lock), ++built;
          --holding;
        } catch (const Error& error) {
          EXPECT_TRUE(error.kind() == ErrorKind::Io || error.kind() == ErrorKind::BadInput);
        }
      }
    });
  }
  for (std::thread& builder : builders) builder.join();
  EXPECT_EQ(fs::exists(archive_ / "MANIFEST"), built == 1);
  EXPECT_TRUE(built == 1 || !fs::exists(archive_) || fs::is_empty(archive_));
}

}  // namespace
}  // namespace webstrata
