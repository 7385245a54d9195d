// SPDX-License-Identifier: Apache-2.0

// The order of all steps here is chosen for what a kill, a power cut or a full disk leaves.
//
// - A generation gets its name only when its files and their names are durable.
// - MANIFEST lists the old generation as doomed in the same replacement that names the new one, so
//   that there is no moment at which an old generation is neither current nor known as old.
// - Nothing is deleted on the word of a MANIFEST that may not be durable itself: the archive's
//   folder is synced first.
// - The lock file is removed only with a folder that never became an archive. A process that waited
//   for its lock compares the file's inode with that of the name, and starts over.
//
// Locks are flock(2): they belong to the open file, end with the process however it ends, and two
// of one process exclude each other like those of two processes.
// Tested by tests/archive/generations_test.cpp.

#include "webstrata/archive/disk/generations.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLockName = "lock";
constexpr std::string_view kWorkName = "work";
constexpr std::string_view kDraftName = "generation";
constexpr auto kLockPause = std::chrono::milliseconds(20);
constexpr auto kReaderPause = std::chrono::milliseconds(100);
constexpr int kLeaseTries = 1000;

[[noreturn]] void fail(const fs::path& path, std::string_view doing, int code = errno) {
  throw Error(ErrorKind::Io,
              fmt::format("{}: cannot {}: {}", path.string(), doing, reason_of(code)));
}

void pause(std::chrono::milliseconds length, const CancelToken* cancel) {
  if (cancel != nullptr) cancel->check();
  std::this_thread::sleep_for(length);
}

void make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), 0777) != 0) fail(path, "create");
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) fail(path, "delete", error.value());
}

void remove_tree_quietly(const fs::path& path) noexcept {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// The number in "g000007"; empty for other names.
std::optional<std::uint64_t> generation_number(std::string_view name) {
  std::uint64_t number = 0;
  if (!name.starts_with('g')) return std::nullopt;
  const auto [rest, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc() || name != generation_name(number)) return std::nullopt;
  return number;
}

std::vector<std::string> entries(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  if (error) fail(folder, "list", error.value());
  return names;
}

std::vector<std::uint64_t> generations_on_disk(const fs::path& archive) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : entries(archive)) {
    if (const auto number = generation_number(name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

bool is_manifest_draft(std::string_view name) {
  return name.starts_with(kManifestName) && name.substr(kManifestName.size()).starts_with(".tmp");
}

bool has_manifest(const fs::path& archive) {
  std::error_code ignored;
  return fs::exists(archive / kManifestName, ignored);
}

enum class LockAttempt { Taken, Held, Vanished };

LockAttempt try_lock(const LockedDescriptor& file, const fs::path& path) {
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return LockAttempt::Held;
    if (errno != EINTR) fail(path, "lock");
  }
  struct stat mine {};
  struct stat named {};
  const bool same = ::fstat(file.get(), &mine) == 0 && ::stat(path.c_str(), &named) == 0 &&
                    mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
  return same ? LockAttempt::Taken : LockAttempt::Vanished;
}

[[noreturn]] void refuse_held(const fs::path& archive, const LockedDescriptor& file) {
  char text[32] = {};
  const ssize_t size = ::pread(file.get(), text, sizeof(text) - 1, 0);
  pid_t holder = 0;
  if (size > 0) std::from_chars(text, text + size, holder);
  throw ArchiveBusy(
      fmt::format("{}: {} is changing it; try again when that is done", archive.string(),
                  holder > 0 ? fmt::format("process {}", holder) : "another process"));
}

// For messages only, so that a full disk does no harm here.
void sign(const LockedDescriptor& file) noexcept {
  const std::string text = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file.get(), 0) != 0) return;
  [[maybe_unused]] const ssize_t ignored = ::pwrite(file.get(), text.data(), text.size(), 0);
}

