// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/disk/scratch_folder.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/temporary_folder.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

void make_old(const fs::path& path) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST(ScratchFolder, GoesWithEverythingInIt) {
  const TemporaryFolder parent;
  fs::path path;
  {
    const ScratchFolder scratch(parent.path());
    path = scratch.path();
    fs::create_directories(path / "deep" / "inside");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, FoldersOfKilledProcessesAreRemovedAndNoOthers) {
  const TemporaryFolder parent;
  const ScratchFolder held(parent.path());
  make_old(held.path());
  const fs::path left = parent.path() / "webstrata-scratch-abcdef";
  const fs::path young = parent.path() / "webstrata-scratch-uvwxyz";
  const fs::path other = parent.path() / "other";
  for (const fs::path& path : {left, young, other}) fs::create_directories(path);
  make_old(left);
  make_old(other);
  const ScratchFolder next(parent.path());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(held.path()));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace webstrata
