// SPDX-License-Identifier: Apache-2.0

// Deletes captures, links and names from an archive permanently.
//
// Afterwards no file of the archive contains the URL: the strata that have it are written again
// without it, and the old generations are deleted; forget() returns only when that is done.
// Tombstones (facts/tombstones.h) keep it out of later updates until undo_forget(). Inputs,
// exports, reports and backups are outside: the result says where the records are in the crawl
// files.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/writer.h"
#include "webstrata/facts/forget.h"
#include "webstrata/facts/tombstones.h"

namespace webstrata {

// A record of a crawl file about something that was forgotten.
struct ForgottenRecord {
  std::string url;
  Time time = 0;
  std::string file;  // empty if the archive does not know
  std::optional<std::uint64_t> offset;
};

struct ForgetOptions {
  bool embedded = false;  // also delete other URLs that contain a forgotten one
  bool force = false;     // also all hosts under a public suffix, such as "com"
  WriteOptions write;
  // Called with each record, in order of URL; may be empty.
  std::function<void(const ForgottenRecord&)> on_record;
  // Called with each URL that contains a forgotten one, deleted or not.
  std::function<void(const std::string& url)> on_embedded;
  // Called while waiting for readers of an old generation.
  HoldersCallback waiting;
};

struct ForgetResult {
  Manifest manifest;
  ArchiveCounts before;
  std::uint64_t names = 0;       // URLs that were meant, whole or for some time
  std::uint64_t sightings = 0;   // deleted
  std::uint64_t embedded = 0;    // URLs that contain one of them
  std::uint64_t tombstones = 0;  // new ones
  bool is_changed = false;       // false: none of it was in the archive
};

// Throws Error(BadInput) if a request is not a URL or host, or means everything under a public
// suffix and `force` is not set.
ForgetResult forget(const std::filesystem::path& archive, std::span<const Forget> requests,
                    const ForgetOptions& options);

// What forget() would do, without doing it: the same result, with the counts that MANIFEST would
// have. It needs no lock and writes nothing.
ForgetResult preview_forget(const std::filesystem::path& archive, std::span<const Forget> requests,
                            const ForgetOptions& options);

// Lets later updates import it again. Returns the number of tombstones removed.
std::uint64_t undo_forget(const std::filesystem::path& archive, std::span<const Forget> requests);

// The tombstones of an archive; empty if it has none. Throws Error(NotFound) if their key is lost.
std::optional<Tombstones> load_tombstones(const std::filesystem::path& archive,
                                          const Manifest& manifest);

// Writes the list and its keys into an archive, whose MANIFEST must then name the list.
LayerFile save_tombstones(const std::filesystem::path& archive, const Tombstones& tombstones);

// Deletes from an archive what `tombstones` cover, and makes them its tombstones. True if it held
// some of it: then it is deleted permanently when wait_for_readers() returns.
bool forget_covered(const WriterLock& lock, const Tombstones& tombstones,
                    const WriteOptions& write);

// The number of tombstones of an archive; needs no key. Throws Error(NotFound) or Error(Corrupt).
std::uint64_t count_tombstones(const std::filesystem::path& archive, const Manifest& manifest);

// What `tombstones`, which outlive it, keep out; empty if there are none.
IsForgotten covered_by(const std::optional<Tombstones>& tombstones);

}  // namespace webstrata