// Empty if the file has meanwhile been deleted with its folder.
std::optional<LockedDescriptor> lock_archive(const fs::path& archive, WhenLocked when_locked,
                                             const CancelToken* cancel) {
  const fs::path path = archive / kLockName;
  // Our process number is written into it, so never follow a link.
  LockedDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  if (file.get() < 0) fail(path, "open");
  for (;;) {
    switch (try_lock(file, path)) {
      case LockAttempt::Taken:
        sign(file);
        return file;
      case LockAttempt::Vanished:
        return std::nullopt;
      case LockAttempt::Held:
        if (when_locked == WhenLocked::Fail) refuse_held(archive, file);
        pause(kLockPause, cancel);
    }
  }
}

// False if it has readers. A missing generation counts as deleted.
bool delete_generation(const fs::path& archive, std::uint64_t number) {
  const fs::path folder = archive / generation_name(number);
  const LockedDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.get() < 0 && errno == ENOENT) return true;
  if (lock.get() < 0) fail(folder, "open");
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    fail(folder, "lock");
  }
  remove_tree(folder);
  return true;
}

// Deletes what has no readers; returns what is left.
std::vector<std::uint64_t> delete_old(const fs::path& archive, const Manifest& manifest) {
  std::vector<std::uint64_t> left;
  for (const std::uint64_t number : old_generations(archive, manifest)) {
    if (!delete_generation(archive, number)) left.push_back(number);
  }
  return left;
}

// Saves the manifest if that changes what it says about old generations.
void update_doomed(const fs::path& archive, Manifest& manifest, std::vector<std::uint64_t> doomed) {
  const bool residue = manifest.residue && !doomed.empty();
  if (manifest.doomed == doomed && manifest.residue == residue) return;
  // Deletions must be durable before MANIFEST says so.
  sync_folder(archive);
  Manifest changed = manifest;
  changed.doomed = std::move(doomed);
  changed.residue = residue;
  changed.save(archive);
  manifest = std::move(changed);
}

// Columns that were written but never listed, or replaced.
void sweep_scores(const fs::path& archive, const Manifest& manifest) {
  const fs::path folder = archive / generation_name(manifest.generation);
  for (const std::string& name : entries(folder)) {
    const auto is_it = [&](const auto& column) { return column.second.name == name; };
    const bool is_listed = std::ranges::any_of(manifest.scores, is_it) ||
                           std::ranges::any_of(manifest.link_scores, is_it);
    const bool is_column = name.starts_with("scores.") || name.starts_with("link_scores.");
    if (is_column && !is_listed) remove_tree(folder / name);
  }
}

// After a crash. An archive with layers of a newer program is cleaned, but its MANIFEST is left
// alone: only that program can write it.
void sweep(const fs::path& archive) {
  sync_folder(archive);
  remove_tree(archive / kWorkName);
  for (const std::string& name : entries(archive)) {
    if (is_manifest_draft(name)) remove_tree(archive / name);
  }
  if (!has_manifest(archive)) {
    for (const std::uint64_t number : generations_on_disk(archive)) {
      remove_tree(archive / generation_name(number));
    }
    sweep_tombstones(archive, Manifest());
    return;
  }
  Manifest manifest = Manifest::load(archive);
  sweep_scores(archive, manifest);
  sweep_tombstones(archive, manifest);
  std::vector<std::uint64_t> left = delete_old(archive, manifest);
  if (manifest.unknown_layers.empty()) update_doomed(archive, manifest, std::move(left));
}

[[noreturn]] void refuse_folder(const fs::path& archive, std::string_view why) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", archive.string(), why));
}

// After MANIFEST could not be saved: whether the new one is in place anyway.
bool may_be_current(const fs::path& archive, std::uint64_t generation) {
  try {
    return has_manifest(archive) && Manifest::load(archive).generation == generation;
  } catch (const Error&) {
    return true;  // unknown, so nothing is deleted
  }
}

