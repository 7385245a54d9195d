// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/scratch_folder_test.cpp.

#include "webstrata/archive/disk/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>  // mkdtemp is not in <cstdlib>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {
namespace {

constexpr std::string_view kScratchStem = "webstrata-scratch-";
constexpr auto kYoung = std::chrono::minutes(1);

// Those of killed processes: no one holds their lock. A young one may not be locked yet.
void sweep_scratch(const std::filesystem::path& parent) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(kScratchStem)) continue;
    const auto written = fs::last_write_time(entry.path(), ignored);
    if (ignored || fs::file_time_type::clock::now() - written < kYoung) continue;
    const int folder =
        ::open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status = {};
    const bool is_left = folder >= 0 && ::fstat(folder, &status) == 0 &&
                         status.st_uid == ::geteuid() && ::flock(folder, LOCK_EX | LOCK_NB) == 0;
    if (is_left) fs::remove_all(entry.path(), ignored);
    if (folder >= 0) ::close(folder);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  sweep_scratch(parent);
  std::string name = (parent / (std::string(kScratchStem) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::Io, fmt::format("{}: no folder for scratch files can be made: {}",
                                           parent.string(), reason_of(errno)));
  }
  path_ = name;
  lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0) ::flock(lock_, LOCK_SH);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace webstrata
