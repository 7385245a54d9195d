// SPDX-License-Identifier: Apache-2.0

// The life cycle of generations on disk: how one is made, published, read and deleted.
//
// One writer at a time holds the archive's lock. It makes a new generation in work/, renames it to
// a number that was never used, and replaces MANIFEST: that is the moment at which the archive
// changes. A kill before that leaves the old generation, after it the new one; other leftovers are
// removed by the next writer.
//
// Readers never wait. Each holds a shared lock on the folder of its generation; a writer deletes a
// generation only under an exclusive one, and until it gets that, keeps it on MANIFEST's doomed
// list. The writer itself needs no lease: no other process deletes.
//
//   WriterLock lock = WriterLock::take("lib.ws");      GenerationLease lease =
//   GenerationDraft draft(lock);                           GenerationLease::take("lib.ws");
//   ... LayerWriter(draft.folder(), ...) ...           LayerReader::open(lease.folder(), ...)
//   draft.publish(manifest);

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/base/error.h"
#include "webstrata/base/progress.h"

namespace webstrata {

// An open file or folder with a lock on it (flock), which ends when it is closed.
class LockedDescriptor {
 public:
  explicit LockedDescriptor(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  LockedDescriptor(LockedDescriptor&& other) noexcept;
  LockedDescriptor& operator=(LockedDescriptor&& other) noexcept;
  ~LockedDescriptor();

  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

enum class WhenLocked { Fail, Wait };

// Another process, or another part of this one, has the lock.
class ArchiveBusy : public Error {
 public:
  explicit ArchiveBusy(const std::string& message) : Error(ErrorKind::Io, message) {}
};

// The right to change an archive. Taking it cleans up first: work/ is emptied; generations, columns
// and tombstones that MANIFEST does not name are deleted; so are doomed generations without
// readers.
class WriterLock {
 public:
  // Of an archive that exists. If another process has the lock, it throws ArchiveBusy that names
  // the process, or waits until it is free or `cancel` is set. Throws what Manifest::load throws.
  static WriterLock take(const std::filesystem::path& archive,
                         WhenLocked when_locked = WhenLocked::Fail,
                         const CancelToken* cancel = nullptr);
  // Of a new archive: `archive` must not exist or be an empty folder, or the remains of an
  // interrupted build; otherwise Error(BadInput). It becomes an archive when a draft is published;
  // until then it is only a folder, which the destructor removes again.
  static WriterLock create(const std::filesystem::path& archive);
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;
  ~WriterLock();  // empties work/

  [[nodiscard]] const std::filesystem::path& archive() const noexcept { return archive_; }
  // lib.ws/work, empty when the lock was taken; deleted when it is released.
  [[nodiscard]] std::filesystem::path work_folder() const;
  // As it is on disk now; empty until a new archive's first generation is published.
  [[nodiscard]] std::optional<Manifest> manifest() const;

 private:
  WriterLock(std::filesystem::path archive, LockedDescriptor lock, bool made_folder);
  void begin();  // sweeps

  std::filesystem::path archive_;
  LockedDescriptor lock_;
  bool made_folder_ = false;
};

// A generation being written. Without publish() nothing of it remains.
class GenerationDraft {
 public:
  // `lock` outlives the draft. One draft at a time.
  explicit GenerationDraft(const WriterLock& lock);
  GenerationDraft(const GenerationDraft&) = delete;
  GenerationDraft& operator=(const GenerationDraft&) = delete;
  ~GenerationDraft();

  // Where the files go. They must be durable themselves (LayerWriter::finish) before publish().
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  // The number it will have.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  // Publishes the generation. Generation and doomed list of `manifest` are filled in here; the
  // saved manifest is returned. The old generation is deleted, or doomed if it has readers. After
  // an error the archive is unchanged, unless the disk failed in the very last step: the new
  // MANIFEST is then in place, but may not survive a power cut.
  Manifest publish(Manifest manifest);

 private:
  const WriterLock& lock_;
  std::filesystem::path folder_;
  std::uint64_t number_ = 0;
};

// A reader's hold on the current generation: as long as it lives, the files stay.
class GenerationLease {
 public:
  // Throws what Manifest::load throws, and Error(Corrupt) if the generation's folder is missing.
  static GenerationLease take(const std::filesystem::path& archive);

  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  GenerationLease(Manifest manifest, std::filesystem::path folder, LockedDescriptor lock);

  Manifest manifest_;
  std::filesystem::path folder_;
  LockedDescriptor lock_;
};

// Deletes the tombstones that MANIFEST does not name, and their key if none are left: those before
// the last change, and what a crash left. The caller must hold the writer's lock.
void sweep_tombstones(const std::filesystem::path& archive, const Manifest& manifest);

// Generations on disk that are not the current one, ascending: doomed, or left by a crash.
std::vector<std::uint64_t> old_generations(const std::filesystem::path& archive,
                                           const Manifest& manifest);

// The processes that hold a lock on a folder, as far as the system shows them (/proc/locks).
std::vector<pid_t> holders(const std::filesystem::path& folder);

// Called about ten times per second while waiting for readers.
using HoldersCallback =
    std::function<void(std::uint64_t generation, std::span<const pid_t> processes)>;
// Deletes all old generations, waiting until they have no readers; MANIFEST then lists none and no
// residue. Throws Error(Cancelled), or Error(Io) if one cannot be deleted.
void wait_for_readers(const WriterLock& lock, const CancelToken* cancel = nullptr,
                      const HoldersCallback& waiting = {});

}  // namespace webstrata