// Only an empty folder, or what an interrupted build left: our lock and our own names.
void check_free_for_build(const fs::path& archive) {
  if (!fs::is_directory(archive)) refuse_folder(archive, "exists and is not a folder");
  if (has_manifest(archive)) {
    refuse_folder(archive, "is an archive already; update it, or choose another name");
  }
  const std::vector<std::string> names = entries(archive);
  const auto is_ours = [](const std::string& name) {
    return name == kLockName || name == kWorkName || is_manifest_draft(name) ||
           generation_number(name).has_value() || name.starts_with(kTombstonesPrefix);
  };
  const bool has_lock = std::find(names.begin(), names.end(), kLockName) != names.end();
  if (!names.empty() && (!has_lock || !std::all_of(names.begin(), names.end(), is_ours))) {
    refuse_folder(archive, "has other files in it; choose an empty folder or a new name");
  }
}

// False if that cannot be found out: where no more files can be opened, nothing can be deleted
// either.
bool holds_only_lock(const fs::path& archive) noexcept {
  std::error_code error;
  fs::directory_iterator entry(archive, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() != kLockName) return false;
  }
  return !error;
}

// True if it made the folder.
bool make_archive_folder(const fs::path& archive) {
  if (::mkdir(archive.c_str(), 0777) != 0) {
    if (errno == EEXIST) return false;
    fail(archive, "create");
  }
  return true;
}

// "lib.ws/" is "lib.ws": the folder above it must be found.
fs::path without_final_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

// Empty if the folder does not exist, or is about to be deleted.
std::optional<LockedDescriptor> lock_to_read(const fs::path& folder) {
  LockedDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.get() < 0 && errno == ENOENT) return std::nullopt;
  if (lock.get() < 0) fail(folder, "open");
  while (::flock(lock.get(), LOCK_SH | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    if (errno != EINTR) fail(folder, "lock");
  }
  return lock;
}

}  // namespace

LockedDescriptor::LockedDescriptor(LockedDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockedDescriptor& LockedDescriptor::operator=(LockedDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

LockedDescriptor::~LockedDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

WriterLock::WriterLock(fs::path archive, LockedDescriptor lock, bool made_folder)
    : archive_(std::move(archive)), lock_(std::move(lock)), made_folder_(made_folder) {}

void WriterLock::begin() {
  sweep(archive_);
  make_folder(work_folder());
}

WriterLock WriterLock::take(const fs::path& archive, WhenLocked when_locked,
                            const CancelToken* cancel) {
  for (;;) {
    (void)Manifest::load(archive);  // no lock file in a folder that is not an archive
    auto file = lock_archive(archive, when_locked, cancel);
    if (!file) continue;
    WriterLock lock(archive, std::move(*file), false);
    lock.begin();
    return lock;
  }
}

WriterLock WriterLock::create(const fs::path& path) {
  const fs::path archive = without_final_slash(path);
  for (;;) {
    const bool made_folder = make_archive_folder(archive);
    try {
      if (made_folder) sync_folder(archive.parent_path());
      check_free_for_build(archive);
      auto file = lock_archive(archive, WhenLocked::Fail, nullptr);
      if (!file) continue;
      check_free_for_build(archive);  // another build may have ended in between
      WriterLock lock(archive, std::move(*file), made_folder);
      lock.begin();
      return lock;
    } catch (const Error&) {
      if (made_folder) ::rmdir(archive.c_str());  // if it is still empty
      throw;
    }
  }
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : archive_(std::move(other.archive_)),
      lock_(std::move(other.lock_)),
      made_folder_(other.made_folder_) {}

WriterLock::~WriterLock() {
  if (lock_.get() < 0) return;
  remove_tree_quietly(work_folder());
  if (has_manifest(archive_)) return;
  // The lock marks what is left of the build as ours, so that the next one may begin here.
  if (!holds_only_lock(archive_)) return;
  remove_tree_quietly(archive_ / kLockName);
  if (made_folder_) ::rmdir(archive_.c_str());  // only if it is empty
}

fs::path WriterLock::work_folder() const { return archive_ / kWorkName; }

std::optional<Manifest> WriterLock::manifest() const {
  if (!has_manifest(archive_)) return std::nullopt;
  return Manifest::load(archive_);
}

GenerationDraft::GenerationDraft(const WriterLock& lock)
    : lock_(lock), folder_(lock.work_folder() / kDraftName) {
  if (const auto manifest = lock.manifest()) number_ = manifest->generation;
  for (const std::uint64_t used : generations_on_disk(lock.archive())) {
    number_ = std::max(number_, used);
  }
  ++number_;
  make_folder(folder_);
}

GenerationDraft::~GenerationDraft() {
  if (!folder_.empty()) remove_tree_quietly(folder_);
}

Manifest GenerationDraft::publish(Manifest manifest) {
  assert(!folder_.empty());
  const fs::path& archive = lock_.archive();
  const fs::path place = archive / generation_name(number_);
  manifest.generation = number_;
  manifest.doomed = generations_on_disk(archive);
  sync_folder(folder_);
  if (::rename(folder_.c_str(), place.c_str()) != 0) fail(place, "rename to");
  folder_ = place;  // until MANIFEST names it, it is still a draft
  sync_folder(archive);
  try {
    manifest.save(archive);
  } catch (const Error&) {
    if (may_be_current(archive, number_)) folder_.clear();
    throw;
  }
  folder_.clear();
  // The change is permanent. What cannot be deleted now is doomed; that is not an error.
  try {
    update_doomed(archive, manifest, delete_old(archive, manifest));
  } catch (const Error&) {
    return manifest;
  }
  return manifest;
}

GenerationLease::GenerationLease(Manifest manifest, fs::path folder, LockedDescriptor lock)
    : manifest_(std::move(manifest)), folder_(std::move(folder)), lock_(std::move(lock)) {}

GenerationLease GenerationLease::take(const fs::path& archive) {
  Manifest manifest = Manifest::load(archive);
  for (int i = 0; i < kLeaseTries; ++i) {
    const std::uint64_t generation = manifest.generation;
    fs::path folder = archive / generation_name(generation);
    std::optional<LockedDescriptor> lock = lock_to_read(folder);
    // If it is still the current one after it was locked, it cannot have been deleted.
    manifest = Manifest::load(archive);
    const bool moved_on = manifest.generation != generation;
    if (lock && !moved_on) return {std::move(manifest), std::move(folder), std::move(*lock)};
    if (!lock && !moved_on) {
      throw Error(
          ErrorKind::Corrupt,
          fmt::format("{}: is missing; restore it from a copy or rebuild", folder.string()));
    }
  }
  throw Error(ErrorKind::Io,
              fmt::format("{}: changes faster than it can be opened; try again", archive.string()));
}

void sweep_tombstones(const fs::path& archive, const Manifest& manifest) {
  const auto& listed = manifest.tombstones;
  for (const std::string& name : entries(archive)) {
    const bool is_needed = listed && (name == listed->name || name == kTombstonesKeyName);
    if (name.starts_with(kTombstonesPrefix) && !is_needed) remove_tree(archive / name);
  }
}

std::vector<std::uint64_t> old_generations(const fs::path& archive, const Manifest& manifest) {
  std::vector<std::uint64_t> numbers = generations_on_disk(archive);
  std::erase(numbers, manifest.generation);
  return numbers;
}

std::vector<pid_t> holders(const fs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return {};
  // "1: FLOCK  ADVISORY  READ 4711 08:01:131 0 EOF"; the last part of the sixth word is the inode.
  // Lines with "->" are processes that wait.
  const std::string ending = fmt::format(":{}", status.st_ino);
  std::vector<pid_t> processes;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, type, mode, access, place;
    pid_t process = 0;
    if (!(words >> number >> type >> mode >> access >> process >> place)) continue;
    if (type == "FLOCK" && place.ends_with(ending) && process > 0) processes.push_back(process);
  }
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  return processes;
}

void wait_for_readers(const WriterLock& lock, const CancelToken* cancel,
                      const HoldersCallback& waiting) {
  Manifest manifest = Manifest::load(lock.archive());
  for (;;) {
    update_doomed(lock.archive(), manifest, delete_old(lock.archive(), manifest));
    if (manifest.doomed.empty()) return;
    const std::uint64_t oldest = manifest.doomed.front();
    if (waiting) waiting(oldest, holders(lock.archive() / generation_name(oldest)));
    pause(kReaderPause, cancel);
  }
}

}  // namespace webstrata
